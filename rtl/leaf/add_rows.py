"""Adds rows of bits in carry-save form, three rows by one row of full adders, until few are left.

A row has bits in some columns only. Where two of three rows have one, a full adder is a half adder,
which adds nothing up: two bits are two bits afterwards. So, of the rows that come first, those are
taken together that leave few such columns and make no late row.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, starmap
from typing import NamedTuple

from pymtl3 import InPort, OutPort, Wire, connect

from rtl.leaf.compression import FullAdders
from rtl.leaf.flattened import Flattened

# How long a sum and a carry take, from x or y and from z on, in times of a sum from x.
SUM, CARRY = (1, 0.9), (0.8, 0.65)
HALF_SUM, HALF_CARRY = 0.5, 0.35
# Rows may be taken together that are no further apart in time, of so many that come first.
NEAR, MOST = 0.5, 6
LATE = 16  # half adders that are as bad as a row that comes later by one
WAYS = 8

Row = tuple[float | None, ...]  # when the bit of each column comes; None: there is none


class Taken(NamedTuple):
    """Which rows a row of full adders takes. Those that it makes are the next: sum and carry."""

    x: int
    y: int
    z: int


def row(nbits: int, at: int, bits: int, arrival: float) -> Row:
    """Make a row of bits that come at once, the lowest of which counts 2^at."""
    return (None,) * at + (arrival,) * bits + (None,) * (nbits - at - bits)


def both(row: Row, other: Row) -> Row | None:
    """Make one row of two, if no column has a bit of each."""
    if any(None not in bits for bits in zip(row, other, strict=True)):
        return None
    return tuple(b if a is None else a for a, b in zip(row, other, strict=True))


@cache
def plan(rows: tuple[Row, ...], left: int = 2) -> tuple[Taken, ...]:
    """Choose the full adders that leave so many rows: step by step, with the best few ways so far.

    An empty plan, if there are no more.
    """
    return planned(rows, left).taken


@cache
def planned(rows: tuple[Row, ...], left: int = 2) -> "Way":
    """Return the way that the plan takes."""
    ways = [Way(0, rows, tuple(range(len(rows))), ())]
    for _ in range(len(rows) - left):
        further = {}
        for way in ways:
            for longer in way.longer():
                further.setdefault(longer.left(), longer)
        ways = sorted(further.values(), key=lambda way: way.price)[:WAYS]
    return min(ways, key=lambda way: (max(map(latest, way.left())), way.price))


class Way(NamedTuple):
    """What speaks against having taken these rows, all rows known, and which are to be added."""

    price: float
    known: tuple[Row, ...]
    waiting: tuple[int, ...]
    taken: tuple[Taken, ...]

    def longer(self) -> Iterator["Way"]:
        """Take three rows more, of those that come first."""
        waiting = sorted(self.waiting, key=lambda i: latest(self.known[i]))
        limit = latest(self.known[waiting[2]]) + NEAR
        new = len(self.known)
        near = [i for i in waiting if latest(self.known[i]) <= limit][:MOST]
        for taken in starmap(Taken, combinations(near, 3)):
            made = added(*(self.known[i] for i in taken))
            rest = (*(i for i in waiting if i not in taken), new, new + 1)
            rows = (*self.known, made.sum, made.carry)
            yield Way(self.price + made.price, rows, rest, (*self.taken, taken))

    def left(self) -> frozenset[Row]:
        """List the rows that are to be added."""
        return frozenset(self.known[i] for i in self.waiting)


@cache
def latest(row: Row) -> float:
    """Tell when all bits of a row are there."""
    return max((bit for bit in row if bit is not None), default=0)


class Added(NamedTuple):
    """The rows that come of three, and what speaks against them."""

    sum: Row
    carry: Row
    price: float


@cache
def added(x: Row, y: Row, z: Row) -> Added:
    """Tell what a row of full adders makes of three rows."""
    columns = [_column(*bits) for bits in zip(x, y, z, strict=True)]
    sums = tuple(column[0] for column in columns)
    halves = sum(bits.count(None) == 1 for bits in zip(x, y, z, strict=True))
    return Added(
        sums, (None, *(column[1] for column in columns[:-1])), halves + LATE * latest(sums)
    )


def _column(x: float | None, y: float | None, z: float | None) -> tuple[float | None, float | None]:
    """Tell when the sum and the carry of a column come, if they do."""
    bits = [bit for bit in (x, y, z) if bit is not None]
    if len(bits) == 3:
        first = max(bits[:2])
        return max(first + SUM[0], bits[2] + SUM[1]), max(first + CARRY[0], bits[2] + CARRY[1])
    if len(bits) == 2:
        return max(bits) + HALF_SUM, max(bits) + HALF_CARRY
    return (bits[0] if bits else None), None


OUTPUTS = ("sum", "carry", "third", "fourth")


class AddRows(Flattened):
    """sum + carry = row_0 + row_1 + ..., modulo 2^nbits, of rows with bits in these columns.

    left: how many rows are left over, of OUTPUTS.
    """

    def construct(s, nbits: int, rows: tuple[Row, ...], left: int = 2):
        for name in OUTPUTS[:left]:
            setattr(s, name, OutPort(nbits))
        known = []
        for i in range(len(rows)):
            port = InPort(nbits)
            setattr(s, f"row_{i}", port)
            known.append(port)
        waiting = set(range(len(rows)))
        for number, taken in enumerate(plan(tuple(rows), left)):
            adders = FullAdders(nbits)
            doubled = Wire(nbits)
            setattr(s, f"adders_{number}", adders)
            setattr(s, f"doubled_{number}", doubled)
            for port, i in zip((adders.x, adders.y, adders.z), taken, strict=True):
                connect(port, known[i])
            connect(doubled[1:nbits], adders.carry[0 : nbits - 1])
            connect(doubled[0], 0)
            waiting = waiting - {*taken} | {len(known), len(known) + 1}
            known += [adders.sum, doubled]
        for name, i in zip(OUTPUTS, sorted(waiting), strict=False):
            connect(getattr(s, name), known[i])


def runs(row: Row) -> Iterator[tuple[int, int]]:
    """List the columns without a bit, as runs: the lowest and how many there are."""
    start = None
    for column, bit in enumerate((*row, 0.0)):
        if bit is None and start is None:
            start = column
        elif bit is not None and start is not None:
            yield start, column - start
            start = None


def span(row: Row) -> tuple[int, int]:
    """Return the lowest column with a bit, and that after the highest."""
    columns = [column for column, bit in enumerate(row) if bit is not None]
    return columns[0], columns[-1] + 1


def rows_left(rows: tuple[Row, ...], left: int) -> list[Row]:
    """List the rows that AddRows leaves, in the order of its outputs."""
    way = planned(rows, left)
    return [way.known[i] for i in sorted(way.waiting)]
