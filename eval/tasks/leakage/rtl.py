"""Traces of an accelerator at RTL: how many register bits change, cycle by cycle."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from cl.xcel import xcel_cycles
from eval.catalog.point import Point
from eval.tasks.leakage.operations import Operands
from eval.tasks.leakage.welch import t_of
from eval.tasks.port import PORTS, WORD, messages
from eval.tasks.unit import ACCELERATOR, translation
from fl.xcel import STATUS_BAD_MODULUS, from_words, requests_for, words
from sim.errors import RunError
from sim.toggles import ToggleCounter

LIMIT = 4  # times the cycles that an operation should take, after which it has failed


def messages_of(nbits: int, operands: Operands) -> list[int]:
    """List what a host asks through the port, packed."""
    return messages(requests_for(nbits, *operands))


def check_answers(point: Point, operands: Operands, responses: list[int]) -> None:
    """Raise RunError unless the last responses are the result and a good status."""
    *_, status = responses
    result = from_words([word & WORD for word in responses[-1 - words(point.nbits) : -1]])
    if result != pow(*operands) or status & STATUS_BAD_MODULUS:
        raise RunError(f"{point}: {operands} was answered {result}, right is {pow(*operands)}")


@dataclass
class PartSums:
    """Sums the toggles of each register or net, and their squares, by group and cycle."""

    counts: np.ndarray = field(default_factory=lambda: np.zeros(2))
    sums: np.ndarray | float = 0.0
    squares: np.ndarray | float = 0.0

    def add(self, sums: np.ndarray, squares: np.ndarray, groups: np.ndarray) -> None:
        """Add the sums over traces of these groups."""
        self.counts += np.bincount(groups, minlength=2)
        self.sums = self.sums + sums
        self.squares = self.squares + squares

    def t(self) -> np.ndarray:
        """Return t by cycle and part."""
        counts = np.maximum(self.counts, 1)[:, None, None]
        means = self.sums / counts
        errors = np.maximum(self.squares / counts - means**2, 0) / counts
        return t_of(means[0] - means[1], errors.sum(axis=0))


class RtlTraces:
    """Measures traces of so many cycles of a point's accelerator, and keeps its registers' sums, if
    it is to, `by_part`."""

    def __init__(self, point: Point, cycles: int, by_part: bool = True) -> None:
        self.point, self.cycles, self.by_part = point, cycles, by_part
        design = translation(point, ACCELERATOR)
        self.counter = ToggleCounter(design, *PORTS, cycles, LIMIT * usual(point))
        self.names = [str(register) for register in self.counter.registers]
        self.clear()

    def clear(self) -> None:
        """Forget the registers' sums."""
        self.parts = PartSums()

    def measure(self, drawn: Iterable[tuple[int, Operands]]) -> tuple[np.ndarray, np.ndarray]:
        """Return the traces of operations, and their groups; answers are checked."""
        numbers, operands = zip(*drawn, strict=True)
        groups = np.array(numbers)
        messages = [messages_of(self.point.nbits, one) for one in operands]
        found = self.counter.run(messages, groups, self.by_part)
        for one, responses in zip(operands, found.responses, strict=True):
            check_answers(self.point, one, responses)
        if self.by_part:
            self.parts.add(found.sums, found.squares, groups)
        return found.totals, groups

    def close(self) -> None:
        """End the simulation."""
        self.counter.close()


def usual(point: Point) -> int:
    """Count about the cycles of a long operation through the port: of an exponent of ones."""
    modulus = point.entry.moduli.only(point.nbits) if point.entry.moduli.only else None
    ones = (1 << point.nbits) - 1
    latency = point.entry.cycles(point.nbits, ones - 1, ones, modulus or ones)
    return xcel_cycles(point.nbits, latency) + 100
