"""The proofs' own reach: any first value, any value of what nothing drives, and the last cycle."""

import pytest
from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from tests.prove import prove_from_reset

pytestmark = pytest.mark.quick


class Counts(Component):
    """Counts, from what its register begins with; of its other output the low half is driven."""

    def construct(s):
        s.recv = InPort(2)
        s.sum, s.half = OutPort(2), OutPort(4)
        s.count = Wire(2)
        s.half[0:2] //= s.recv

        @update_ff
        def count():
            if s.recv == 1:
                s.count <<= s.count + 1

        @update
        def show():
            s.sum @= s.count


@pytest.mark.parametrize("value", range(4))
@pytest.mark.parametrize("port", ["sum", "half[3:2]", "recv"])
def test_any_value_is_looked_at(tmp_path, port, value):
    body = f"always @* assert (t != 1 || {port} != {value});"
    said = prove_from_reset(tmp_path, Counts(), body, 2)
    assert said.startswith("assertions: broken in cycle 1")


def test_what_is_held_stays(tmp_path):
    body = """
reg [1:0] place, found; reg looked = 0;
always @(posedge clk) begin
    place <= place;
    if (recv == place) begin found <= recv; looked <= 1; end
end
"""
    claim = "always @* assert (!looked || found == place);"
    wrong = "always @* assert (t != 3 || !looked || found != place);"
    assert prove_from_reset(tmp_path, Counts(), body + claim, 6) == "proven"
    assert "broken in cycle 3" in prove_from_reset(tmp_path, Counts(), body + wrong, 6)


@pytest.mark.parametrize(("cycles", "said"), [(5, "proven"), (6, "assertions: broken in cycle 5")])
def test_each_cycle_is_looked_at_and_none_beyond(tmp_path, cycles, said):
    body = "always @* assert (t != 5);"
    assert prove_from_reset(tmp_path, Counts(), body, cycles).startswith(said)


def test_what_is_assumed_of_a_cycle_stands_in_all_before(tmp_path):
    """An assumption of a later cycle excuses nothing of an earlier one."""
    body = "always @* assume (t != 3); always @* assert (t != 2);"
    assert "broken in cycle 2" in prove_from_reset(tmp_path, Counts(), body, 6)
    body = "always @* assume (t != 2); always @* assert (t != 3);"
    assert prove_from_reset(tmp_path, Counts(), body, 6) == "proven"


def test_inputs_that_break_a_claim_are_shown(tmp_path):
    body = "always @* assert (t != 1 || recv != 2);"
    said = prove_from_reset(tmp_path, Counts(), body, 3)
    assert "recv[1]@1=1" in said
    assert "recv[0]@1=0" in said
