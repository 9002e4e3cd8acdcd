"""Multipliers that go through their operands a word at a time, a product of 4 bits in two words."""

from collections.abc import Iterable
from typing import Any

import pytest

from eval.contract import multiplier
from sim.stream import STALLS, SimulationTimeout, Stalls
from tests.harness import component_runner

NBITS, WORD = 4, 2
CASES = multiplier.random_cases(NBITS, 60, seed=45)
CASES += [
    multiplier.MulCase(f"{a} * {b} mod {m}", NBITS, a, b, m)
    for a, b, m in ((15, 15, 15), (14, 15, 15), (1, 15, 1), (0, 0, 1), (8, 11, 8), (15, 1, 15))
]


def check_unit(component: Any, unit: Any, late_sink: Stalls, broken_off: Iterable[int]) -> None:
    """Compare products, also for a late sink, and after ones that a reset broke off."""
    Request, _ = unit.messages
    cases = multiplier.taken(unit, CASES)
    with component_runner(component) as runner:
        for some, stalls in ((cases, STALLS["none"]), (cases[:8], late_sink)):
            multiplier.check_multiplier(runner, unit, some, stalls, 100 * len(some))
        for cycles in broken_off:
            with pytest.raises(SimulationTimeout):
                runner.run([Request(14, 15, 15)], max_cycles=cycles)
            multiplier.check_multiplier(runner, unit, cases[-6:-4], STALLS["none"], 300)


def check_size_of_words(unit: Any) -> None:
    """Compare edge cases and random ones."""
    cases = multiplier.edge_cases(unit.nbits) + multiplier.random_cases(unit.nbits, 100, seed=46)
    with component_runner(unit.rtl(), "batch") as runner:
        multiplier.check_multiplier(runner, unit, multiplier.taken(unit, cases))
