"""Multipliers keep their messages, whatever sender and receiver do: proven from a reset on.

In each of the first cycles, for any operands that a unit takes and any stalls: an answer waits,
unchanged, until it is taken; there are as many as requests at most, each in its turn with the value
of its own request; none is later than the unit may be.
"""

from collections.abc import Callable
from itertools import product

import pytest

import rtl.leaf.digit_loop
import rtl.mul.add_red_loop
import rtl.mul.add_red_pipeline
import rtl.mul.mont_mul
from cl.unit import Unit
from eval.catalog import MULTIPLIERS
from tests.faults import faults, plant
from tests.prove import prove_from_reset

# At so few bits the solver needs seconds; units of digits or words begin at more.
NBITS = {
    "mul-rem": 2,
    "ssmm-1": 2,
    "mmm-1": 3,
    "mmred-1": 3,
    "mm-open-1": 2,
    "mont-koc-1": 3,
    "mont-koc-8": 3,
    "mont-mul-rem-8": 3,
}
# What is asked of operands, as Verilog and for Python.
TAKEN: dict[str, Callable[[int, int, int], bool]] = {
    "m != 0": lambda a, b, m: m != 0,
    "m[0]": lambda a, b, m: m % 2 == 1,
    "m[0] && b < m": lambda a, b, m: m % 2 == 1 and b < m,
    "m[0] && b < 2 * m": lambda a, b, m: m % 2 == 1 and b < 2 * m,
}


def claims(unit: Unit, cycles: int) -> str:
    """Assertions about the messages of a unit: `which` of its requests is watched is any."""
    wide = unit.nbits + unit.guard_bits
    low, high = unit.nbits, unit.nbits + wide
    operands = list(product(range(1 << wide), range(1 << wide), range(1 << unit.nbits)))
    fits = (t for t, ask in TAKEN.items() if all(unit.accepts(*o) == ask(*o) for o in operands))
    taken = f"m == {unit.only_modulus}" if unit.only_modulus else next(fits)
    latest = max(unit.latency(*o) for o in operands if unit.accepts(*o))
    assert cycles > latest + 3, "two requests do not fit"
    return f"""
localparam W = {4 * wide + unit.radix + 4};
function [W-1:0] up(input [W-1:0] value); up = value; endfunction
reg [1:0] which, sent = 0, got = 0;
reg [{wide - 1}:0] held, a = 0, b = 0;
reg [{unit.nbits - 1}:0] m = 1;
reg waits = 0;
reg [7:0] late = 0;
wire taken = recv__val & recv__rdy, left = send__val & send__rdy;
wire [W-1:0] asked_a = recv__msg[{high + wide - 1}:{high}];
wire [W-1:0] asked_b = recv__msg[{high - 1}:{low}];
wire [W-1:0] asked_m = recv__msg[{low - 1}:0];
wire [W-1:0] r = send__msg;
always @(posedge clk) begin
    which <= which;
    if (t != 0) begin
        sent <= sent + taken;
        got <= got + left;
        if (taken && sent == which) begin a <= asked_a; b <= asked_b; m <= asked_m; end
        waits <= send__val & ~send__rdy;
        held <= send__msg;
        late <= sent != got && !send__val ? late + 1 : 0;
    end
end
always @* if (t != 0) begin
    assume (!recv__val || ({taken.replace("b", "asked_b").replace("m", "asked_m")}));
    assert (!waits || (send__val && send__msg == held));
    assert (!send__val || sent != got);
    assert (!send__val || got != which
        || ((r << {unit.radix}) % m == (up(a) * b) % m && r < up(m) << {unit.guard_bits and 1}));
    assert (late < {latest});
end
"""


def proof(folder, name: str) -> str:
    """What the solver says of a multiplier of the catalog."""
    unit = MULTIPLIERS[name].by_itself(NBITS[name])
    operands = product(range(1 << unit.nbits), repeat=3)
    cycles = 2 * max(unit.latency(*o) for o in operands if unit.accepts(*o)) + 6
    return prove_from_reset(folder, unit.rtl(), claims(unit, cycles), cycles)


@pytest.mark.parametrize("name", NBITS)
def test_messages_are_kept(tmp_path, name):
    assert proof(tmp_path, name) == "proven"


LOOP_FAULTS = {
    "takes a request while busy": (
        "s.recv.rdy @= ~s.busy | (s.send.val & s.send.rdy)",
        "s.recv.rdy @= ~s.busy | s.send.val",
    ),
    "answers twice": (
        "elif s.send.val & s.send.rdy:",
        "elif s.send.val & s.send.rdy & s.recv.val:",
    ),
    "answers before the end": ("s.busy & (s.cycles_left == 0)", "s.busy & (s.cycles_left <= 1)"),
    "takes an answer that waits for gone": (
        "elif s.send.val & s.send.rdy:",
        "elif s.send.val:",
    ),
}

PIPELINE_FAULTS = {
    "a full stage is overwritten": ("s.recv.rdy @= ~s.full | s.send.rdy", "s.recv.rdy @= 1"),
    "a stall empties a stage": ("elif s.recv.rdy:", "else:"),
}


@faults(LOOP_FAULTS)
def test_a_fault_is_not_proven(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.digit_loop, sound, faulty)
    monkeypatch.setattr(rtl.mul.add_red_loop, "DigitLoop", broken.DigitLoop)
    assert "proof did fail" in proof(tmp_path, "mmm-1")


@faults(PIPELINE_FAULTS)
def test_a_fault_of_a_pipeline_is_not_proven(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.add_red_pipeline, sound, faulty)
    monkeypatch.setattr(rtl.mul.mont_mul, "AddRedPipeline", broken.AddRedPipeline)
    assert "proof did fail" in proof(tmp_path, "mont-mul-rem-8")
