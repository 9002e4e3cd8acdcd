"""Which situations of a row of elements its requests reach: each is a bin, and an empty one fails.

The row has more elements than one relay resets, and keeps what it has found of a modulus.
"""

from collections.abc import Callable, Iterator

import pytest

import rtl.exp.array
import rtl.exp.array_row
from eval.catalog.array import odd_modulus
from eval.contract.exponentiator import ExpCase, check_exponentiator
from fl.schedule import LADDER, LEFT_TO_RIGHT
from rtl.exp.array import ArrayExponentiator, ArrayExponentiatorRTL
from rtl.exp.array_blinded import BlindedExponentiator
from rtl.exp.array_control import DONE, IDLE
from rtl.exp.array_order import LEAVE, MULTIPLY, SQUARE
from rtl.exp.array_row import RELAYED
from rtl.exp.array_split import SplitExponentiator
from rtl.exp.holding import OfHeldOperands
from sim.stream import Stalls, StreamRunner
from tests.faults import plant
from tests.rtl.resets import Name, Registers

Bin = tuple[str, ...]

NBITS = 24
ROW = ArrayExponentiator(NBITS, odd_modulus, 1, 3, LEFT_TO_RIGHT, keeps=True)
LAST = ROW.program.shape.words - 1
# Both ends, and both sides of where another relay begins.
PLACES = {0: "first", 1: "second", RELAYED - 1: "before a relay", LAST: "last"}
LATE = Stalls("late", (0, 3), (480, 250, 9))  # later than the answers come
ONE, OTHER, SHORT = (1 << NBITS) - 3, 0x9ABCDF, 0x35
CASES = [
    ExpCase(what, NBITS, base, exp, mod)
    for what, base, exp, mod in (
        ("new", ONE - 1, 0b101, ONE),
        ("again, words of 0s after the highest 1", 0xFFFFFF, 1 << 12, ONE),
        ("and again", 0xABCDEF, 1, ONE),
        ("again, no product", 5, 0, ONE),
        ("and again", 0x800000, 1, ONE),
        ("bad", 7, 3, ONE - 1),
        ("other, short", 0xFFFFFF, 3, SHORT),
        ("other", 0x800000, 0b11, OTHER),
        ("other, no product", 3, 0, OTHER),
    )
]
TAKEN = {"x": "the value", "to_mod": "M'", "to_table": "a power"}
NEXT = {SQUARE: "a square", MULTIPLY: "a multiplication", LEAVE: "the way out"}


class RowBins:
    """Notes the situations of a row before each clock edge."""

    def __init__(self, core: ArrayExponentiatorRTL, edge: Callable[[], None]) -> None:
        self.core, self._edge = core, edge
        self.found: set[Bin] = set()
        self.before = "reset"  # what was answered last

    def edge(self) -> None:
        """Note the cycle's situations, then pass the clock's edge."""
        if not self.core.reset:
            self.found.update(self._requests())
            self.found.update(self._products())
            for place, name in PLACES.items():
                self.found.update(self._element(place, name))
        self._edge()

    def _requests(self) -> Iterator[Bin]:
        core, control = self.core, self.core.control
        if control.load:
            skips = "no product" if control.skip else "kept" if control.again else "anew"
            yield "request", skips, f"after {self.before}"
            self.before = skips
        if core.recv.val and not core.recv.rdy:
            yield "the next waits", "for the answer" if control.state == DONE else "for the end"
        if core.send.val:
            yield "answer", "taken" if core.send.rdy else "waits", self.before
        if control.state == IDLE and not core.recv.val:
            yield ("idle",)

    def _products(self) -> Iterator[Bin]:
        order, control = self.core.order, self.core.control
        if control.advance:
            yield "then", NEXT[int(order.next)]
        if order.exponent.passes:
            yield "0s pass", "a word"
        elif order.skipping and order.leaves:
            yield "0s pass", "a bit"

    def _element(self, place: int, name: str) -> Iterator[Bin]:
        row = self.core.row
        element, feed = getattr(row, f"element_{place}"), getattr(row, f"feed_{place}")
        if element.take.ends:
            for field, what in TAKEN.items():
                if getattr(element.take, field):
                    yield name, "takes", what
            if element.take.of_m:
                yield name, "takes", "m inverted" if element.take.inverted else "m or the base"
            if element.take.inverted and not element.take.of_m:
                yield name, "takes", "twice the value"
            if place != LAST:
                yield name, "resolves", f"carry {int(element.resolved) >> 3}"
        elif element.a and element.q:
            yield name, "adds", "x and m"
        elif element.a or element.q:
            yield name, "adds", "x" if element.a else "m"
        if place != LAST and element.fresh and (element.late_sum or element.late_carry):
            yield name, "leaves out", "a digit of the product before"
        if feed.go:
            yield name, "begins", "the table" if feed.source else "x"
            if feed.at != 0:
                yield name, "begins", "before it ended"
        elif feed.at == 0 and feed.from_right:
            yield name, "passes", "a digit of the right"


MIDDLE = ("first", "second", "before a relay")
EVERY = (*MIDDLE, "last")
WANTED: set[Bin] = {
    *(("request", how, "after reset") for how in ("anew", "no product")),
    *(("request", how, "after anew") for how in ("anew", "kept", "no product")),
    *(("request", how, "after kept") for how in ("kept", "no product")),
    *(("request", how, "after no product") for how in ("anew", "kept", "no product")),
    *(("the next waits", why) for why in ("for the answer", "for the end")),
    *(
        ("answer", how, what)
        for how in ("taken", "waits")
        for what in ("anew", "kept", "no product")
    ),
    *(("then", what) for what in NEXT.values()),
    *(("idle",), ("0s pass", "a word"), ("0s pass", "a bit")),
    *((name, "takes", what) for name in EVERY for what in TAKEN.values()),
    *((name, "takes", what) for name in EVERY for what in ("m inverted", "m or the base")),
    *((name, "takes", "twice the value") for name in EVERY),
    # No carry of 2 was seen; that it goes to the right is proven, see test_array_elements.py.
    *((name, "resolves", f"carry {carry}") for name in MIDDLE for carry in range(2)),
    *((name, "adds", what) for name in EVERY for what in ("x", "m", "x and m")),
    *((name, "leaves out", "a digit of the product before") for name in MIDDLE),
    *((name, "begins", what) for name in EVERY for what in ("x", "the table")),
    *((name, "passes", "a digit of the right") for name in MIDDLE),
}


def test_each_situation_is_reached():
    runner = StreamRunner(ROW.rtl(), "rtl")
    bins = RowBins(runner.engine.top.core, runner.engine.edge)
    runner.engine.edge = bins.edge
    check_exponentiator(runner, ROW, CASES)
    bins.before = "reset"
    first, again, no_product = CASES[2], CASES[2], CASES[3]
    check_exponentiator(runner, ROW, [first, again, no_product, no_product], LATE)
    bins.before = "reset"
    check_exponentiator(runner, ROW, [no_product], LATE)
    assert WANTED - bins.found == set()


ORDERS: dict[str, Name] = {"element": ("Element", "take"), "feed": ("DigitFeed", "at")}
CUT: tuple[Name, ...] = (("TurningElement", "take"), ("Cut", "kept_take"), ("Cut", "kept_go"))
KEEPS = ArrayExponentiator(NBITS, odd_modulus, 4, 12, LEFT_TO_RIGHT, keeps=True)
# A row whose ladder has shares of the exponent, and one that splits: they have relays of their own.
MASKED = BlindedExponentiator(8, odd_modulus, 8, 24, 0, LADDER)
SPLIT = SplitExponentiator(16, odd_modulus, 8, 32, 2, False)


class AfterRelays(Registers):
    """The registers a cycle after a reset of one cycle, as what it clears is told by relays."""

    def after_reset(self) -> tuple[int, ...]:
        before = self._read(self.top)
        for reset in (1, 0):
            self.top.reset @= reset
            self._settle()
            self._edge()
        after = self._read(self.top)
        self._write(self.top, before)
        return after


def orders_left(row: OfHeldOperands) -> dict[Name, str]:
    """What elements and feeds still do a cycle after a reset in any cycle of a power."""
    component = row.rtl()
    component.elaborate()
    registers = AfterRelays(component)
    runner = StreamRunner(component, "rtl")
    registers.prepared(runner.engine.settle, runner.engine.edge)
    runner.engine.edge = registers.tried_edge
    check_exponentiator(runner, row, [ExpCase("short", row.nbits, 77, 5, 253)])
    return {
        name: what for name, what in registers.outlived.items() if name in (*ORDERS.values(), *CUT)
    }


@pytest.mark.parametrize("row", [KEEPS, MASKED, SPLIT], ids=["keeps", "masked", "split"])
def test_a_reset_ends_every_order(row: OfHeldOperands):
    assert orders_left(row) == {}


@pytest.mark.parametrize("part", ORDERS)
def test_an_order_that_outlives_a_reset_is_found(tmp_path, monkeypatch, part: str):
    sound = f"{part}.clear //= relay.out"
    broken = plant(tmp_path, rtl.exp.array_row, sound, f"{part}.clear //= 0")
    monkeypatch.setattr(rtl.exp.array, "PowerRow", broken.PowerRow)
    assert ORDERS[part] in orders_left(KEEPS)
