"""Bounded proofs of the processor: for any program, any registers, and any waits at its ports."""

import pytest

from tests.bmc import HOLDS
from tests.proc.formal import claims, holds, prepare, processor

CLAIMS = (
    *("order", "fetch", "rs1", "rs2", "x0", "stats", "progress"),
    *("upper", "jal", "jalr", "branch", "load", "store", "immediate", "register", "mul", "div"),
    *("fence", "csr", "illegal"),
)
# Cycles 0 and 1 are the reset; an instruction retires in cycle 7 at the earliest, so that in 11
# cycles there are four in a row, the last of which may take what the first is writing.
CYCLES = dict.fromkeys(CLAIMS, 10) | dict.fromkeys(("order", "fetch", "rs1", "rs2", "div"), 11)
CYCLES["progress"] = 16
MORE_CYCLES = dict.fromkeys(CLAIMS, 13) | {"progress": 40}

# What the Verilog says, what the fault makes of it, and a claim that it breaks.
FAULTS = {
    "no bypass from X": ("source = 2'( __const__FROM_X );", "source = 2'd0;", "rs1"),
    "bge as blt": ("taken = less ^ fn[2'd0];", "taken = less;", "order"),
    "a store does not wait": ("( mem_X & ( ~dmem_req_rdy ) )", "1'd0", "progress"),
    "lb without sign": ("{ { 24 { one_byte[7] } }, one_byte }", "{ 24'd0, one_byte }", "load"),
}
MORE_FAULTS = {
    "no bypass from M": ("source = 2'( __const__FROM_M );", "source = 2'd0;", "rs2"),
    "no bypass from W": ("source = 2'( __const__FROM_W );", "source = 2'd0;", "rs2"),
    "older value wins": ("if ( in_X ) begin", "if ( in_X & ( ~in_M ) ) begin", "rs1"),
    "no stall for a load": ("hazard = ( in_X & late_X )", "hazard = 1'd0", "rs1"),
    "no wait for M": ("| ( in_M & ( ~go_M ) )", "| 1'd0", "rs2"),
    "x0 is 1": ("assign x[0] = 32'd0;", "assign x[0] = 32'd1;", "x0"),
    "no drop of overtaken answers": ("        drop <= 1'd1;", "        drop <= 1'd0;", "fetch"),
    "an error overtakes": ("error = ( error_X & ( ~val_M ) )", "error = error_X", "order"),
    "never fetches": ("( redirect | ( ~waiting ) ) | move", "redirect | move", "progress"),
    "csrrc sets": ("stats_en & ( ~operand[5'd0] )", "stats_en | operand[5'd0]", "stats"),
    "auipc without pc": ("    if ( control.from_pc ) begin", "    if ( 1'd0 ) begin", "upper"),
    "jal to bit 1": ("control_D.jal & word_D[5'd21]", "1'd0", "jal"),
    "jalr to bit 1": ("| control_X.jalr ) & target", ") & target", "jalr"),
    "a branch that is none": ("control.trap = f3[2'd2:2'd1] == 2'd1;", "", "branch"),
    "sh in the low half": ("~offset[1'd1], ~offset[1'd1] };", "1'd1, 1'd1 };", "store"),
    "srai as srli": ("control.alt = f7 == 7'( __const__F7_ALT );", "", "immediate"),
    "sra as srl": ("fill = arithmetic & a[5'd31];", "fill = 1'd0;", "register"),
    "mul as div": ("control.unit = 3'( __const__UNIT_MUL );", "control.unit = 3'd2;", "mul"),
    "a stale quotient": ("( live | is_div ) & ( ~overwritten )", "live | is_div", "div"),
    "fence of any kind": (
        "control.trap = ( f3 != 3'( __const__F3_FENCE ) ) & ( f3 != 3'( __const__F3_FENCE_I ) );",
        "",
        "fence",
    ),
    "an accelerator's register swaps": ("is_csr & ( reads ^ writes )", "is_csr", "csr"),
    "any opcode": ("control.trap = 1'd1;", "control.trap = 1'd0;", "illegal"),
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    return prepare(tmp_path_factory.mktemp("formal"), processor())


def test_all_claims_are_here(prepared):
    assert tuple(claims(prepared)) == CLAIMS


@pytest.mark.parametrize("claim", CLAIMS)
def test_claim(prepared, claim):
    assert holds(prepared, claim, CYCLES[claim]) == HOLDS


@pytest.mark.long
@pytest.mark.parametrize("claim", CLAIMS)
def test_claim_for_more_cycles(prepared, claim):
    assert holds(prepared, claim, MORE_CYCLES[claim]) == HOLDS


def check(folder, sound: str, faulty: str, claim: str) -> None:
    verilog = processor()
    assert verilog.count(sound) == 1, f"the Verilog has {verilog.count(sound)} of: {sound}"
    broken = prepare(folder, verilog.replace(sound, faulty))
    assert holds(broken, claim, CYCLES[claim]).startswith("broken in cycle")


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault, tmp_path):
    check(tmp_path, *FAULTS[fault])


@pytest.mark.long
@pytest.mark.parametrize("fault", MORE_FAULTS)
def test_another_fault(fault, tmp_path):
    check(tmp_path, *MORE_FAULTS[fault])
