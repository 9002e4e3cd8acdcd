"""Document 003 in the report: its figure 17.4 beside ours, and what holds of its claims."""

import pytest

from eval.documents.claims import claims
from eval.documents.d003.views import SERIAL
from tests.eval.documents.cycles import cycles
from tests.eval.made_up import found_of

pytestmark = pytest.mark.quick


def test_the_serial_processor_stands_beside_figure_17_4():
    sizes = (32, 64, 128, 256)
    found = found_of(*(cycles(f"serial-pz-{bits}", "e") for bits in sizes))
    lines = SERIAL.of(found).lines
    assert [line.cells[2] for line in lines] == ["645288", "332440", "176016", "97804"]
    assert [line.cells[4] for line in lines] == ["681375", "352031", "187359", "105023"]
    assert [line.cells[7] for line in lines] == ["5.64", "3.86", "3.27", "3.02"]
    text = " ".join(claims(found))
    for said in (
        "S = 64 and 128 stand in each other's row",
        "At S = 32 its own figure 17.3 says otherwise: the memory takes 8.7 ns, the adder 7.4",
        "are 3.02 ms and 8770",
    ):
        assert said in text


def test_nothing_simulated_is_no_table():
    assert SERIAL.of(found_of()) is None
    assert list(claims(found_of())) == []
