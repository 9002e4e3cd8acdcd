"""DivRem at every level: values for every edge, cycles by the formula, its parameters."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl.div_rem import DivRemCL, div_latency
from eval.contract.check import check
from fl.div_rem import DivRemFL
from fl.messages import mk_div_msgs
from rtl.leaf.significant_bits import SignificantBits
from rtl.mul.div_rem import EARLY, DivRemRTL, DivRemStep
from sim.stream import NO_STALLS, STALLS, StreamRunner
from tests.cases import divide
from tests.harness import component_runner, model_level

SHAPES = [(8, 8), (32, 32), (13, 7), (64, 32)]


@cache
def runner(shape: tuple[int, int], early: str, level: str) -> StreamRunner:
    if level == "fl":
        return component_runner(DivRemFL(*shape), level)
    mk = {"cl": DivRemCL, "rtl": DivRemRTL}[model_level(level)]
    return component_runner(mk(*shape, early), level)


def run(shape, early, level, cases, stalls=NO_STALLS):
    # A dividend wider than the divisor has no answer to a division by 0.
    cases = [case for case in cases if case.b or shape[0] == shape[1]]
    Request, Response = mk_div_msgs(*shape)
    cycles = [div_latency(shape[0], case.a, case.b, early) for case in cases]
    # The remainder fits its port, since it is below the divisor.
    return check(
        runner(shape, early, level),
        [Request(case.a, case.b) for case in cases],
        [int(Response(*divide.expected(case)).to_bits()) for case in cases],
        [str(case) for case in cases],
        stalls,
        latency=(lambda i: cycles[i]) if level != "fl" else None,
        interval=(lambda i: cycles[i] + 1) if level != "fl" else None,
    )


@pytest.mark.quick
@pytest.mark.parametrize("early", EARLY)
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
@pytest.mark.parametrize("shape", SHAPES)
def test_edges(shape, level, early):
    run(shape, early, level, divide.edge_cases(*shape))


@pytest.mark.parametrize("early", EARLY)
@pytest.mark.parametrize("shape", SHAPES)
def test_random_in_verilog(shape, early):
    cases = divide.edge_cases(*shape) + divide.random_cases(*shape, count=1500, seed=1)
    run(shape, early, "batch", cases)


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
def test_any_stall(level, stalls):
    run((16, 8), "zeros", level, divide.random_cases(16, 8, count=20, seed=2), stalls)


@pytest.mark.quick
def test_every_division_of_6_by_6_bits():
    cases = [divide.DivCase(f"{a}/{b}", 6, 6, a, b) for a in range(64) for b in range(64)]
    run((6, 6), "zeros", "cl", cases)


@pytest.mark.parametrize("early", EARLY)
def test_every_division_of_8_by_8_bits(early):
    cases = [divide.DivCase(f"{a}/{b}", 8, 8, a, b) for a in range(256) for b in range(256)]
    run((8, 8), early, "batch", cases)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [2, 3, 7, 8, 9, 64, 100])
def test_significant_bits(nbits):
    unit = SignificantBits(nbits)
    unit.elaborate()
    from pymtl3 import DefaultPassGroup

    unit.apply(DefaultPassGroup())
    unit.sim_reset()

    @settings(max_examples=100, deadline=None, derandomize=True, database=None)
    @given(st.integers(0, nbits), st.integers(0, 2**nbits - 1))
    def check_word(size, word):
        unit.word @= word >> size
        unit.sim_eval_combinational()
        assert int(unit.count) == (word >> size).bit_length()

    check_word()


@pytest.mark.quick
def test_bad_parameters():
    with pytest.raises(ValueError, match="early must be one of none, zeros, not 'some'"):
        DivRemRTL(8, 8, "some").elaborate()
    with pytest.raises(ValueError, match=r"divisor_bits \(9\) must not exceed dividend_bits \(8\)"):
        DivRemRTL(8, 9).elaborate()


@pytest.mark.quick
def test_step_is_one_digit_of_long_division():
    step = DivRemStep(5)
    step.elaborate()
    from pymtl3 import DefaultPassGroup

    step.apply(DefaultPassGroup())
    for divisor in range(1, 32):
        for remainder in range(divisor):
            for bit in (0, 1):
                step.remainder @= remainder
                step.bit_in @= bit
                step.divisor @= divisor
                step.sim_eval_combinational()
                expected = divmod(2 * remainder + bit, divisor)
                assert (int(step.bit_out), int(step.next)) == expected
