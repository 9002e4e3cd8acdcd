"""Evaluate the boolean expressions of a Liberty file: truth tables, and how probable a 1 is."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from types import CodeType

import numpy as np

NAME = re.compile(r"[A-Za-z_]\w*")
SPACED = re.compile(r"(?<=[\w)'])\s+(?=[\w(!])")  # between two operands


class Logic:
    """An expression over pins, with ! & | ^, with * or a space for and, and + for or."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pins = sorted(set(NAME.findall(text)))

    @cached_property
    def plain(self) -> str:
        """The expression with ~ & | ^ alone, as Python and Verilog have it."""
        words = re.sub(r"(\w+)\s*'", r"!\1", SPACED.sub("&", self.text.strip()))
        return words.replace("*", "&").replace("+", "|").replace("!", "~").strip()

    @cached_property
    def _code(self) -> CodeType:
        return compile(self.plain, self.text, "eval")

    def value(self, pins: dict[str, int]) -> int:
        """Evaluate for pins of 0 and 1."""
        value: int = eval(self._code, {}, pins)
        return value & 1

    def table(self, inputs: list[str]) -> int:
        """Make the truth table: its bit i is the value where input k is bit k of i."""
        bits = 0
        for number in range(1 << len(inputs)):
            bits |= self.value({p: number >> k & 1 for k, p in enumerate(inputs)}) << number
        return bits

    @cached_property
    def minterms(self) -> list[dict[str, int]]:
        """The states of the expression's pins for which it is 1."""
        states = (
            dict(zip(self.pins, bits, strict=True))
            for bits in product((0, 1), repeat=len(self.pins))
        )
        return [state for state in states if self.value(state)]

    def probability(
        self, high: Mapping[str, np.ndarray | float], opposites: Sequence[str] = ()
    ) -> np.ndarray | float:
        """Tell how probable a 1 is if pins are high independently with these probabilities, but for
        two `opposites`, of which just one is."""
        total: np.ndarray | float = 0.0
        for state in self.minterms:
            known = [pin for pin in opposites if pin in state]
            if len({state[pin] for pin in known}) < len(known):
                continue  # both alike
            term: np.ndarray | float = 1.0
            for pin, bit in state.items():
                if pin not in known[1:]:
                    term = term * (high[pin] if bit else 1 - high[pin])
            total = total + term
        return total
