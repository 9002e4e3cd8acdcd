"""The rules of a stream, one by one, at every level: what breaks one is named, with signal and
cycle; what keeps them never is."""

from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymtl3 import Component, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

import rtl.port.xcel
from eval.catalog import find
from eval.contract.xcel import packed
from fl.xcel import requests_for
from sim.handshake import OFFER, READY, STAYS, HandshakeError, probes_in
from sim.stream import LEVELS, NO_STALLS, STALLS, SimulationTimeout, Stalls, StreamRunner, Transfer
from tests import toys
from tests.faults import plant
from tests.toys import BROKEN, CHANGES, FALLS, MESSAGE, VALID, OddCL, OddRTL, odd

HARDWARE = LEVELS[2:]
WORD = 0x1F
# By hand: taken in cycle 0, answered from cycle 3 on, taken in cycle 6.
LATE = Stalls("late", (0,), (6,))
# Which rule the toy breaks, in which cycle, and what is said of it.
FAULTS = {
    "val falls": (
        *(FALLS, 5, LATE, "send.val", STAYS),
        "send.val fell in cycle 5 before the message was taken",
    ),
    "msg changes": (
        *(CHANGES, 6, LATE, "send.msg", STAYS),
        "send.msg changed from 0x1f to 0xe0 in cycle 6 before it was taken (send.val=1 and "
        "send.rdy=0 in cycle 5)",
    ),
    "rdy depends on val": (
        *(toys.READY, 0, LATE, "recv.rdy", READY),
        "recv.rdy depends on recv.val within cycle 0",
    ),
    "val depends on rdy": (
        *(VALID, 6, LATE, "send.val", OFFER),
        "send.val depends on send.rdy within cycle 6",
    ),
    "msg depends on rdy": (
        *(MESSAGE, 3, NO_STALLS, "send.msg", OFFER),
        "send.msg depends on send.rdy within cycle 3",
    ),
}


def toy(level: str) -> Component:
    return OddCL(3) if level in ("fl", "cl") else OddRTL()


@cache
def shared(level: str) -> StreamRunner:
    """For levels at which any run is probed."""
    return StreamRunner(toy(level), level)


def runner_of(level: str) -> StreamRunner:
    """What runs once per cycle is looked at in its first run."""
    return shared(level) if level in HARDWARE else StreamRunner(toy(level), level)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_that_is_broken(level: str, name: str) -> None:
    fault, at, stalls, signal, rule, said = FAULTS[name]
    with pytest.raises(HandshakeError) as caught:
        runner_of(level).run([odd(fault, at, WORD)], stalls)
    error = caught.value
    assert (error.signal, error.cycle, error.rule, error.received) == (signal, at, rule, 0)
    own = "OddRTL" if level in HARDWARE else "OddCL"
    assert str(error) == f"{own} ({level}): {said}: {rule}"


@pytest.mark.parametrize("level", LEVELS)
def test_the_request_of_a_broken_rule(level: str) -> None:
    """The second one's response changes in the second of the cycles in which it waits."""
    stalls = Stalls("by hand", (0,), (0, 5))
    runner = runner_of(level)
    assert runner.run([odd(0, 0, 1), odd(0, 0, 2)], stalls)[1] == Transfer(2, 4, 9)
    with pytest.raises(HandshakeError, match="0x2 to 0xfd in cycle 8 ") as caught:
        runner.run([odd(0, 0, 1), odd(CHANGES, 8, 2)], stalls)
    assert caught.value.received == 1


@pytest.mark.parametrize("level", LEVELS)
def test_a_response_that_is_lost(level: str) -> None:
    """Which request waits first is named, with the cycle in which it was accepted."""
    requests = [odd(0, 0, 9), odd(0, 0, 8), odd(0, 0, 7)]
    with pytest.raises(SimulationTimeout) as caught:
        runner_of(level).run(requests, max_cycles=7)
    said = "1 of 3 responses after 7 cycles; request 2 (accepted in cycle 4) got no response; last:"
    assert said in str(caught.value)
    assert (caught.value.received, caught.value.accepted) == (1, 4)
    assert caught.value.transfers == (Transfer(9, 0, 3),)
    with pytest.raises(SimulationTimeout, match="after 1 cycles; request 1 was not accepted; last"):
        runner_of(level).run(requests, Stalls("late", (5,), (0,)), max_cycles=1)


PORT_FAULTS = {
    "ready for a request": (
        "s.xcel.req.rdy @= s.free & (",
        "s.xcel.req.rdy @= s.xcel.req.val & s.free & (",
        r"xcel\.req\.rdy depends on xcel\.req\.val within cycle 0: ",
    ),
    "no wait": (
        "            elif s.free:\n                s.owes <<= s.taken",
        "            else:\n                s.owes <<= s.taken",
        r"xcel\.resp\.val fell in cycle \d+ before",
    ),
    "words go on": (
        "s.owes & s.pops & s.xcel.resp.rdy",
        "s.owes & s.pops",
        r"xcel\.resp\.msg changed from 0x\w+ to 0x\w+ in cycle \d+ before",
    ),
}


@pytest.mark.parametrize("name", PORT_FAULTS)
def test_an_accelerators_port(tmp_path: Path, name: str) -> None:
    """Its rdy may depend on what a request asks for, and not on whether there is one."""
    sound, faulty, said = PORT_FAULTS[name]
    exponentiator = find("ssmm-small").at(40)
    requests = packed(requests_for(40, 0x123456789A, 5, 0xABCDEF0123))
    broken = plant(tmp_path, rtl.port.xcel, sound, faulty)
    for port, caught in (
        (rtl.port.xcel, nullcontext()),
        (broken, pytest.raises(HandshakeError, match=said)),
    ):
        component = port.XcelRTL(exponentiator)
        with StreamRunner(component, "rtl", "xcel.req", "xcel.resp") as runner, caught:
            runner.run(requests, STALLS["slow-sink"])


def in_turn(requests: list[int], stalls: Stalls) -> list[Transfer]:
    """The transfers of a toy that breaks no rule, by arithmetic."""
    found: list[Transfer] = []
    free = sink = source = 0
    for i, request in enumerate(requests):
        source += stalls.request[i % len(stalls.request)]
        accepted = max(source, free)
        sink += stalls.response[i % len(stalls.response)]
        arrived = max(accepted + 3, sink)
        found.append(Transfer(request & 255, accepted, arrived))
        free, source, sink = arrived + 1, accepted + 1, arrived + 1
    return found


waits = st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple)
some_stalls = st.builds(lambda a, b: Stalls("drawn", a, b), waits, waits)
some_words = st.lists(st.integers(0, 255), min_size=1, max_size=3)


@pytest.mark.parametrize("level", ["rtl", "batch"])
@given(words=some_words, stalls=some_stalls, data=st.data())
@settings(max_examples=40, deadline=None)
def test_random_stalls(level: str, words: list[int], stalls: Stalls, data: st.DataObject) -> None:
    """What breaks no rule is never said to; what breaks one in a cycle in which that shows is, in
    that cycle."""
    requests = [odd(0, 0, word) for word in words]
    runner = shared(level)
    found = runner.run(requests, stalls)
    assert found == in_turn(requests, stalls)
    number = data.draw(st.integers(0, len(words) - 1))
    fault = data.draw(st.sampled_from(BROKEN))
    one = found[number]
    first = {toys.READY: one.accepted, FALLS: one.accepted + 4, CHANGES: one.accepted + 4}
    last = one.accepted if fault == toys.READY else one.arrived
    cycles = range(first.get(fault, one.accepted + 3), last + 1)
    if not cycles:  # it is taken at once, and can neither fall nor change
        return
    at = data.draw(st.sampled_from(cycles))
    requests[number] = odd(fault, at, words[number])
    with pytest.raises(HandshakeError) as caught:
        runner.run(requests, stalls)
    assert (caught.value.cycle, caught.value.received) == (at, number)


@pytest.mark.quick
def test_when_a_run_is_probed() -> None:
    """At first always, then now and then, and in the cycles in which a message is taken, unless
    these are many."""
    for between in (1, 100):
        probed: list[int] = []
        for cycle in range(10_000):
            if probes_in(cycle, cycle % between == 0, len(probed)):
                probed.append(cycle)
        assert probed[:32] == [*range(32)]
        others = [cycle for cycle in probed[32:] if cycle % between]
        if between == 1:
            assert 0 <= len(probed) - 32 - 10_000 // 32 <= 1
        else:
            assert len(probed) - 32 - len(others) == 99
            assert 120 < len(others) < 180


class OnRdyRTL(Component):
    """Echoes a word in the next cycle, but its opposite to a rdy in the cycle that the word names:
    only who drives another rdy in that cycle sees that the message depends on it."""

    def construct(s) -> None:
        s.recv = RecvIfcRTL(mk_bits(9))  # that rdy, and the cycle
        s.send = SendIfcRTL(mk_bits(9))
        s.now = Wire(8)
        s.busy = Wire()
        s.word = Wire(9)

        @update
        def up_ports():
            s.recv.rdy @= ~s.busy
            s.send.val @= s.busy
            s.send.msg @= s.word
            if (s.word[0:8] == s.now) & (s.word[8] == s.send.rdy):
                s.send.msg @= ~s.word

        @update_ff
        def up_state():
            if s.reset:
                s.now <<= 0
                s.busy <<= 0
            else:
                s.now <<= s.now + 1
                if s.recv.val & s.recv.rdy:
                    s.busy <<= 1
                    s.word <<= s.recv.msg
                elif s.send.val & s.send.rdy:
                    s.busy <<= 0


@pytest.mark.parametrize("level", ["rtl", "batch"])
@pytest.mark.parametrize("wait", [70, 100, 250, 0])
def test_which_cycles_are_probed(level: str, wait: int) -> None:
    """Of a response that waits, and of messages in each cycle: those that `probes_in` names, at
    every level."""
    count = 1 if wait else 60
    last = wait or 2 * count - 1
    taken = {0, wait} if wait else {*range(last + 1)}
    probed: set[int] = set()
    for cycle in range(last + 1):
        if probes_in(cycle, cycle in taken, len(probed)):
            probed.add(cycle)
    offered = {*range(1, last + 1, 1 if wait else 2)}  # what is offered shows whether it depends
    assert last in probed or not wait
    found = {}
    with StreamRunner(OnRdyRTL(), level) as runner:
        for at in range(1, last + 1):
            try:
                word = at | (0 < at < wait) << 8
                runner.run([word] * count, Stalls("told", (0,), (wait,)))
            except HandshakeError as error:
                found[at] = error.cycle, error.rule
    assert found == {at: (at, OFFER) for at in probed & offered}
