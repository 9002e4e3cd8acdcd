"""What recorders make of ports, cycle by cycle: on hardware so small that one knows what comes."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from eval.catalog.workloads import Request
from eval.tasks.flow_run import bus_recording, recording, sampling, system_recording
from eval.tasks.flow_run.bus_recording import _without_start
from eval.tasks.flow_run.ports import Ports
from eval.tasks.flow_run.recording import WORD, _Accelerator
from eval.tasks.flow_run.sampling import Sampler
from eval.tasks.flow_run.system_recording import _windows
from fl.peripheral_driver import Access
from fl.peripheral_map import START, STATUS
from fl.pkcs1 import PLAIN
from fl.xcel import READ, WRITE
from flow.recording import WARM_UP, Recording
from sim.batch_stream import DONE, MORE
from sim.errors import RunError
from sim.translate import Port

pytestmark = pytest.mark.quick

PORTS = {
    name: ("", Port(name, direction, nbits))
    for name, direction, nbits in (
        *(("clk", "input", 1), ("reset", "input", 1)),
        *(("xcel__req__val", "input", 1), ("xcel__req__msg", "input", 38)),
        *(("xcel__req__rdy", "output", 1), ("xcel__resp__val", "output", 1)),
        *(("xcel__resp__msg", "output", 33), ("xcel__resp__rdy", "input", 1)),
    )
}


class Echo:
    """A port that takes a request every third cycle, and answers two cycles later with its number,
    and a bit above the data."""

    def __init__(self, silent: bool = False) -> None:
        self.ports, self.silent = PORTS, silent
        self.design = SimpleNamespace(top="Echo")
        self.now = dict.fromkeys(PORTS, 1)  # what nobody has set
        self.cycle, self.due, self.taken = 0, {}, []

    def poke(self, name: str, value: int) -> None:
        self.now[name] = value

    def peek(self, name: str) -> int:
        return self.now[name]

    def settle(self) -> None:
        self.now["xcel__req__rdy"] = int(self.cycle % 3 == 0)
        answer = None if self.silent else self.due.get(self.cycle)
        self.now["xcel__resp__val"] = int(answer is not None)
        self.now["xcel__resp__msg"] = 0 if answer is None else 1 << 32 | answer

    def step(self) -> None:
        if self.now["xcel__req__val"] and self.now["xcel__req__rdy"]:
            self.taken.append(self.now["xcel__req__msg"])
            self.due[self.cycle + 2] = len(self.taken)
        self.cycle += 1


REQUESTS = [(WRITE, 1, 0xAB), (READ, 0, 0)]
PACKED = [WRITE << 37 | 1 << 32 | 0xAB, READ << 37]


def test_requests_are_sent_one_after_another_until_the_last_is_answered() -> None:
    """From cycle 1 on: taken in cycles 3 and 6, answered in 5 and 8."""
    accelerator = _Accelerator(model := Echo())
    inputs = ("reset", "xcel__req__val", "xcel__req__msg", "xcel__resp__rdy")
    assert {name for name, value in model.now.items() if not value} - {"clk"} == {*inputs}
    assert accelerator.steps(1) == (0, 1)
    window, answers = accelerator.send(REQUESTS)
    assert (window, answers) == ((1, 9), [1, 2])
    assert model.taken == PACKED
    values = accelerator.ports.values
    assert "clk" not in values
    assert values["xcel__req__val"] == [0, 1, 1, 1, 1, 1, 1, 0, 0]
    assert values["xcel__req__msg"] == [0, *[PACKED[0]] * 3, *[PACKED[1]] * 3, 0, 0]
    assert values["xcel__resp__val"] == [0, 0, 0, 0, 0, 1, 0, 0, 1]
    assert values["xcel__resp__msg"][5] == 1 << 32 | 1 != answers[0]
    assert accelerator.steps(4) == (9, 13)
    assert values["xcel__req__val"][9:] == [0] * 4


def test_no_answer_is_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "PATIENCE", 20)
    accelerator = _Accelerator(Echo(silent=True))
    accelerator.steps(15)
    with pytest.raises(RunError, match="Echo: no answer in 20 cycles"):
        accelerator.send(REQUESTS)
    assert accelerator.ports.cycle == 15 + 21


def test_what_a_recorded_port_is() -> None:
    """A message counts while it is valid, if it is an output; of one only, bits may stray."""
    names = ["dmem__req__msg", "dmem__resp__msg", "dmem__req__val", "reset"]
    ports = Ports(Port(n, "input" if n in (names[1], names[3]) else "output", 4) for n in names)
    ports.append({"dmem__req__msg": 3, "reset": 1})
    ports.append({"dmem__req__val": 1})
    found = {port.name: port for port in ports.recorded()}
    assert [*found] == names
    assert {name: port.valid for name, port in found.items()} == {
        **dict.fromkeys(names),
        "dmem__req__msg": "dmem__req__val",
    }
    assert [port.stray for port in found.values()] == [True, False, False, False]
    assert [port.output for port in found.values()] == [True, False, True, False]
    assert found["dmem__req__msg"].values == [3, 0]
    assert found["reset"].values == [1, 0]


def test_records_are_read_port_by_port() -> None:
    """Of a model with ports of 8, 16 and 64 bits, and one that is no port of the netlist."""
    kinds = {"reset": 1, "wide": 33, "other": 9, "last": 16}
    model = SimpleNamespace(
        ports={name: ("", Port(name, "output", nbits)) for name, nbits in kinds.items()},
        record_bytes=1 + 8 + 2 + 2,
    )
    cycles = [(1, 0x1_0203_0405, 0x55, 0xABCD), (0, 7, 0x66, 0x00FF)]
    sizes = (1, 8, 2, 2)
    raw = b"".join(
        value.to_bytes(size, "little")
        for cycle in cycles
        for value, size in zip(cycle, sizes, strict=True)
    )
    ports = Ports(port for name, (_, port) in model.ports.items() if name != "other")
    ports.append({"wide": 9})
    ports.append_all(model, raw)
    assert ports.values == {
        "reset": [0, 1, 0],
        "wide": [9, 0x1_0203_0405, 7],
        "last": [0, 0xABCD, 0xFF],
    }
    assert ports.cycle == 3


@pytest.mark.parametrize(
    ("stats", "begin", "found"),
    [
        ([0, 0, 1, 1, 0, 1, 0], 1, [(2, 4), (5, 6)]),
        ([0, 1, 0, 0, 1, 1, 1, 0], 3, [(4, 7)]),
        ([0, 1, 0, 1, 0], 3, [(3, 4)]),
        ([0, 1, 1], 1, []),
        ([0, 0, 0], 1, []),
    ],
    ids=["two", "those before do not count", "at the beginning", "not ended", "none"],
)
def test_windows_are_the_cycles_in_which_statistics_count(
    stats: list[int], begin: int, found: list[tuple[int, int]]
) -> None:
    assert _windows(stats, begin) == found


def test_a_dummy_call_on_the_bus_makes_all_accesses_but_the_start() -> None:
    """Nor does it wait; what it reads is 0: nobody is asked."""
    heard = []

    def procedure() -> Iterator[Access | None]:
        for access in (
            *(Access(4, 0xFF), Access(STATUS, START | 0x40), None, Access(STATUS)),
            *(Access(8, START), Access(STATUS, 0x20)),
        ):
            heard.append((yield access))
        return "left"

    ended = []

    def whole() -> Iterator[Access]:
        ended.append((yield from _without_start(procedure())))

    given = whole()
    made = [next(given)]
    made += [given.send(77) for _ in range(4)]
    with pytest.raises(StopIteration):
        given.send(77)
    assert ended == ["left"]
    assert made == [
        *(Access(4, 0xFF), Access(STATUS, 0x40), Access(STATUS), Access(8, START)),
        Access(STATUS, 0x20),
    ]
    # What follows an access hears of it; what follows a wait hears of nothing.
    assert heard == [77, 77, 0, 77, 77, 77]


@pytest.mark.parametrize(
    ("nbits", "base", "given"),
    [(8, 0xAB, b"\xab"), (9, 0x102, b"\x01\x02"), (16, 3, b"\0\x03"), (17, 3, b"\0\0\x03")],
)
@pytest.mark.parametrize("name", ["e", "d"])
def test_a_base_is_given_in_whole_bytes(
    monkeypatch: pytest.MonkeyPatch, name: str, nbits: int, base: int, given: bytes
) -> None:
    """By the private exponent for d, without padding."""
    monkeypatch.setattr(bus_recording, "operate", lambda *asked: asked)
    request = Request(base, 5, 7)
    assert bus_recording._asked(nbits, name, request) == (nbits, given, name == "d", PLAIN)


class System:
    """A processor that runs a program for so many cycles, with statistics in some of them."""

    def __init__(self, exit_code: int = 0) -> None:
        kinds = {"reset": 1, "stats_en": 1, "own": 8}
        ports = {name: ("", Port(name, "output", nbits)) for name, nbits in kinds.items()}
        self.model = SimpleNamespace(ports=ports, record_bytes=3)
        self.exit_code, self.closed = exit_code, False

    def run(self, image: str, manager: object, on_ports: Callable[[bytes], None]) -> object:
        lead = {"image of one": 2, "image of two": 4}[image]
        for count in (*[0] * lead, 1, 1, 0, 1, 1, 1, 0, 1, 0):
            on_ports(bytes([0, count, 9]))
        return SimpleNamespace(exit_code=self.exit_code, reason="it said so")

    def close(self) -> None:
        self.closed = True


def recorded_system(monkeypatch: pytest.MonkeyPatch, system: System) -> Recording:
    ours = [SimpleNamespace(name=name) for name in ("reset", "stats_en")]
    for name, stand_in in {
        "translation": lambda processor, unit: SimpleNamespace(ports=ours),
        "traced": lambda processor: None,
        "BatchSystem": lambda design: system,
        "variants_of": lambda processor: ["one", "two"],
        "build_benchmark": lambda variant: variant,
        "load_elf": lambda built: f"image of {built}",
        "IDLE_CYCLES": 5,
    }.items():
        monkeypatch.setattr(system_recording, name, stand_in)
    return system_recording.record_system("processor")


def test_a_system_is_reset_idles_and_runs_each_variant_from_reset_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """3 cycles of reset, 1 + 5 idle ones; 3 of reset and 11 of `one`; 3 of reset and 13 of `two`.

    Outputs are compared from the end of each program's reset on: what comes before was not
    recorded.
    """
    system = System()
    found = recorded_system(monkeypatch, system)
    ports = {port.name: port.values for port in found.ports}
    assert [*ports] == ["reset", "stats_en"]
    low = [0] * 6
    assert ports["reset"] == [1, 1, 1, *low, 1, 1, 1, *[0] * 11, 1, 1, 1, *[0] * 13]
    assert found.windows == {
        "idle": (4, 9),
        **{"one_dummy": (14, 16), "one_e": (17, 20), "one_d": (21, 22)},
        **{"two_dummy": (30, 32), "two_e": (33, 36), "two_d": (37, 38)},
    }
    assert found.unchecked == ((0, 12), (23, 26))
    assert found.operations == {
        **dict.fromkeys(("one_e", "one_d"), "one_dummy"),
        **dict.fromkeys(("two_e", "two_d"), "two_dummy"),
    }
    assert system.closed


def test_a_program_that_fails_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match="processor one: it said so"):
        recorded_system(monkeypatch, System(exit_code=1))


class Registers(NamedTuple):
    """Where signals are among those of a snapshot, and what they are."""

    places: dict[str, int]
    values: list[int]


class Counter:
    """An engine whose register and port tell the cycle, and which is done after so many."""

    name = "Counter"

    def __init__(self, cycles: int) -> None:
        self.cycles, self.asked = cycles, []
        self.run = SimpleNamespace(cycle=0)
        self.model = SimpleNamespace(
            snapshot=lambda: Registers({"count": 0}, [self.run.cycle]),
            ports={
                "low": ("", Port("low", "output", 8)),
                "count": ("", Port("count", "output", 16)),
                "twice": ("", Port("twice", "output", 32)),
            },
            record_bytes=7,
        )

    def begin(self, requests: list[int], stalls: object) -> SimpleNamespace:
        assert requests == [5]
        return self.run

    def advance(self, run: SimpleNamespace, until: int, traced: bool) -> tuple[int, bytes]:
        self.asked.append((until, traced))
        begin, run.cycle = run.cycle, min(until, self.cycles)
        cycles = range(begin, run.cycle) if traced else ()
        sizes = {1: 1, 2: 256, 4: 512}
        raw = b"".join(
            (n * by if size > 1 else 3).to_bytes(size, "little")
            for n in cycles
            for size, by in sizes.items()
        )
        return DONE if until >= self.cycles else MORE, raw

    def transfers(self, run: SimpleNamespace) -> str:
        return "transfers"


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pieces, of four cycles and the two before them."""
    monkeypatch.setattr(sampling, "PIECES", 2)
    monkeypatch.setattr(sampling, "PIECE_CYCLES", 4)
    monkeypatch.setattr(sampling, "begins", lambda cycles, seed: [10, 40])


def test_pieces_have_the_registers_at_their_first_cycles_and_their_end(pieces: None) -> None:
    engine = Counter(101)
    sampler = Sampler(engine)
    assert sampler.places == {"count": 0}
    sampled, recorded, transfers = sampler.sample([5], 100, 30)
    assert WARM_UP == 2
    assert [(p.begin, p.end, p.first, p.second, p.after) for p in sampled.pieces] == [
        (30, 36, [10], [11], [16]),
        (36, 42, [40], [41], [46]),
    ]
    ports = Ports(port for _, port in engine.model.ports.values())
    ports.append_all(engine.model, recorded)
    cycles = (*range(10, 16), *range(40, 46))
    assert ports.values == {
        "low": [3] * 12,
        "count": [256 * n for n in cycles],
        "twice": [512 * n for n in cycles],
    }
    assert (sampled.cycles, transfers) == (101, "transfers")
    starts = [(10, False), (11, True), (16, True), (40, False), (41, True), (46, True)]
    assert engine.asked == [*starts, (200, False)]


def test_an_operation_that_takes_twice_as_long_has_failed(pieces: None) -> None:
    with pytest.raises(RunError, match="Counter: no answer in 200 cycles"):
        Sampler(Counter(201)).sample([5], 100, 0)
    assert Sampler(Counter(200)).sample([5], 100, 0)[0].cycles == 200


def test_a_word_is_of_32_bits() -> None:
    assert WORD == 2**32 - 1
