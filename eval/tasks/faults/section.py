"""What a report shows of faults in registers: outcomes, shares, and where most can be exploited."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from eval.table import Row, Table, numbers, percent, words
from eval.table.column import Columns, Get
from eval.tasks.faults.operation import EXPLOITABLE, OUTCOMES
from eval.tasks.faults.task import Faults, FaultsResult
from eval.tasks.section import Section, measured, tables

Rows = Mapping[Faults, FaultsResult | None]

MOST_REGISTERS = 8  # of a campaign that are shown


def campaigns(rows: Mapping[Any, Any]) -> Iterator[Row]:
    """Go through the campaigns of each row, with what a check costs."""
    for task, result in measured(rows).items():
        plain = result.campaigns[0]
        for one in result.campaigns:
            yield Row(task, one, price=one.price(plain) if one is not plain else None)


WHICH = words({"design": "point", "oper-\nation": "operation", "fault": "model", "check": "check"})


def outcomes() -> Columns:
    """Make a column of each outcome, from Tried."""
    titles = {name: name.replace(" ", "\n").replace("table", "-\ntable") for name in OUTCOMES}
    return numbers(0, {titles[name]: f"result.outcomes.{name}" for name in OUTCOMES})


TRIED = Table(
    "One bit that is wrong",
    WHICH + numbers(0, {"cycles": "cycles", "faults": "result.faults"}) + outcomes(),
    "In a register of the accelerator, at RTL: flipped in one cycle of a private operation, or "
    "stuck at 0 or 1 from a cycle on. Correct: the right result. Status: the modulus is refused. "
    "No answer: a watchdog sees it. Check: the result to the power e is not the base, or the "
    "result is the base itself; by e: the host compares, and the design makes that power, in which "
    "faults count, too. Exploitable: a prime of n (crt, private) or a bit of d follows from the "
    "wrong result; harmless: not by these attacks.",
    rows=campaigns,
)


def _ends(share: str, title: str) -> dict[str, Get]:
    """Name a share and the ends of its interval."""

    def end(number: int, row: Row) -> float:
        return 100 * float(getattr(row.result, share)[number])

    return {text: partial(end, i) for i, text in enumerate((title, "from", "to"))}


def shares() -> Columns:
    """Make columns of the shares, with their intervals, from Tried."""
    tried = words({"tried": lambda row: "sample" if row.result.drawn else "all"})
    found = numbers(3, _ends("exploitable", "exploi-\ntable, %"))
    return tried + found + numbers(1, _ends("coverage", "detec-\nted, %"))


SHARES = Table(
    "Shares of the faults",
    WHICH
    + numbers(0, {"register\nbits": "register_bits"})
    + shares()
    + numbers(1, {"cycles\nmore, %": percent("price")}),
    "Detected: of those that changed what the host sees. From, to: with 95 % confidence, by "
    "Clopper and Pearson; where all faults were tried there is nothing to estimate.",
    rows=campaigns,
)


def _registers(rows: Rows) -> Iterator[Row]:
    """Go through the registers of each row where most can be exploited without a check."""
    for row in campaigns(rows):
        if row.price is None:
            counts = {name: one.get(EXPLOITABLE, 0) for name, one in row.registers.items()}
            worst = sorted(filter(counts.get, counts), key=lambda name: -counts[name])
            for name in worst[:MOST_REGISTERS]:
                tried = sum(row.registers[name].values())
                yield Row(row.task, row.result, register=name, tried=tried, found=counts[name])


WHERE = Table(
    "Where most can be exploited, without a check by the host",
    WHICH
    + words({"register": "register"})
    + numbers(0, {"faults": "tried"})
    + numbers(0, {"exploitable": "found"}),
    rows=_registers,
)
TOLD = Table(
    "Bits of the exponent that wrong results tell",
    WHICH
    + numbers(0, {"told": lambda row: len(row.result.exponent_bits_told), "of": "point.nbits"}),
    rows=lambda rows: [row for row in campaigns(rows) if row.result.exponent_bits_told],
)
AS_BASE = Table(
    "Results that are the base itself",
    WHICH + numbers(0, {"faults": "result.faults", "refused for\nthis alone": "only_as_base"}),
    "Their power e is the base as well: the same fault ends both powers after the last bit of the "
    "exponent, which is 1 in d and in e. They could be exploited if the host did not refuse the "
    "base as its own signature.",
    rows=lambda rows: [row for row in campaigns(rows) if row.result.only_as_base],
)

SECTION = Section(
    results=tables(TRIED, SHARES),
    details=tables(WHERE, TOLD, AS_BASE),
    alone=tables(TRIED, SHARES, WHERE, TOLD, AS_BASE),
)
