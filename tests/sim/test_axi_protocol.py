"""The rules of the bus, one by one, and the pauses under which they are tried."""

import pytest

from fl.component.peripheral import PeripheralFL
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Access
from fl.peripheral_map import CAPABILITIES, INPUT_FIFO
from sim.axi_lite import BusMaster
from sim.axi_protocol import Pauses, ProtocolError, Watch
from sim.pins import PythonPins
from tests.pauses import RandomPauses

pytestmark = pytest.mark.quick

REFUSED = {
    "a response to an address alone": (("take", "aw"), ("see", "b", 1, 0, (0,))),
    "a response to data alone": (("take", "w"), ("see", "b", 1, 0, (0,))),
    "an answer to a write": (("take", "aw"), ("take", "w"), ("see", "r", 1, 1, (5, 0))),
    "two addresses": (("take", "aw"), ("take", "aw")),
    "two words": (("take", "w"), ("take", "w")),
    "two reads": (("take", "ar"), ("take", "ar")),
    "a second response": (
        ("take", "aw"),
        ("take", "w"),
        ("see", "b", 1, 1, (0,)),
        ("see", "b", 1, 0, (0,)),
    ),
    "a response that is withdrawn": (
        ("take", "aw"),
        ("take", "w"),
        ("see", "b", 1, 0, (0,)),
        ("see", "b", 0, 1, ()),
    ),
    "data that change": (("take", "ar"), ("see", "r", 1, 0, (5, 0)), ("see", "r", 1, 1, (4, 0))),
    "a verdict that changes": (
        ("take", "ar"),
        ("see", "r", 1, 0, (5, 0)),
        ("see", "r", 1, 1, (5, 2)),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_rule_that_is_broken(name: str):
    """By the last step, not by one before."""
    watch = Watch()
    *before, (last, *operands) = REFUSED[name]
    for step, *told in before:
        getattr(watch, step)(*told)
    with pytest.raises(ProtocolError):
        getattr(watch, last)(*operands)


def test_what_is_right():
    """Again and again, address and data in any order, reads beside writes."""
    watch = Watch()
    for first, second in (("aw", "w"), ("w", "aw"), ("aw", "w")):
        watch.take(first)
        watch.take("ar")
        watch.see("b", 0, 1, ())
        watch.take(second)
        watch.see("b", 1, 0, (2,))
        watch.see("r", 1, 1, (7, 0))
        watch.see("b", 1, 1, (2,))
        watch.see("b", 0, 1, ())


@pytest.mark.parametrize("longest", [1, 2, 5, 9])
def test_pauses_are_of_every_length(longest: int):
    pauses = RandomPauses(1, longest)
    drawn = [pauses("aw") for _ in range(2000)]
    assert set(drawn) == set(range(longest + 1))
    assert 900 < drawn.count(0) < 1100 + 1000 // (longest + 1)
    again = RandomPauses(1, longest)
    assert [again("r") for _ in range(2000)] == drawn
    assert [RandomPauses(2, longest)("aw") for _ in range(9)] != drawn[:9] or longest < 3


def test_when_ready_may_come():
    assert not Pauses.late
    assert not RandomPauses(1).late
    assert RandomPauses(1, late=True).late
    assert Pauses()("b") == 0


class On(Pauses):
    """Pauses on one channel for seven cycles, each time."""

    def __init__(self, channel: str) -> None:
        self.channel = channel

    def __call__(self, channel: str) -> int:
        return 7 * (channel == self.channel)


@pytest.mark.parametrize("channel", ["", "aw", "w", "ar", "b", "r"])
def test_a_master_pauses_before_each_transfer(channel: str):
    """Also before those behind the first."""
    master = BusMaster(PythonPins(PeripheralFL(40, mod_exp)))
    master.reset(On(channel))
    writes = channel in ("", "aw", "w", "b")
    access = Access(INPUT_FIFO, 7) if writes else Access(CAPABILITIES)
    made = [master.begin(access) for _ in range(4)]
    master.finish()
    times = [one.taken.get(channel, one.answered) for one in made]
    gaps = {after - before for before, after in zip(times, times[1:], strict=False)}
    assert (min(gaps) > 7) == bool(channel)
