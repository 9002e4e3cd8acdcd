"""Document 002 in the report: its tables beside ours, and what holds of its claims."""

import pytest

from eval.catalog.point import Point
from eval.documents.claims import claims
from eval.documents.d002.views import CYCLES, WORKS
from eval.tasks.fpga.task import OnFpga
from tests.eval.documents.cycles import cycles
from tests.eval.made_up import found_of, row

pytestmark = pytest.mark.quick


def test_the_array_stands_beside_the_printed_cycles():
    found = found_of(cycles("systolic-16", "d"), cycles("systolic-16", "d", 512))
    short, long = CYCLES.of(found).lines
    assert short.cells[:5] == ("512", "98", "98", "101", "100548")
    assert long.cells == ("1024", "194", "194", "197", "397700", "-", "405545", "-")
    [saves, faster] = claims(found)
    assert "saves 10250 of 407950 cycles" in saves
    assert "takes 405545: 2405 less" in saves
    assert "1.94 us a product" in faster
    assert "Wang, Virtex-5 1.66, McIvor, Virtex-2 1.91, Mrabet, Artix-7 1.02" in faster


def test_table_4_ends_in_our_array():
    task = OnFpga(Point("systolic-printed", 1024), "artix7", "multiplier")
    metrics = {"luts": 7000, "ffs": 5000, "dsp": 66}
    mapped = row(task, metrics=metrics, cells={}, hierarchy="flattened", routed=None)
    lines = WORKS.of(found_of(mapped)).lines
    assert lines[-2].cells == ("002, Artix-7", "100", "194", "1.94", "6736", "5337", "66")
    assert lines[-1].cells == ("ours, Artix-7", "-", "194", "-", "7000", "5000", "66")


def test_nothing_simulated_is_no_table():
    assert CYCLES.of(found_of()) is WORKS.of(found_of()) is None
    assert list(claims(found_of())) == []
