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


@pytest.mark.quick
def test_a_reset_counts_anew():
    """Both words, from any count, be a step asked for in that cycle or not."""
    counter = Counter(2)
    counter.apply(DefaultPassGroup())
    counter.sim_reset()
    for steps in range(17):
        counter.step @= 1
        for _ in range(steps):
            counter.sim_tick()
        counter.step @= steps % 2
        counter.reset @= 1
        counter.sim_tick()
        counter.reset @= 0
        counter.step @= 1
        for count in range(9):
            counter.sim_eval_combinational()
            assert (int(counter.high), int(counter.low)) == divmod(count, 4)
            counter.sim_tick()
