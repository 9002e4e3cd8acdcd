"""What products cost at long keys: the table, and the chart over the width."""

import pytest

from cl.xcel import xcel_cycles
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.chart.panel import DOTTED
from eval.report.products import PRODUCTS, product_costs
from eval.report.products_chart import products_chart
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowRun
from tests.eval.made_up import flow_row, found_of, row, simulated

pytestmark = pytest.mark.quick


def rows(design, nbits, area, period=2.0):
    point = Point(design, nbits)
    request = WORKLOADS["d"].request(nbits, point.entry.moduli.key)
    cycles = point.entry.cycles(nbits, **vars(request))
    counts = {"cycles_d": cycles, "xcel_cycles_d": xcel_cycles(nbits, cycles)}
    metrics = {"area_um2": area, "setup_slack_ns": 3 - period, "period_ns": period}
    yield simulated(point, "d", counts)
    yield flow_row(FlowRun(point, "accelerator", 3.0), metrics)


def test_a_product_is_a_share_of_the_exponentiation():
    found = found_of(*rows("systolic-16", 256, 1000.0), *rows("ssmm-small", 256, 100.0, 4.0))
    systolic, small = sorted(product_costs(found), key=lambda cost: -cost.netlist.area_um2)
    # Square and multiply always: two products a bit, and none besides.
    assert systolic.products == 2 * 256
    assert 3 * 17 + 2 <= systolic.cycles < 1.05 * (3 * 17 + 2)
    assert systolic.time_us == pytest.approx(systolic.cycles * 2e-3)
    assert small.time_us == pytest.approx(small.cycles * 4e-3)
    lines = PRODUCTS.of(found).lines
    assert [line.cells[0] for line in lines] == ["ssmm-small", "systolic-16"]
    assert float(lines[1].cells[7]) == pytest.approx(1000 * systolic.time_us, abs=0.5)
    assert lines[1].cells[8] == "-"


def test_a_product_is_of_the_netlist_of_the_least_area_x_time():
    runs = [
        {"clock_ns": c, "period_ns": c, "setup_slack_ns": 0.0, "area_um2": area}
        for c, area in ((2.0, 1000.0), (1.0, 1500.0), (0.9, 1800.0))
    ]
    curve = row(
        Curve(Point("systolic-16", 256), 3.0), metrics={"shortest_period_ns": 0.9}, runs=runs
    )
    [cost] = product_costs(found_of(*rows("systolic-16", 256, 1000.0), curve))
    assert (cost.netlist.period_ns, cost.area_time) == (1.0, pytest.approx(1.5 * cost.cycles))


def test_widths_are_joined_in_the_chart():
    short = rows("systolic-16", 256, 1000.0)
    assert list(products_chart(found_of(*short))) == []
    both = found_of(*rows("systolic-16", 256, 1000.0), *rows("systolic-16", 512, 2000.0))
    [chart] = products_chart(both)
    [panel] = chart.panels
    costs = {cost.p.point.nbits: cost.area_time for cost in product_costs(both)}
    assert [(p.x, p.y, p.name) for p in panel.points] == [
        (512, costs[512], "systolic-16"),
        (256, costs[256], ""),
    ]
    joined, square = panel.lines
    assert joined.spots == [(512, costs[512]), (256, costs[256])]
    (_, low), (_, high) = square.spots
    assert (square.dash, high) == (DOTTED, pytest.approx(4 * low))
    assert panel.x.ticks == [256, 512]
    assert chart.svg.startswith("<svg")
    assert chart.svg == next(products_chart(both)).svg


def test_short_keys_are_no_long_ones():
    assert PRODUCTS.of(found_of(*rows("systolic-16", 128, 1000.0))) is None
