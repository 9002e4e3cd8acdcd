"""One driver, five levels: equal transfers under all stalls, and no failure goes unseen."""

import random
from functools import cache

import pytest
from pymtl3 import Component

from sim import batch_stream
from sim.stream import (
    LEVELS,
    NO_STALLS,
    STALLS,
    SimulationTimeout,
    SpuriousResponse,
    Stalls,
    StreamRunner,
    Transfer,
    random_stalls,
)
from tests.toys import (
    HANGS,
    REPEATS,
    REPEATS_LATE,
    AddCL,
    AddFL,
    AddRTL,
    FaultyRTL,
    ShuffleRTL,
    add,
    mk_add_msgs,
    shuffle,
)

LATENCY = 3
WIDTHS = (8, 4096)
TIMED = LEVELS[1:]
HARDWARE = LEVELS[2:]


def adder(level: str, nbits: int) -> Component:
    if level == "fl":
        return AddFL(nbits)
    return (AddCL if level == "cl" else AddRTL)(nbits, LATENCY)


@cache
def adder_runner(level: str, nbits: int) -> StreamRunner:
    return StreamRunner(adder(level, nbits), level)


@cache
def shuffle_runner(level: str) -> StreamRunner:
    return StreamRunner(ShuffleRTL(1030), level)


@cache
def faulty_runner(level: str) -> StreamRunner:
    return StreamRunner(FaultyRTL(), level, "port.req", "port.resp", name="case seven")


def some_requests(nbits: int, count: int) -> list[int]:
    rng = random.Random(nbits)
    ones = (1 << 2 * nbits) - 1
    return [0, ones, *(rng.getrandbits(2 * nbits) for _ in range(count - 2))]


@pytest.mark.parametrize("nbits", WIDTHS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("stalls", STALLS.values(), ids=STALLS)
def test_values_under_stalls(level: str, nbits: int, stalls: Stalls) -> None:
    requests = some_requests(nbits, 12)
    transfers = adder_runner(level, nbits).run(requests, stalls)
    assert [t.response for t in transfers] == [add(nbits, r) for r in requests]


@pytest.mark.parametrize("nbits", WIDTHS)
@pytest.mark.parametrize("level", TIMED[1:])
@pytest.mark.parametrize("stalls", STALLS.values(), ids=STALLS)
def test_the_same_cycles_as_cl(level: str, nbits: int, stalls: Stalls) -> None:
    requests = some_requests(nbits, 12)
    expected = adder_runner("cl", nbits).run(requests, stalls)
    assert adder_runner(level, nbits).run(requests, stalls) == expected


@pytest.mark.parametrize("level", TIMED)
def test_cycle_numbers(level: str) -> None:
    """By hand: cycle 0 is the first after reset; waits are counted as documented."""
    runner = adder_runner(level, 8)
    assert runner.run([0x0102, 0x0304]) == [Transfer(3, 0, 4), Transfer(7, 5, 9)]
    waits = Stalls("by hand", (2, 1), (6, 0))
    assert runner.run([0x0102, 0x0304], waits) == [Transfer(3, 2, 6), Transfer(7, 7, 11)]
    assert [t.cycles for t in runner.run([0x0102] * 3)] == [4, 4, 4]


@pytest.mark.parametrize("level", HARDWARE)
@pytest.mark.parametrize("stalls", STALLS.values(), ids=STALLS)
def test_combinational_unit(level: str, stalls: Stalls) -> None:
    """Request and response in one cycle; a for loop and a wide shift, beyond 1023 bits."""
    rng = random.Random(7)
    places = (0, 1, 5, 31, 32, 512, 1029, 1030, (1 << 1030) - 1)
    requests = [rng.getrandbits(1030) << 1030 | p for p in places]
    transfers = shuffle_runner(level).run(requests, stalls)
    assert [t.response for t in transfers] == [shuffle(1030, r) for r in requests]
    assert all(t.cycles == 0 for t in transfers)


@pytest.mark.quick
@pytest.mark.parametrize("level", LEVELS)
def test_message_objects_and_ints_are_the_same(level: str) -> None:
    Request, _ = mk_add_msgs(8)
    runner = adder_runner(level, 8)
    assert runner.run([Request(200, 100)]) == runner.run([200 << 8 | 100])


@pytest.mark.parametrize("level", HARDWARE)
def test_timeout_names_the_case_and_shows_the_end(level: str) -> None:
    with pytest.raises(SimulationTimeout, match=r"case seven .*: 1 of 3 responses after 40") as e:
        faulty_runner(level).run([1, HANGS, 2], max_cycles=40)
    assert len(e.value.last) == 10
    assert [line.split(":")[0].strip() for line in e.value.last] == [str(c) for c in range(30, 40)]
    assert (e.value.received, e.value.wanted, e.value.cycle) == (1, 3, 40)
    # and the next run starts afresh
    assert [t.response for t in faulty_runner(level).run([5, 6])] == [5, 6]


@pytest.mark.parametrize("level", LEVELS)
def test_reset_forgets_what_was_under_way(level: str) -> None:
    runner = adder_runner(level, 8)
    expected = runner.run([0x0102])
    with pytest.raises(SimulationTimeout, match=r"0 of 1 responses after 1 cycles"):
        runner.run([0x7001], max_cycles=1)
    assert runner.run([0x0102]) == expected


@pytest.mark.parametrize("level", HARDWARE)
def test_max_cycles_is_exact(level: str) -> None:
    runner = adder_runner(level, 8)
    assert len(runner.run([1, 2], max_cycles=10)) == 2
    with pytest.raises(SimulationTimeout, match="1 of 2 responses after 9 cycles"):
        runner.run([1, 2], max_cycles=9)


@pytest.mark.parametrize("value", [REPEATS, REPEATS_LATE])
@pytest.mark.parametrize("level", HARDWARE)
def test_a_response_too_many(level: str, value: int) -> None:
    runner = faulty_runner(level)
    late = 2 if value == REPEATS else 3
    with pytest.raises(SpuriousResponse, match=rf"response 2 in cycle {late}, but only 1 "):
        runner.run([value])
    with pytest.raises(SpuriousResponse, match="response 2 in cycle"):
        runner.run([value, 1, 2])  # while requests are still waiting


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_to_check_is_an_error(level: str) -> None:
    with pytest.raises(ValueError, match="no requests"):
        adder_runner(level, 8).run([])


@pytest.mark.parametrize("level", ["rtl", "batch"])
@pytest.mark.parametrize("request_value", [1 << 16, -1])
def test_a_request_that_does_not_fit(level: str, request_value: int) -> None:
    with pytest.raises(ValueError, match="request 1 does not fit the port's 16 bits"):
        adder_runner(level, 8).run([0, request_value])


@pytest.mark.parametrize("level", LEVELS)
def test_trace_has_a_line_a_cycle(level: str) -> None:
    lines: list[str] = []
    transfers = adder_runner(level, 8).run([0x1122, 0x3344], trace=lines.append)
    assert [int(line.split(":")[0]) for line in lines] == list(range(transfers[-1].arrived + 1))
    assert "1122" in lines[0].replace(":", "")


@pytest.mark.parametrize("cycles", [1, 2, 7])
def test_a_run_in_pieces_is_that_in_one(monkeypatch: pytest.MonkeyPatch, cycles: int) -> None:
    """However many cycles a call of the loop takes, traced and not, also up to a failure."""
    runner, requests = adder_runner("batch", 8), some_requests(8, 12)

    def seen() -> tuple[object, ...]:
        lines: list[str] = []
        found = [runner.run(requests, stalls) for stalls in STALLS.values()]
        found += [runner.run(requests, stalls, trace=lines.append) for stalls in STALLS.values()]
        with pytest.raises(SimulationTimeout) as late:
            faulty_runner("batch").run([1, HANGS, 2], max_cycles=40)
        with pytest.raises(SpuriousResponse) as again:
            faulty_runner("batch").run([REPEATS, 1, 2])
        return found, lines, str(late.value), str(again.value)

    whole = seen()
    monkeypatch.setattr(batch_stream, "CYCLES_A_CALL", cycles)
    monkeypatch.setattr(batch_stream, "TRACED_A_CALL", cycles)
    assert seen() == whole


def test_unknown_level() -> None:
    with pytest.raises(ValueError, match="level 'gate': one of fl, cl, rtl, verilog, batch"):
        StreamRunner(AddRTL(8, 1), "gate")


def test_unknown_interface() -> None:
    with pytest.raises(ValueError, match="has no interface request; ports: clk"):
        StreamRunner(AddRTL(8, LATENCY), "batch", "request")


@pytest.mark.parametrize("level", HARDWARE)
def test_a_closed_runner_refuses(level: str) -> None:
    with StreamRunner(AddRTL(8, LATENCY), level) as runner:
        runner.run([1])
    runner.close()
    with pytest.raises(ValueError, match="is closed"):
        runner.run([1])


def test_stall_patterns() -> None:
    assert NO_STALLS.request == NO_STALLS.response == (0,)
    assert random_stalls(5) == random_stalls(5) != random_stalls(6)
    assert 0 in random_stalls(5).request
    assert max(random_stalls(5).request) > 0
    for bad in ((), (1, -1)):
        with pytest.raises(ValueError, match="at least one wait, none negative"):
            Stalls("bad", bad, (0,))
