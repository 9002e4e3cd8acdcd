"""Where in a trace each bit of the exponent is used, as somebody knows who knows the design."""

from dataclasses import dataclass

import numpy as np

from cl.exponentiator import Exponentiator, ExponentiatorOfParts
from cl.random_multiple import after
from eval.catalog.point import Point
from eval.tasks.leakage.attack import rounds_of
from eval.tasks.leakage.operations import pushes_of
from fl.masked_ladder import MASKED_LADDER
from rtl.exp.array import ArrayExponentiator
from rtl.exp.array_blinded import BlindedExponentiator
from rtl.exp.organised import Organised
from rtl.exp.random_multiple import RandomMultiple


@dataclass(frozen=True)
class Rounds:
    """Begins in a cycle, takes as many for each bit; from the lowest bit on, or from the top.

    compares: what a round does depends on whether its bit differs from the one before, as in a
    ladder whose values stand where they were made. exact: whether `begin` is known, or the latest.
    """

    begin: int
    cycles: int
    count: int
    from_top: bool
    compares: bool = False
    exact: bool = True

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Return traces by round and cycle of the round."""
        end = self.begin + self.count * self.cycles
        return rows[..., self.begin : end].reshape(*rows.shape[:-1], self.count, self.cycles)

    def bits(self, exponent: int) -> np.ndarray:
        """Return the bits of an exponent in the order of the rounds."""
        bits = np.array([exponent >> i & 1 for i in range(self.count)])
        return bits[::-1] if self.from_top else bits

    def exponent(self, bits: np.ndarray) -> int:
        """Return the exponent with these bits."""
        ordered = bits[::-1] if self.from_top else bits
        return sum(int(bit) << i for i, bit in enumerate(ordered))


def is_in_turn(point: Point) -> bool:
    """Say whether products wait for each other, and bits from the top on say how many there are."""
    model = point.entry.at(point.nbits)
    if isinstance(model, ArrayExponentiator):
        schedule = model.order
    elif isinstance(model, ExponentiatorOfParts):
        schedule = model.parts.organisation.schedule
    else:
        return False
    return schedule.in_turn and not schedule.constant


def masked_ladder_of(model: Exponentiator) -> Organised | None:
    """Return the exponentiator of parts whose ladder goes by shares of the exponent, if any."""
    ladder = model.inner if isinstance(model, RandomMultiple) else model
    if not isinstance(ladder, Organised):
        return None
    return ladder if ladder.parts.organisation.schedule is MASKED_LADDER else None


def _by_shares(model: Exponentiator, ladder: Organised, pushes: int) -> Rounds:
    """Return the rounds of a ladder by shares of any units, in a model that may begin and end
    with more."""
    unit, nbits, ones = ladder.parts.unit, ladder.nbits, (1 << ladder.nbits) - 1
    cycles = unit.latency(0, 0, 1) + 1
    if ladder.parts.organisation.units == 1:
        cycles += unit.interval(0, 0, 1)
    after_it = after(model.random_bits) if isinstance(model, RandomMultiple) else 0
    end = model.latency(2, ones, ones) - after_it - ladder.parts.leave.time(ones, unit)
    return Rounds(pushes + end - nbits * cycles, cycles, nbits, True, compares=True)


def rounds_in(point: Point) -> Rounds | None:
    """Return the rounds of a design whose bits take the same cycles each; None of others."""
    model, nbits, pushes = point.entry.at(point.nbits), point.nbits, pushes_of(point)
    ones = (1 << nbits) - 1
    if isinstance(model, BlindedExponentiator | ArrayExponentiator):
        always = (
            isinstance(model, BlindedExponentiator) or model.constant_time
        )  # of a long exponent
        if not always or model.order.window_bits > 1:
            return None
        ladder = isinstance(model, BlindedExponentiator) and model.order.ladder
        cycles = 2 * model.program.square.cycles
        if isinstance(model, BlindedExponentiator) and ladder:
            cycles = sum(one.cycles for one in model.program.loop)
        after = sum(one.cycles for one in model.program.leave)
        latency = model.latency(2, ones, ones)
        return Rounds(pushes + latency - after - nbits * cycles, cycles, nbits, True, ladder)
    if by_shares := masked_ladder_of(model):
        return _by_shares(model, by_shares, pushes)
    beside = rounds_of(point, ones)
    if not beside:
        return None
    begin = pushes + model.latency(2, ones, ones) - beside.count * beside.cycles
    return Rounds(max(begin, pushes), beside.cycles, beside.count, beside.from_top, exact=False)
