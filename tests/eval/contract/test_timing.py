"""What designs declare that their time tells, refuted or confirmed by experiment at RTL."""

from dataclasses import replace
from pathlib import Path

import pytest

import rtl.exp.ssmm_shared
from cl.exponentiator import BITS, FACTORS
from cl.organisation import Organisation
from eval.catalog import DESIGNS, find
from eval.catalog.design import Design
from eval.contract.timing import experiment, tell
from eval.skeleton import entry as skeleton
from fl.schedule import RIGHT_TO_LEFT_ALWAYS
from rtl.exp.organised import organised
from rtl.mul.mul_rem import MulRem
from sim.errors import RunError
from sim.stream import StreamRunner
from tests.faults import faults, plant

NBITS, REQUESTS = 8, 4000
OTHERS = (find("array-4-kept"), *skeleton.DESIGNS)


@pytest.mark.parametrize("design", [*DESIGNS.values(), *OTHERS], ids=lambda design: design.name)
def test_time_tells_what_the_design_declares_and_nothing_else(design: Design):
    declared = design.at(NBITS).time_tells
    assert tuple(tell(design, NBITS, REQUESTS)) == declared
    assert design.constant_time == (declared == ())


@pytest.mark.quick
@pytest.mark.parametrize("forward", ["yes", "no"])
@pytest.mark.parametrize("interval", [3, 4, 5])
def test_a_unit_that_rests_longer_than_the_loop_tells_the_bits(interval: int, forward: str):
    """The loop asks again after 4 cycles or 5: in 4, only 0 bits give a unit of 5 time to rest."""
    exponentiator = find(f"what-if(latency=4,interval={interval},forward={forward})").at(NBITS)
    Request, _ = exponentiator.messages
    requests = [Request(77, exp, 251) for exp in (0b1000_0000, 0b1010_1101, 0b1111_1111)]
    with StreamRunner(exponentiator.cl(), "cl") as runner:
        cycles = {transfer.cycles for transfer in runner.run(requests)}
    tells = interval == 5 and forward == "yes"
    assert (len(cycles) > 1) == (BITS in exponentiator.time_tells) == tells


def test_two_requests_of_a_pair_differ_in_one_thing():
    drawn = experiment(find("mont-best"), NBITS, REQUESTS)
    assert [*drawn.pairs] == [*FACTORS]
    what = {
        "base": lambda base, exp, mod: (exp, mod),
        "length": lambda base, exp, mod: (base, mod),
        "bits": lambda base, exp, mod: (base, exp.bit_length(), mod),
        "modulus": lambda base, exp, mod: (base, exp),
        "before": lambda *operands: operands,
    }
    moduli = [mod for *_, mod in drawn.requests]
    for factor, pairs in drawn.pairs.items():
        assert len(pairs) == REQUESTS // 10
        for first, second in pairs:
            same = what[factor]
            assert same(*drawn.requests[first]) == same(*drawn.requests[second]), factor
            assert moduli[first - 1] != moduli[first] or first == 0
            assert (moduli[second - 1] == moduli[second]) == (factor == "before")
    ones = [
        [drawn.requests[i][1].bit_count() for i in pair]
        for pair in drawn.pairs["length"]
        if all(drawn.requests[i][1] for i in pair)
    ]
    assert all(first == second for first, second in ones)


SKIPS = "if s.skip_all:"
DEPENDENCES = {
    "length": (SKIPS, "if s.recv.msg.exp == 0:"),
    "modulus": (SKIPS, "if s.recv.msg.mod == 1:"),
    "base": (SKIPS, "if (s.recv.msg.base == 1) & (s.recv.msg.mod > 1):"),
}


@faults(DEPENDENCES)
def test_a_planted_dependence_is_found(tmp_path: Path, sound: str, faulty: str):
    """The answers are right, sooner."""
    takes = find("ssmm-ct").at(NBITS).takes
    broken = plant(tmp_path, rtl.exp.ssmm_shared, sound, faulty)
    design = replace(
        find("ssmm-ct"), make=lambda nbits: broken.SsmmShared(nbits, takes, 1, always=True)
    )
    found = tell(design, NBITS, REQUESTS)
    [planted] = [name for name, row in DEPENDENCES.items() if row == (sound, faulty)]
    assert planted in found
    for first, second in found.values():
        assert 1 in (first[3], second[3])
        assert first[3] != second[3]


def test_a_wrong_answer_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("eval.contract.timing.pow", lambda *_: 3, raising=False)
    with pytest.raises(RunError, match=r"ssmm-ct-8: \(\d+, \d+, \d+\) was answered"):
        tell(find("ssmm-ct"), NBITS, 100)


def test_a_loop_of_constant_time_is_refused_a_multiplier_that_is_not():
    """Found by a campaign: it declared constant time, and had no time for modulus 0."""
    with pytest.raises(ValueError, match="asks for a multiplier of constant time"):
        organised(MulRem(NBITS), Organisation(RIGHT_TO_LEFT_ALWAYS, entry="at-once"))
