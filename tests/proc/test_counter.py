"""The counter's carry from its lower to its upper word."""

from random import Random

import pytest
from pymtl3 import DefaultPassGroup

from proc.rtl.counter import Counter


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [2, 3])
def test_counter(nbits: int):
    counter = Counter(nbits)
    counter.apply(DefaultPassGroup())
    counter.sim_reset()
    random, count = Random(nbits), 0
    for _ in range(300):
        counter.step @= random.randrange(2)
        counter.sim_eval_combinational()
        assert int(counter.high) << nbits | int(counter.low) == count % (1 << 2 * nbits)
        count += int(counter.step)
        counter.sim_tick()
    assert count > 1 << 2 * nbits  # it went round
