"""A product on a design's modular multiplier at any level: answer and cycles, both checked.

A wrong answer is a RunError that names the operands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cl.unit import Unit
from eval.catalog.design import model_level
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.tasks.exponentiation import FORMULA, show_key
from sim.errors import RunError, UserError
from sim.stream import StreamRunner
from sim.transfers import packer

LIMIT = 100  # cycles beyond twice those of the formula, after which a run has failed


@dataclass(frozen=True)
class Product:
    """Tells what a multiplier answers to a, b and m, in which domain, and after how many cycles,
    if the level has a clock: r is a * b / 2^radix modulo m, below twice m where `guarded`."""

    a: int
    b: int
    m: int
    r: int
    radix: int
    guarded: bool
    cycles: int | None

    @property
    def is_right(self) -> bool:
        """Whether it is the product, by Python's arithmetic."""
        bound = 2 * self.m if self.guarded else self.m
        return 0 <= self.r < bound and ((self.r << self.radix) - self.a * self.b) % self.m == 0


def multiplier_of(point: Point) -> Unit:
    """Return the design's multiplier, with all that it needs for a product."""
    return point.entry.multiplier.by_itself(point.nbits)


def check_operands(point: Point, a: int, b: int, m: int) -> None:
    """Raise UserError unless the multiplier takes the operands."""
    unit = multiplier_of(point)
    for name, value, bits in (
        ("a", a, unit.nbits + unit.guard_bits),
        ("b", b, unit.nbits + unit.guard_bits),
        ("m", m, unit.nbits),
    ):
        if value >> bits:
            raise UserError(
                f"--{name}: {shorten(value)} has {value.bit_length()} bits, but the multiplier of "
                f"{point.design} takes {bits} at --nbits {point.nbits}; raise --nbits"
            )
    if m == 0 or not unit.accepts(a, b, m) or unit.only_modulus not in (None, m):
        only = f"; give --m {unit.only_modulus}, its only one" if unit.only_modulus else ""
        raise UserError(
            f"--m: the multiplier of {point.design} is not defined for these operands"
            f"{only or '; give a and b below an odd m'}"
        )


def multiply(
    point: Point,
    a: int,
    b: int,
    m: int,
    level: str = "rtl",
    trace: Callable[[str], None] | None = None,
    vcd: Path | None = None,
) -> Product:
    """Ask the multiplier; cycles count from the request's acceptance to its response."""
    unit = multiplier_of(point)
    value, cycles = unit.value(a, b, m), unit.latency(a, b, m)
    answer, took = value, None if level == "fl" else cycles
    if level != FORMULA:
        component = unit.component(model_level(level))
        name = f"{point} multiplier, {shorten(a)} * {shorten(b)} mod {shorten(m)}"
        request = packer(unit.messages[0])(a, b, m)
        with StreamRunner(component, level, vcd=vcd, name=name) as runner:
            show_key(component, level, trace)
            [transfer] = runner.run([request], max_cycles=2 * cycles + LIMIT, trace=trace)
        answer, took = transfer.response, None if level == "fl" else transfer.cycles
    product = Product(a, b, m, answer, unit.radix, unit.guard_bits > 0, took)
    asked = f"{point} multiplier at level {level}: {shorten(a)} * {shorten(b)} mod {shorten(m)}"
    if (answer, took) not in ((value, cycles), (value, None)):
        raise RunError(
            f"{asked} was answered {shorten(answer)} after {took} cycles; its integers and its "
            f"formula say {shorten(value)} after {cycles}"
        )
    if not product.is_right:
        raise RunError(f"{asked}: {shorten(answer)} is not a * b / 2^{unit.radix} mod m")
    return product
