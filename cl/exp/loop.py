"""The loops of an exponentiation at cycle level: rounds of products, by the schedule.

`load(exp, one)` comes with the request, and the plain result that products begin with;
`start(power)` in the cycle in which the first power stands: the first round is asked for in the
next one. `take_one(one)` may come in the same cycle: the first result in the multiplier's domain.
`done(result)` is called in the loop's last cycle.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pymtl3 import CalleeIfcCL, CallerIfcCL, Component, update_ff, update_once

from cl.exp.clock import Clock
from fl.schedule import POWER, RESULT, Product, Round, power_name

if TYPE_CHECKING:
    from cl.exponentiator import Parts
    from cl.unit import Part


class Rounds(Component):
    """Asks for the products of a round, and for the next round once all are answered: in the same
    cycle, or without `forward` in the next one."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        organisation = parts.organisation
        s.parts, s.clock, s.schedule = parts, clock, organisation.schedule
        s.pause = (not organisation.forward) + part.later
        s.load = CalleeIfcCL(method=s.take_exponent, rdy=s.is_idle)
        s.start = CalleeIfcCL(method=s.begin, rdy=s.is_idle)
        s.take_one = CalleeIfcCL(method=s.begin_with, rdy=lambda: True)
        s.done = CallerIfcCL()
        s.multiply, s.multiplied = CallerIfcCL(), CallerIfcCL()
        s.clear()

        @update_ff
        def forget():
            if s.reset:
                s.clear()

    def clear(s) -> None:
        """Forget the exponentiation."""
        s.left = 0  # products of the round that are not answered
        s.product = s.product_out = None  # to be asked for, and under way
        s.values: dict[str, int] = {}
        s.made: dict[str, int] = {}
        s.mod = s.asks_from = 0

    def is_idle(s) -> bool:
        """Return whether no product is wanted."""
        return not s.left

    def take_exponent(s, exp: int, one: int, mod: int) -> None:
        """Take what comes with a request."""
        s.rounds: Iterator[Round] = s.schedule.rounds(exp, s.parts.unit.nbits)
        s.values, s.mod = {}, mod
        s.begin_with(one)

    def begin_with(s, one: int) -> None:
        """Begin with this result."""
        s.values |= {power_name(0): one}
        if s.schedule.first != POWER:
            s.values[RESULT] = one

    def begin(s, power: int) -> None:
        """Begin with this power."""
        s.values[POWER] = power
        if s.schedule.first == POWER:
            s.values[RESULT] = power
        s.next_round(s.first_asks())

    def first_asks(s) -> int:
        """Return the cycle in which the first products are asked for."""
        return s.clock.now + 1

    def next_round(s, at: int) -> None:
        """Ask for the next products in that cycle, or else finish."""
        s.values |= s.made
        s.made, s.asks_from = {}, at
        s.clock.wake(at)
        products = next(s.rounds, ())
        s.left = len(products)
        for product in products:
            s.want(product)
        if not products:
            s.finish()

    def want(s, product: Product) -> None:
        """Have a product asked for."""
        s.product = product

    def answered(s, product: Product, value: int) -> None:
        """Keep a product; after the last one of a round the next begins."""
        s.made[product.into] = value
        s.left -= 1
        if not s.left:
            s.next_round(s.clock.now + s.pause)

    def finish(s) -> None:
        """End the loop in this cycle."""
        s.give_result()

    def give_result(s) -> None:
        """Give the result."""
        s.done(s.values[RESULT])

    def operands(s, product: Product) -> tuple[int, int, int]:
        """Return what a product is asked for with."""
        return s.values[product.a], s.values[product.b], s.mod

    def line_trace(s) -> str:
        """Show how many products of the round are not answered."""
        return f"{s.left or ' '}"


class InTurn(Rounds):
    """Makes one product after the other."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        super().construct(parts, part, clock)

        @update_once
        def answers():
            if s.product_out and s.multiplied.rdy():
                product, s.product_out = s.product_out, None
                s.answered(product, s.multiplied())

        @update_once
        def asks():
            if s.product and s.clock.now >= s.asks_from and s.multiply.rdy():
                s.multiply(*s.operands(s.product))
                s.product, s.product_out = None, s.product

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the port that asks for products."""
        return [(s.multiply, s.multiplied)]


class FromHighestOne(InTurn):
    """Begins at the exponent's highest 1: the leading zeros leave beforehand, a bit per cycle.

    It ends in the cycle after its last answer.
    """

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        super().construct(parts, part, clock)

        @update_once
        def ends():
            if s.clock.now == s.end_at:
                s.end_at = -1
                s.give_result()

    def clear(s) -> None:
        """Forget the exponentiation."""
        super().clear()
        s.end_at = -1

    def take_exponent(s, exp: int, one: int, mod: int) -> None:
        """Take what comes with a request."""
        super().take_exponent(exp, one, mod)
        s.highest_at = s.clock.now + s.parts.unit.nbits - exp.bit_length() + 2

    def first_asks(s) -> int:
        """Return the cycle in which the first products are asked for."""
        return max(s.clock.now + 1, s.highest_at)

    def finish(s) -> None:
        """End the loop in the next cycle, or once the leading zeros have left."""
        s.end_at = max(s.clock.now + 1, s.asks_from)
        s.clock.wake(s.end_at)


class SideBySide(Rounds):
    """Makes a square and a product together, each through a port of its own.

    A square that replaces the power is not taken before the product has its operands.
    """

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        s.square, s.squared = CallerIfcCL(), CallerIfcCL()
        super().construct(parts, part, clock)
        keeps_power = not s.schedule.from_top

        @update_once
        def answers():
            if s.square_out and s.squared.rdy() and not (keeps_power and s.product):
                product, s.square_out = s.square_out, None
                s.answered(product, s.squared())
            if s.product_out and s.multiplied.rdy():
                product, s.product_out = s.product_out, None
                s.answered(product, s.multiplied())

        @update_once
        def asks():
            if s.left and s.clock.now >= s.asks_from:
                if s.product and s.multiply.rdy():
                    s.multiply(*s.operands(s.product))
                    s.product, s.product_out = None, s.product
                if s.squaring and s.square.rdy():
                    s.square(*s.operands(s.squaring))
                    s.squaring, s.square_out = None, s.squaring

    def clear(s) -> None:
        """Forget the exponentiation."""
        super().clear()
        s.squaring = s.square_out = None

    def want(s, product: Product) -> None:
        """Have a product asked for, by its port."""
        if product.squares:
            s.squaring = product
        else:
            s.product = product

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the ports that ask for products, the squaring's first."""
        return [(s.square, s.squared), (s.multiply, s.multiplied)]
