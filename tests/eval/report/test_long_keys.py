"""Documents 002 and 003 in the report: their tables beside ours, and what holds of their claims."""

import pytest

from eval.catalog.point import Point
from eval.report.long_keys import array_grid, reasons_long_keys, serial_grid, table_4_grid
from eval.tasks.fpga.task import OnFpga
from tests.eval.made_up import found_of, row, simulated

pytestmark = pytest.mark.quick


def cycles(design, workload, nbits=1024):
    """A simulation with the cycles of the design's formula."""
    point = Point(design, nbits)
    count = point.entry.cycles(nbits, 2, 65537 if workload == "e" else 2**nbits - 1, 2**nbits - 1)
    return simulated(point, workload, {f"cycles_{workload}": count})


def test_the_array_stands_beside_the_printed_cycles():
    found = found_of(cycles("systolic-16", "d"), cycles("systolic-16", "d", 512))
    short, long = array_grid(found).lines
    assert short.cells[:5] == ("512", "98", "98", "101", "100548")
    assert long.cells == ("1024", "194", "194", "197", "397700", "-", "405545", "-")
    [saves, faster] = reasons_long_keys(found)
    assert "saves 10250 of 407950 cycles" in saves
    assert "takes 405545: 2405 less" in saves
    assert "1.94 us a product" in faster
    assert "Wang, Virtex-5 1.66, McIvor, Virtex-2 1.91, Mrabet, Artix-7 1.02" in faster


def test_table_4_ends_in_our_array():
    task = OnFpga(Point("systolic-printed", 1024), "artix7", "multiplier")
    metrics = {"luts": 7000, "ffs": 5000, "dsp": 66}
    mapped = row(task, metrics=metrics, cells={}, hierarchy="dissolved", routed=None)
    lines = table_4_grid(found_of(mapped)).lines
    assert lines[-2].cells == ("002, Artix-7", "100", "194", "1.94", "6736", "5337", "66")
    assert lines[-1].cells == ("ours, Artix-7", "-", "194", "-", "7000", "5000", "66")


def test_the_serial_processor_stands_beside_figure_17_4():
    sizes = (32, 64, 128, 256)
    found = found_of(*(cycles(f"serial-pz-{bits}", "e") for bits in sizes))
    lines = serial_grid(found).lines
    assert [line.cells[2] for line in lines] == ["645288", "332440", "176016", "97804"]
    assert [line.cells[4] for line in lines] == ["681375", "352031", "187359", "105023"]
    assert [line.cells[7] for line in lines] == ["5.64", "3.86", "3.27", "3.02"]
    text = " ".join(reasons_long_keys(found))
    for said in (
        "S = 64 and 128 stand in each other's row",
        "At S = 32 its own figure 17.3 says otherwise: the memory takes 8.7 ns, the adder 7.4",
        "are 3.02 ms and 8770",
    ):
        assert said in text


def test_nothing_simulated_is_no_table():
    assert array_grid(found_of()) is table_4_grid(found_of()) is serial_grid(found_of()) is None
    assert reasons_long_keys(found_of()) == []
