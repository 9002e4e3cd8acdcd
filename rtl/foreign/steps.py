"""How a core of others is driven, as steps that an adapter makes one after another.

A request's operands are in registers of the adapter: a, b, m of a multiplier, base, exp, mod of an
exponentiator, and constants of the modulus that the core asks for. A step says what stands on pins
of the core, when it is over, and what is taken from the core then.

A pin takes a number, the name of an operand (as wide as the pin, or narrower), WORD (the current
word of the operand that Each goes through) or an Address. A condition is the name of an output of
one bit, "busy[3]" for one bit of a wider one, and "!" before it for its opposite.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

WORD = "WORD"
LOW, HIGH = "low", "high"  # which word comes first


@dataclass(frozen=True)
class Address:
    """Is base + stride * i for the i-th word of Each or Read."""

    base: int
    stride: int = 1


Value = int | str | Address


class AdapterError(ValueError):
    """Tells what of a Drive does not fit the core's ports."""


def together(*parts: Mapping[str, Value]) -> dict[str, Value]:
    """Join what stands on pins; AdapterError if two parts name the same pin."""
    found: dict[str, Value] = {}
    for part in parts:
        for pin, value in part.items():
            if pin in found:
                raise AdapterError(
                    f"port {pin} is given twice: for {found[pin]} and for {value}; name it once"
                )
            found[pin] = value
    return found


@dataclass(frozen=True)
class Do:
    """Lasts as many cycles, then until a condition holds; then the next step follows.

    drop: pins, each with the condition after which it falls to 0; the step lasts until all have
    been met. take: the output whose value is the result, as it is in the last cycle.
    """

    pins: Mapping[str, Value] = field(default_factory=dict)
    until: str = ""
    cycles: int = 1
    drop: Mapping[str, str] = field(default_factory=dict)
    take: str = ""


@dataclass(frozen=True)
class Each:
    """Makes the steps for every word of an operand; low or high word first."""

    operand: str
    word: int  # bits
    do: Sequence[Do]
    first: str = LOW


@dataclass(frozen=True)
class Read:
    """Makes the steps for every word of the result, and takes it from the port in the last one."""

    port: str
    word: int  # bits
    do: Sequence[Do]
    first: str = LOW


@dataclass(frozen=True)
class While:
    """Makes the steps, and again if in the last cycle of the last one the condition holds."""

    condition: str
    do: Sequence[Do]


Step = Do | Each | Read | While


@dataclass(frozen=True)
class Drive:
    """Says how a core is driven at one width.

    steps: from a request to its result. always: pins that hold a value in every cycle.
    constants: what the core asks for beside the operands, by the operand's name: ("r", k) is
    2^k mod m, ("r2", k) 2^2k mod m, ("m_inv", w) -m^-1 mod 2^w, ("base_r", k) base * 2^k mod m.
    """

    steps: Sequence[Step]
    always: Mapping[str, Value] = field(default_factory=dict)
    constants: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def needed(self, unread: Sequence[str] = ()) -> Self:
        """Return the same without constants that go to no pin, or only to pins that the core leaves
        `unread`: nobody spends cycles on these."""
        always = {
            pin: value
            for pin, value in self.always.items()
            if not (pin in unread and value in self.constants)
        }
        values = {*always.values(), *self._named()}
        constants = {name: asked for name, asked in self.constants.items() if name in values}
        return replace(self, always=always, constants=constants)

    def _named(self) -> Iterator[Value]:
        """Yield all that stands on pins in steps, and the operands that go by words."""
        for step in self.steps:
            if isinstance(step, Each):
                yield step.operand
            for do in [step] if isinstance(step, Do) else step.do:
                yield from do.pins.values()


Handshake = Callable[[int], Drive]  # at a width


def whole(nbits: int, word: int) -> int:
    """Return the bits of an operand in whole words."""
    return -(-nbits // word) * word
