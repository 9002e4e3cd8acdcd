"""What the drivers do to a unit: stalls of every length, each order of address and data, an end
that is watched for long enough. A weaker driver finds fewer faults, and no other test tells."""

from collections import Counter
from itertools import pairwise

import pytest
from pymtl3 import Bits8, Component, Wire, b8, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.component.peripheral import PeripheralFL
from fl.exponentiator import mod_exp
from sim.axi_lite import CHANNELS, BusMaster
from sim.axi_protocol import PAYLOADS, REQUESTS
from sim.pins import PythonPins
from sim.stream import STALLS, SpuriousResponse, Stalls, StreamRunner, random_stalls
from sim.transfers import DRAIN_CYCLES
from tests.bus_traffic import disturb
from tests.pauses import RandomPauses

NBITS = 102


class AgainRTL(Component):
    """Answers in the next cycle, and so many cycles after that once more."""

    def construct(s, later: int) -> None:
        s.recv = RecvIfcRTL(Bits8)
        s.send = SendIfcRTL(Bits8)
        s.age = Wire(8)
        s.kept = Wire(8)
        most = b8(later + 2)
        last = b8(later + 1)

        @update
        def ports():
            s.recv.rdy @= s.age == 0
            s.send.val @= (s.age == 1) | (s.age == last)
            s.send.msg @= s.kept

        @update_ff
        def follow():
            if s.reset:
                s.age <<= 0
            elif s.age == 0:
                s.age <<= zext(s.recv.val, 8)
                s.kept <<= s.recv.msg
            elif s.age != most:
                s.age <<= s.age + 1


@pytest.mark.parametrize("level", ["rtl", "batch"])
def test_the_end_is_watched(level: str):
    """The last cycle in which a response too many is found, and the next, which nobody watches."""
    with StreamRunner(AgainRTL(DRAIN_CYCLES), level) as runner:
        late = f"response 2 in cycle {1 + DRAIN_CYCLES}, but only 1 "
        with pytest.raises(SpuriousResponse, match=late):
            runner.run([7])
    with StreamRunner(AgainRTL(DRAIN_CYCLES + 1), level) as runner:
        assert [transfer.response for transfer in runner.run([7])] == [7]


@pytest.mark.quick
def test_stalls_are_of_every_length():
    for side in ("request", "response"):
        waits = Counter(getattr(random_stalls(1), side) + getattr(random_stalls(2), side))
        assert set(waits) == set(range(10))
        assert sum(waits.values()) == 2 * 61
        assert 55 <= waits[0] <= 80
        assert set(getattr(random_stalls(3, longest=2, length=200), side)) == {0, 1, 2}
    assert list(STALLS) == ["none", "slow-source", "slow-sink", "slow-both", "random-1", "random-2"]
    drawn = random_stalls(1)
    assert STALLS["random-1"] == drawn
    assert drawn.request != drawn.response
    slow = STALLS["slow-source"], STALLS["slow-sink"], STALLS["slow-both"]
    assert [max(stalls.request) for stalls in slow] == [11, 0, 5]
    assert [max(stalls.response) for stalls in slow] == [0, 13, 8]


@pytest.mark.parametrize("level", [pytest.param("rtl", marks=pytest.mark.quick), "batch"])
def test_a_wait_is_as_long_as_it_says(level: str):
    """By hand, of a unit that answers a cycle later."""
    with StreamRunner(AgainRTL(200), level) as runner:
        for wait in (0, 1, 2, 9, 13):
            (transfer,) = runner.run([7], Stalls("one", (wait,), (0,)))
            assert (transfer.accepted, transfer.arrived) == (wait, wait + 1)


@pytest.mark.quick
@pytest.mark.parametrize("channel", CHANNELS)
def test_pauses_are_of_every_length(channel: str):
    pauses = RandomPauses(1)
    drawn = Counter(pauses(channel) for _ in range(400))
    assert set(drawn) == set(range(6))
    assert 200 < drawn[0] < 270
    assert {RandomPauses(1, longest=2)(channel) for _ in range(40)} <= {0, 1, 2}
    assert not pauses.late
    assert RandomPauses(1, late=True).late


def recorded(late: bool, seeds: range) -> list[dict[str, tuple[int, int]]]:
    """Valid and ready of all channels, cycle by cycle, in traffic; {} where a reset begins."""
    pins = PythonPins(PeripheralFL(NBITS, mod_exp))
    found: list[dict[str, tuple[int, int]]] = []
    edge = pins.edge

    def noted() -> None:
        now = {
            channel: tuple(pins.value(f"s_axi_{channel}{wire}") for wire in ("valid", "ready"))
            for channel in (*REQUESTS, *PAYLOADS)
        }
        now["random"] = (pins.value("random_valid"), pins.value("random_ready"))
        found.append({} if int(pins.component.reset) else now)
        edge()

    pins.edge = noted
    master = BusMaster(pins)
    for seed in seeds:
        disturb(master, NBITS, seed, 100, late)
    return found


@pytest.mark.quick
def test_ready_comes_late_if_it_is_to():
    """Only where valid stood in the cycle before and was not taken; otherwise before valid, too."""
    for late in (False, True):
        cycles = recorded(late, range(2))
        early = 0
        for before, now in pairwise(cycles):
            for channel in PAYLOADS:
                if now and now[channel][1]:
                    early += not before or before[channel] != (1, 0)
        assert (early == 0) == late


def bins(cycles: list[dict[str, tuple[int, int]]]) -> set[tuple[str, str]]:
    """Which situations of the bus there were."""
    found = set()
    taken: dict[str, int | None] = {}
    for number, now in enumerate(cycles):
        if not now:
            taken = {}
            continue
        fired = {channel for channel, both in now.items() if both == (1, 1)}
        for channel, (valid, ready) in now.items():
            found.add((channel, ("idle", "ready first", "valid first", "taken")[2 * valid + ready]))
        taken |= dict.fromkeys(fired, number)
        if "aw" in taken and "w" in taken and fired & {"aw", "w"}:
            gap = taken["aw"] - taken["w"]
            found.add(
                ("write", "together" if not gap else "data first" if gap > 0 else "data last")
            )
        if "b" in fired:
            taken.pop("aw", None)
            taken.pop("w", None)
            found.add(("b", "beside a read" if "ar" in taken else "alone"))
        if "r" in fired:
            found.add(("r", "beside a write" if "aw" in taken or "w" in taken else "alone"))
            taken.pop("ar", None)
    return found


@pytest.mark.quick
def test_traffic_drives_every_order():
    """Address and data in each order, each channel ready before and after it is valid, reads beside
    writes and alone: at one seed of several of late ready and not."""
    found = bins(recorded(False, range(3)) + recorded(True, range(3)))
    wanted = {("write", order) for order in ("together", "data first", "data last")}
    wanted |= {(c, how) for c in CHANNELS for how in ("idle", "taken", "ready first")}
    wanted |= {(c, "valid first") for c in CHANNELS}
    wanted |= {
        (c, beside)
        for c, other in (("b", "read"), ("r", "write"))
        for beside in ("alone", f"beside a {other}")
    }
    assert wanted - found == set()
