"""Faults planted in the processor's Verilog: the case tables must find each of them."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.timing import Timing
from sim.errors import RunError
from sim.translate import Translation, translate
from tests.cases.hazards import HAZARDS
from tests.cases.instructions import INSTRUCTIONS, Case
from tests.proc_harness import TIMINGS, answers

CASES = INSTRUCTIONS + HAZARDS

# What the translated text says, and what the fault makes of it.
FAULTS = {
    "sra as srl": ("fill = arithmetic & a[5'd31];", "fill = 1'd0;"),
    "lb without sign": ("{ { 24 { one_byte[7] } }, one_byte }", "{ 24'd0, one_byte }"),
    "mulhsu as mulhu": ("a[5'd31] & ( fn != 2'( __const__F3_MULHU ) )", "a[5'd31] & ( ~fn[1'd1] )"),
    "no bypass from M": ("source = 2'( __const__FROM_M );", "source = 2'( __const__FROM_FILE );"),
    "no stall for a load": ("hazard = ( in_X & late_X )", "hazard = 1'd0"),
}
MORE_FAULTS = {
    "no bypass from X": ("source = 2'( __const__FROM_X );", "source = 2'( __const__FROM_FILE );"),
    "no bypass from W": ("source = 2'( __const__FROM_W );", "source = 2'( __const__FROM_FILE );"),
    "no wait for M": ("| ( in_M & ( ~go_M ) )", "| 1'd0"),
    "older value wins": ("if ( in_X ) begin", "if ( in_X & ( ~in_M ) ) begin"),
    "no drop of overtaken answers": ("        drop <= 1'd1;", "        drop <= 1'd0;"),
    "x / 0 negated": ("& ( b != 32'd0 );", ";"),
    "a stale quotient": ("( live | is_div ) & ( ~overwritten )", "live | is_div"),
    "jalr keeps bit 0": ("{ alu__sum[5'd31:5'd1], 1'd0 }", "alu__sum"),
    "bltu signed": ("      taken = less_unsigned ^ fn[2'd0];", "      taken = less ^ fn[2'd0];"),
    "sh in the low half": ("~offset[1'd1], ~offset[1'd1] };", "1'd1, 1'd1 };"),
}


def faulty(old: str, new: str) -> Translation:
    design = translate(ProcessorSystem("fast"))
    assert design.text.count(old) == 1, f"the Verilog has {design.text.count(old)} of: {old}"
    return replace(design, text=design.text.replace(old, new))


def failures(system: BatchSystem, timings: Iterable[Timing]) -> Iterable[Case]:
    for case in CASES:
        for timing in timings:
            try:
                if answers(system, case, timing)[0] == case.outputs:
                    continue
            except RunError:
                pass
            yield case


def check(old: str, new: str) -> None:
    system = BatchSystem(faulty(old, new))
    assert next(iter(failures(system, TIMINGS.values())), None) is not None
    system.close()


def test_no_fault_no_failure():
    system = BatchSystem(translate(ProcessorSystem("fast")))
    assert list(failures(system, TIMINGS.values())) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault: str):
    check(*FAULTS[fault])


@pytest.mark.long
@pytest.mark.parametrize("fault", MORE_FAULTS)
def test_another_fault(fault: str):
    check(*MORE_FAULTS[fault])
