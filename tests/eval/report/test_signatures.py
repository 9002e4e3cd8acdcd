"""Verifications and signatures in the report: times, costs, fronts, the processor, and others'."""

import pytest

from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.chart.panel import DASHED
from eval.documents.accelerator import accelerators
from eval.documents.d002 import figures as document_002
from eval.documents.d002.beside import PRODUCTS_1024
from eval.documents.d003 import figures as document_003
from eval.report.pareto import key_widths
from eval.report.report import Report
from eval.report.signatures import (
    BEST,
    ELSEWHERE,
    costs_grid,
    front_grid,
    signature_grids,
    times_grid,
)
from eval.report.signatures_chart import signatures_chart
from eval.report.signers import signers
from eval.study.long_keys import default_rows
from eval.study.plan import Plan
from eval.study.results import StudyResult
from eval.study.studies import STUDIES
from eval.table.terminal import print_grids
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.rsa import Rsa
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import flow_row, found_of, row, simulated

BITS = 1024


def rows(design, nbits, cycles, area, period=2.0, energy=None):
    """A design whose verification takes a hundredth of its signature."""
    point = Point(design, nbits)
    for workload, count in (("d", cycles), ("e", cycles // 100)):
        counts = {f"cycles_{workload}": count - 1, f"xcel_cycles_{workload}": count}
        yield simulated(point, workload, counts)
    metrics = {"area_um2": area, "setup_slack_ns": 3 - period, "period_ns": period}
    if energy:
        metrics |= {"energy_glitches_d_nj": energy, "energy_glitches_e_nj": energy / 100}
    yield flow_row(FlowRun(point, "accelerator", 3.0), metrics)


def designs(nbits=BITS):
    """Three designs on the front of area and time, one of them of constant time, one that a
    design beats in both, and one of constant time that one not of constant time beats."""
    return [
        *rows("ssmm-small", nbits, 1_000_000, 1e5, 4.0, 4e5),
        *rows("array-8", nbits, 200_000, 2e5, 1.0, 1e5),
        *rows("array-8-window-4", nbits, 100_000, 4e5, 1.0),
        *rows("systolic-16", nbits, 400_000, 3e5, 2.5, 3e5),
        *rows("mont-small", nbits, 2_000_000, 1.5e5),
    ]


def processors(nbits=BITS, period=2.5):
    """Software, and a row of elements that makes powers modulo the primes."""
    metrics = {"area_um2": 2e4, "setup_slack_ns": 3 - period, "period_ns": period}
    return [
        row(Rsa(nbits, "d"), cycles=30_000_000, outside=30_000_000),
        row(Rsa(nbits, "crt"), cycles=8_000_000, outside=8_000_000),
        row(Rsa(nbits, "e"), cycles=500_000, outside=500_000),
        row(Rsa(nbits, "crt", "array-16", "primes"), cycles=70_000, outside=20_000),
        flow_row(FlowRun(Processor(), "system", 3.0), metrics),
    ]


def cells_of(grid):
    return {line.cells[0]: line.cells[1:] for line in grid.lines}


def curve(design, *runs, nbits=BITS):
    """The netlists of a design: clock asked for, period, area, energy of a signature if known."""
    made = [
        {
            **{"clock_ns": clock, "period_ns": period, "setup_slack_ns": clock - period},
            **{"area_um2": area, "energies_nj": {"e": nj / 100, "d": nj} if nj else {}},
        }
        for clock, period, area, nj in runs
    ]
    shortest = {"shortest_period_ns": min(run["period_ns"] for run in made)}
    return row(Curve(Point(design, nbits), 3.0, energy=True), metrics=shortest, runs=made)


ARRAY_8 = curve(
    "array-8", (3.0, 1.6, 1.9e5, 9.6e4), (1.0, 0.95, 2.06e5, 1.05e5), (0.3, 0.89, 2.62e5, None)
)


@pytest.mark.quick
def test_times_are_at_the_period_reached():
    cells = cells_of(times_grid(found_of(*designs(), *processors()), BITS))
    assert list(cells) == [
        *("array-8-window-4", "array-8", "systolic-16", "ssmm-small", "mont-small"),
        *("software, mod n", "software, p and q"),
    ]
    assert cells["array-8"] == (*("-", "no", "1.000", "0.200", "2.0", "0.200", "5000.0", "25000"),)
    assert cells["ssmm-small"][2:6] == ("4.000", "0.100", "40.0", "4.000")
    assert cells["systolic-16"][1] == "yes"
    assert cells["software, mod n"] == (
        *("-", "yes", "2.500", "0.020", "1250.0", "75.000", "13.3", "667"),
    )
    assert cells["software, p and q"][4:6] == ("-", "20.000")


@pytest.mark.quick
def test_each_design_stands_by_its_own_netlists():
    """The quickest, that of the least area x time, and that of the least energy, each once; the
    design is as quick as the quickest of them."""
    found = found_of(*designs(), ARRAY_8)
    lines = [line for line in times_grid(found, BITS).lines if line.cells[0] == "array-8"]
    assert [line.cells[1] for line in lines] == ["time", "a x t", "energy"]
    assert [line.cells[3:5] for line in lines] == [
        *(("0.890", "0.262"), ("0.950", "0.206"), ("1.600", "0.190")),
    ]
    assert [line.commands[0].split("--clock ")[1] for line in lines] == [
        *("0.3", "1 --to power", "3 --to power"),
    ]
    costs = [line for line in costs_grid(found, BITS).lines if line.cells[0] == "array-8"]
    assert [line.cells[5] for line in costs] == ["-", "105.00", "96.00"]
    one = found_of(*designs(), curve("array-8", (3.0, 0.8, 1e5, 9e4), (0.2, 0.8, 1.5e5, None)))
    [least] = [line for line in times_grid(one, BITS).lines if line.cells[0] == "array-8"]
    assert (least.cells[1], least.cells[4]) == ("all", "0.100")
    # 0.8 ns x 0.1 mm2 are less than 1.0 ns x 0.09 mm2, which takes less energy.
    two = found_of(*designs(), curve("array-8", (3.0, 1.0, 9e4, 8e4), (0.2, 0.8, 1e5, 9e4)))
    both = [line.cells for line in times_grid(two, BITS).lines if line.cells[0] == "array-8"]
    assert [(cells[1], cells[4]) for cells in both] == [
        ("time, a x t", "0.100"),
        ("energy", "0.090"),
    ]


@pytest.mark.quick
def test_the_front_has_netlists_of_several_clocks():
    grid = front_grid(found_of(*designs(), ARRAY_8), BITS)
    assert [line.cells[:4] for line in grid.lines] == [
        ("ssmm-small", "no", "4.000", "0.100"),
        ("array-8", "no", "1.600", "0.190"),
        ("array-8", "no", "0.950", "0.206"),
        ("array-8", "no", "0.890", "0.262"),
        ("array-8-window-4", "yes", "1.000", "0.400"),
    ]
    assert [line.cells[-1] for line in grid.lines] == ["400.00", "96.00", "105.00", "-", "-"]
    assert front_grid(found_of(*rows("array-8", BITS, 100, 1e5), ARRAY_8), BITS) is None


@pytest.mark.quick
def test_the_processor_stands_among_those_of_its_key():
    cells = cells_of(times_grid(found_of(*designs(), *processors(2048)), BITS))
    assert not [name for name in cells if "software" in name or "p and q" in name]


@pytest.mark.quick
def test_a_verification_stands_beside_what_signs_by_p_and_q_where_nothing_signs_mod_n():
    quick = [done for done in processors() if done.task != Rsa(BITS, "d")]
    cells = cells_of(times_grid(found_of(*designs(), *quick), BITS))
    assert "software, mod n" not in cells
    assert cells["software, p and q"][4:6] == ("1250.0", "20.000")


@pytest.mark.quick
def test_costs_are_areas_and_energies_of_the_whole():
    cells = cells_of(costs_grid(found_of(*designs(), *processors()), BITS))
    # 0.2 mm2 x 0.2 ms; 100 uJ x 0.2 ms.
    assert cells["array-8"] == ("-", "200000", "0.040", "1.00", "100.00", "10000", "20.00")
    assert cells["mont-small"][3:] == ("-",) * 4
    assert cells["software, p and q"] == ("-", "8000000", "0.400", *"----")
    assert cells["array-16-512, p and q, checked"] == ("-", "70000", *"-----")


@pytest.mark.quick
def test_fronts_are_of_all_designs_and_of_those_of_constant_time():
    [area, energy] = BEST.of(found_of(*designs())).lines
    assert area.cells == (
        *("1024", "area - time of a signature", "ssmm-small, array-8, array-8-window-4"),
        "systolic-16, array-8-window-4",
    )
    assert energy.cells == ("1024", "energy - time of a signature", "array-8", "systolic-16")


@pytest.mark.quick
def test_one_design_alone_is_no_front():
    alone = [
        *rows("ssmm-small", BITS, 1_000_000, 1e5),
        *rows("array-8", BITS, 200_000, 2e5, 1.0, 1e5),
    ]
    assert [line.cells[1] for line in BEST.of(found_of(*alone)).lines] == [
        "area - time of a signature"
    ]


@pytest.mark.quick
def test_a_design_for_some_moduli_is_on_no_front():
    fast = rows("near-power-4", BITS, 100, 1.0)
    [line, _] = BEST.of(found_of(*designs(), *fast)).lines
    assert "near-power" not in line.cells[2]


@pytest.mark.quick
def test_widths_are_those_at_which_two_designs_sign():
    found = found_of(*designs(), *rows("array-8", 512, 50_000, 1e5), *designs(256))
    assert key_widths(found) == [BITS]
    [*grids] = signature_grids(found)
    titles = [grid.title for grid in grids]
    assert titles[:2] == [
        "RSA of 1024 bits: time",
        "RSA of 1024 bits: cycles, area x time and energy",
    ]
    one = found_of(*rows("array-8", BITS, 50_000, 1e5))
    assert not any(signature_grids(one))
    assert list(signatures_chart(one)) == []
    assert ELSEWHERE.of(one) is None


@pytest.mark.quick
def test_what_failed_is_left_out():
    whole = designs()
    study = found_of(*whole).study
    timed = [r for r in whole if not (r.task.kind == "flow" and r.task.point.design == "array-8")]
    [*_, last] = signers(StudyResult(study, timed), BITS)
    assert (last.name, last.sign_ms) == ("array-8", None)
    assert not any(signature_grids(StudyResult(study, [])))


@pytest.mark.quick
def test_the_tables_fit_a_terminal(capsys):
    """Also those of the widest keys, the slowest designs and the longest names."""
    slow = rows("systolic-twin-16", 4096, 10**9, 123456789.0, 12.0, 1e9)
    grids = signature_grids(found_of(*designs(4096), *slow, *processors(4096, period=4.0)))
    print_grids(filter(None, grids))
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 100
    for whole in ("systolic-twin-16", "12000.000", "1000000000", "array-16-2048,"):
        assert whole in printed


def test_the_chart_tells_designs_of_constant_time_apart():
    found = found_of(*designs())
    [chart], [again] = signatures_chart(found), signatures_chart(found)
    assert chart == again
    area, energy = chart.panels
    for panel, names in ((area, {"array-8-window-4", "systolic-16"}), (energy, {"systolic-16"})):
        constant = [p for p in panel.points if p.marker.shape == "square"]
        assert {p.name for p in constant} == names
        assert {p.marker.filled for p in constant} == {True}
        assert {p.marker.filled for p in panel.points if p not in constant} == {False}
        assert set(panel.keys.values()) == {p.marker for p in panel.points}
        check_names(panel)
    assert (len(area.points), len(energy.points)) == (5, 3)
    spots = {p.name: (p.x, p.y) for p in area.points}
    assert spots["array-8"] == (0.2, 0.2)
    front, of_constant = area.lines
    assert front.spots == [spots[n] for n in ("ssmm-small", "array-8", "array-8-window-4")]
    assert of_constant.spots == [spots[n] for n in ("systolic-16", "array-8-window-4")]
    assert (front.dash, of_constant.dash) == ((), DASHED)
    assert 'href="#systolic-16-1024-bits"' in chart.svg


def test_the_chart_joins_the_netlists_of_a_design():
    [chart] = signatures_chart(found_of(*designs(), ARRAY_8))
    area, energy = chart.panels
    own, front, _ = area.lines
    assert own.spots == [(0.19, 0.32), (0.206, 0.19), (0.262, 0.178)]
    assert {*own.spots} <= {*front.spots}
    assert [(p.x, p.y) for p in area.points if p.name == "array-8"] == own.spots[-1:]
    assert energy.lines[0].spots == [(96.0, 0.32), (105.0, 0.19)]


@pytest.mark.quick
def test_others_stand_beside_ours():
    lines = ELSEWHERE.of(found_of(*designs())).lines
    cells = {(c[0], c[1], c[2], c[3]): c[4:] for c in (line.cells for line in lines)}
    assert len(cells) == len(lines)
    assert cells["002", "Artix-7", "1024", "d"] == (
        *("28", "397700", "100", "3.98", "6.39", "7587 LUT, 66 DSP", "002, table 5"),
    )
    assert cells["Wang", "Virtex-5", "1024", "d"][1] == str(document_002.CYCLES_BEFORE)
    assert cells["003, S = 64", "Virtex-E", "1024", "e"][1] == "332440"
    assert cells["003, S = 128", "Virtex-E", "1024", "e"][1] == "176016"
    assert cells["OTBN", "OpenTitan", "2048", "d"] == ("-", "19714191", *"----", "its project")
    assert cells["004, Algo 6", "Cyclone V", "1024", "d"][3:5] == ("44.84", "72.07")
    assert min(int(bits) for _, _, bits, _ in cells) == 512


@pytest.mark.quick
def test_what_is_printed_agrees_with_itself():
    assert document_002.EXPONENTIATION_CYCLES[1024] == PRODUCTS_1024 * 194
    timed = [a for a in accelerators() if a.cycles and a.time_ms]
    assert len(timed) > 10
    for accelerator in timed:
        reckoned = accelerator.cycles / accelerator.mhz / 1000
        assert accelerator.time_ms == pytest.approx(reckoned, rel=0.011), accelerator.by
    assert {a.cycles for a in timed} >= {r.cycles for r in document_003.ROWS}


def test_the_report_has_them():
    report = Report(found_of(*designs(), *processors()))
    titles = [item.title for place in ("chart", "results") for item in report[place]]
    for title in (
        *("Signatures: area and energy against time", "RSA of 1024 bits: time"),
        *("Pareto fronts of signatures", "RSA on accelerators elsewhere", "RSA on the processor"),
    ):
        assert title in titles


@pytest.mark.quick
def test_the_studies_measure_what_the_tables_show():
    tasks = STUDIES["rsa"].tasks
    for nbits, least, constant in ((1024, 20, 8), (2048, 3, 1)):
        on_processor = {t.operation for t in tasks if t.kind == "rsa" and t.nbits == nbits}
        assert on_processor == {"d", "crt", "e", "private"}
        points = {t.about for t in tasks if t.kind == "flow" and t.about and t.about.nbits == nbits}
        assert len(points) >= least
        assert sum(point.entry.constant_time for point in points) >= constant
        curves = {t.about for t in tasks if t.kind == "clocks" and t.point.nbits == nbits}
        assert curves <= points
        assert 3 * len(curves) > len(points)  # of more the study takes over an hour
    assert Rsa(2048, "crt", "array-16", "primes") in tasks
    assert Rsa(2048, "private", "array-crt-16") in tasks
    assert FlowRun(Processor("array-16", 1024), "system", 3.0) in tasks
    assert {t.nbits for t in STUDIES["rsa-long"].tasks if t.kind == "rsa"} == {4096}
    for name, most in (("scaling", 1024), ("scaling-long", 2048)):
        points = {t.about for t in STUDIES[name].tasks if t.about}
        widths = [p.nbits for p in points if p.design == "array-4"]
        assert (min(widths), max(widths)) == (32, most)


@pytest.mark.quick
def test_the_default_study_has_designs_of_long_keys_beside_software():
    tasks = [*default_rows(Plan(3.0))]
    assert {t.about.nbits for t in tasks if t.about} == {BITS}
    assert len({t.about for t in tasks if t.kind == "simulate"}) == 6
    runs = [t for t in tasks if t.kind == "flow"]
    assert len({t.about for t in runs}) == 2
    assert "power" in {t.to for t in runs}
    assert {t.operation for t in tasks if t.kind == "rsa"} == {"d", "crt", "e"}
    assert {*tasks} < {*STUDIES["default"].tasks}
