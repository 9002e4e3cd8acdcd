"""The rules of the bus, one by one, and the pauses under which they are tried."""

import pytest
from pymtl3 import Wire, update_ff

from fl.axi_lite import PREFIX
from fl.component.axi_lite import Channels
from fl.component.peripheral import PeripheralFL
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Access
from fl.peripheral_map import CAPABILITIES, INPUT_FIFO
from sim.axi_lite import BusMaster
from sim.axi_protocol import APART, STAYS, Pauses, ProtocolError, Watch
from sim.pins import PythonPins
from tests.pauses import RandomPauses

pytestmark = pytest.mark.quick

REFUSED = {
    "a response to an address alone": (
        (("take", "aw"), ("see", "b", 1, 0, (0,))),
        "bvalid in cycle 0: an answer to no request",
    ),
    "a response to data alone": (
        (("take", "w"), ("see", "b", 1, 0, (0,))),
        "bvalid in cycle 0: an answer to no request",
    ),
    "an answer to a write": (
        (("take", "aw"), ("take", "w"), ("see", "r", 1, 1, (5, 0))),
        "rvalid in cycle 0: an answer to no request",
    ),
    "two addresses": (
        (("see", "b", 0, 0, ()), ("take", "aw"), ("see", "b", 0, 0, ()), ("take", "aw")),
        "awready in cycle 1: takes a request while another is outstanding",
    ),
    "two words": ((("see", "r", 0, 0, ()), ("take", "w"), ("take", "w")), "wready in cycle 0: "),
    "two reads": ((("see", "r", 0, 0, ()), ("take", "ar"), ("take", "ar")), "arready in cycle 0: "),
    "a second response": (
        (("take", "aw"), ("take", "w"), ("see", "b", 1, 1, (0,)), ("see", "b", 1, 0, (0,))),
        "bvalid in cycle 1: an answer to no request",
    ),
    "a response that is withdrawn": (
        (("take", "aw"), ("take", "w"), ("see", "b", 1, 0, (0,)), ("see", "b", 0, 1, ())),
        f"bvalid fell in cycle 1 before the answer was taken: {STAYS}",
    ),
    "data that change": (
        (("take", "ar"), ("see", "r", 1, 0, (5, 0)), ("see", "r", 1, 1, (4, 0))),
        f"rdata changed from 0x5 to 0x4 in cycle 1 before the answer was taken: {STAYS}",
    ),
    "a verdict that changes": (
        (("take", "ar"), ("see", "r", 1, 0, (5, 0)), ("see", "r", 1, 1, (5, 2))),
        f"rresp changed from 0x0 to 0x2 in cycle 1 before the answer was taken: {STAYS}",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_rule_that_is_broken(name: str):
    """By the last step, not by one before; signal and cycle are named."""
    watch = Watch()
    (*before, (last, *operands)), says = REFUSED[name]
    for step, *told in before:
        getattr(watch, step)(*told)
    with pytest.raises(ProtocolError) as caught:
        getattr(watch, last)(*operands)
    assert str(caught.value).startswith(says)


class Follows(PeripheralFL):
    """A peripheral of which an output follows an input in the cycle in which `now` is 0."""

    def construct(s, output: str, given: str):
        super().construct(40, mod_exp)
        s.now = Wire(8)

        @update_ff
        def count():
            s.now <<= 4 if s.reset else s.now - 1

        # In the place of the block that drives the ports.
        def drive(bus) -> None:
            for name, value in Channels.outputs(s.channels).items():
                port = getattr(bus, PREFIX + name)
                port @= value
            if s.now == 0 and not getattr(bus, PREFIX + given):
                port = getattr(bus, PREFIX + output)
                port @= 0

        s.driven = drive


@pytest.mark.parametrize(
    ("output", "given", "cycle"),
    [("awready", "awvalid", 4), ("arready", "arvalid", 4), ("awready", "bready", 4)],
)
def test_an_output_that_follows_an_input(monkeypatch, output: str, given: str, cycle: int):
    """Within a cycle; by hand: `now` is 4 in cycle 0."""
    monkeypatch.setattr(Channels, "drive", lambda self, bus: bus.driven(bus))
    master = BusMaster(PythonPins(Follows(output, given)), "toy")
    master.idle(cycle)
    with pytest.raises(ProtocolError) as caught:
        master.access(Access(INPUT_FIFO, 7) if given == "awvalid" else Access(CAPABILITIES))
    said = f"toy: {output} depends on {given} within cycle {cycle}: {APART}"
    assert str(caught.value) == said


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
