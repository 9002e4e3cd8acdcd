"""Replay a recording on a mapped netlist, and count the toggles of every net by window."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from flow.gates.sampling import in_stretches, joined, window_in_stretches
from flow.gates.simulator import Activity, Prepared
from flow.gates.timing import Timing
from flow.recording import WARM_UP, Piece, Recording
from sim.errors import RunError

ANY = 2
NOTHING: tuple[int, int, Mapping[int, int]] = (0, 0, {})  # a place whose bit nobody looks at
StateCodes = Mapping[str, Mapping[int, int]]
OTHER_STARTS = 12  # with their opposites; as many are tried as it takes
REGISTER = "_reg"  # what synthesis adds to the name of a register's bit


class Mismatch(RunError):
    """The netlist does not do what the RTL did."""

    def __init__(self, where: str) -> None:
        super().__init__(f"the netlist does not do what the RTL does: {where}")


@dataclass(frozen=True)
class Simulated:
    """What the nets did in each window, in parts if not all of it was simulated with delays; when
    the last net settled in cycles that were, ns after the edge; and how many output bits differed
    from the RTL's for passing on what was never written."""

    windows: dict[str, list[Activity]]
    latest: float
    strays: int


def simulate(
    timing: Timing,
    recording: Recording,
    samples: int = 0,
    seed: int = 1,
    state_codes: StateCodes | None = None,
) -> Simulated:
    """Replay the recording; Mismatch tells the first output that differs from the RTL's.

    Registers start with pseudo-random bits. Of each window at most `samples` cycles are simulated
    with delays, too: all of a shorter one; of a longer one a stretch in each of PARTS equal parts,
    anywhere in it, so that no period of the operation can be theirs. In the pieces of a sampled
    window registers start with what the RTL's hold, and must end as those do; `state_codes` has
    the codes of states by the name of the register and its value in the RTL. A register that
    synthesis has made itself, as of a memory's address, starts with what the others give it in the
    cycle before.
    """
    replay, rng = _Replay(timing, recording, seed, state_codes or {}), random.Random(seed)
    nets = timing.netlist.nets
    counted = {
        name: window_in_stretches(name, window, samples, rng, nets)
        for name, window in recording.windows.items()
    }
    in_order = [one for parts in counted.values() for part in parts for one in part]
    strays, latest = replay.whole(in_order)
    for name, window in recording.sampled.items():
        counted[name] = []
        for piece in window.pieces:
            cycles = WARM_UP - 1, piece.end - piece.begin - 1
            each = -(-samples // len(window.pieces))
            counted[name].append(in_stretches(name, cycles, each, rng, nets))
            latest = max(latest, replay.piece(piece, counted[name][-1]))
    windows = {name: [joined(part) for part in parts] for name, parts in counted.items()}
    return Simulated(windows, latest, strays)


class _Replay:
    """A netlist, and what a recording has for its inputs and expects of its outputs."""

    def __init__(
        self, timing: Timing, recording: Recording, seed: int, state_codes: StateCodes
    ) -> None:
        inputs = _port_bits(timing, recording, False)
        outputs = _port_bits(timing, recording, True)
        nets = ([net for net, *_ in ports] for ports in (inputs, outputs))
        self.recording, self.design = recording, Prepared(timing, *nets)
        self.columns = [(port, bit) for _, port, bit in outputs]
        self.stimulus = recording.bits([(port, bit) for _, port, bit in inputs])
        self.expected = recording.expected(self.columns, ANY)
        registers = len(self.design.state_nets)
        starts = np.random.default_rng(seed).integers(0, 2, (1 + OTHER_STARTS, registers), np.uint8)
        self.random, self._others = starts[0], starts[1:]
        self._named = np.array([name.endswith(REGISTER) for name in self.design.registers], bool)
        self._places = (
            [_place(name, recording.signals, state_codes) for name in self.design.registers]
            if recording.sampled
            else []
        )

    def whole(self, windows: list[Activity]) -> tuple[int, float]:
        """Replay all before the first piece; stray bits, and when the last net settled."""
        end = self.recording.whole
        found = self.design.run(self.stimulus[:end], self.random, windows)
        wrong = self._wrong(found.seen, 0, end)
        strays = self._strays(wrong, found.seen, end)
        wrong &= ~strays
        self._check(wrong, 0)
        return int(strays.sum()), found.latest

    def _strays(self, wrong: np.ndarray, seen: np.ndarray, end: int) -> np.ndarray:
        """Find the wrong bits that differ with another start: what they pass on was never written.

        The opposite start does not tell all of them: the value of a register that is written before
        the reset takes effect is decided by several.
        """
        strays, may_stray = np.zeros_like(wrong), self.recording.may_stray(self.columns)
        opposites = ((start, 1 - start) for start in self._others)
        for start in (1 - self.random, *chain.from_iterable(opposites)):
            if not (wrong & may_stray & ~strays).any():
                break
            other = self.design.run(self.stimulus[:end], start, []).seen
            strays |= wrong & may_stray & (other != seen)
        return strays

    def piece(self, piece: Piece, activities: list[Activity]) -> float:
        """Replay a piece; when the last net settled."""
        second = piece.begin + 1
        lead = self.design.run(self.stimulus[piece.begin : second], self._held(piece.first), [])
        bits = np.where(self._named, self._held(piece.second), lead.last)
        found = self.design.run(self.stimulus[second : piece.end], bits, activities)
        self._check(self._wrong(found.seen, second, piece.end), second)
        differ = self._named & (found.last != self._held(piece.after))
        if differ.any():
            name = self.design.registers[int(np.argmax(differ))]
            raise Mismatch(f"cycle {piece.end} ({activities[0].name}): {name} is not as in the RTL")
        return found.latest

    def _wrong(self, seen: np.ndarray, begin: int, end: int) -> np.ndarray:
        expected = self.expected[begin:end]
        return (seen != expected) & (expected != ANY)

    def _check(self, wrong: np.ndarray, begin: int) -> None:
        if wrong.any():
            cycle, column = np.argwhere(wrong)[0]
            said = self.recording.difference(begin + int(cycle), *self.columns[column])
            raise Mismatch(said)

    def _held(self, signals: Sequence[int]) -> np.ndarray:
        """Tell what the RTL has for each register of the netlist; 0 if synthesis made it."""
        bits = (codes.get(signals[at], signals[at]) >> bit & 1 for at, bit, codes in self._places)
        return np.fromiter(bits, np.uint8, len(self._places))


def _place(
    register: str, signals: Mapping[str, int], state_codes: StateCodes
) -> tuple[int, int, Mapping[int, int]]:
    """Find the signal of the RTL that a register is named after, as in "instance.name[3]_reg", the
    bit, and the codes of its values if they are others; Mismatch if there is none."""
    if not register.endswith(REGISTER):
        return NOTHING
    name = register.removesuffix(REGISTER)
    if name in signals and name not in state_codes:
        return signals[name], 0, {}
    word, _, index = name.rpartition("[")
    if word not in signals:
        raise Mismatch(f"the RTL has no register {name}, so that its state can't be brought in")
    return signals[word], int(index.removesuffix("]")), state_codes.get(word, {})


def _port_bits(timing: Timing, recording: Recording, output: bool) -> list[tuple[int, str, int]]:
    """List (net, port, bit) of all ports of a direction but the clock; Mismatch unless recorded."""
    ports = {
        name: port.nets
        for name, port in timing.netlist.ports.items()
        if port.output == output and port.nets != (timing.clock,)
    }
    recorded = {port.name for port in recording.ports if port.output == output}
    if missing := sorted(ports.keys() - recorded):
        raise Mismatch(f"the recording does not say what port {missing[0]} does")
    return [(net, name, bit) for name, nets in ports.items() for bit, net in enumerate(nets)]
