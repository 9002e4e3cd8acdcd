"""What a report shows of instructions that are left out: outcomes, shares, and by function."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, percent, words
from eval.tasks.faults.operation import CHECK, EXPLOITABLE
from eval.tasks.faults.section import campaigns, outcomes, shares
from eval.tasks.faults.skips import Skips, SkipsResult
from eval.tasks.section import Section, tables

Rows = Mapping[Skips, SkipsResult | None]


WHICH = words({"design": "point", "oper-\nation": "operation", "fault": "model", "check": "check"})
TRIED = Table(
    "One instruction that is left out",
    WHICH + numbers(0, {"instruc-\ntions": "instructions", "skips": "result.faults"}) + outcomes(),
    "Of the driver in a private operation on the processor, at level fl, with an accelerator of "
    "the design; by crt the driver puts the signature together from the powers modulo both primes, "
    "by private the accelerator makes it. Pair: the power modulo p, or that modulo q, is wrong in "
    "its lowest bit as well. Check: the driver refuses the result, even if it is right; primes: by "
    "two short powers of the accelerator, infective: the same, and a wrong result changes, "
    "software: by the processor, its own: by the accelerator. No answer: a trap, or none in twice "
    "the instructions. Exploitable: a prime of n follows from what the driver gives out; harmless: "
    "not by that attack.",
    rows=campaigns,
)
SHARES = Table(
    "Shares of the instructions",
    WHICH + shares() + numbers(1, {"instructions\nmore, %": percent("price")}),
    "Detected: of those that changed what the host sees. From, to: with 95 % confidence, by "
    "Clopper and Pearson; where all were left out there is nothing to estimate.",
    rows=campaigns,
)


def _functions(rows: Rows) -> Iterator[Row]:
    """Go through the functions of each campaign in which a skip can be exploited."""
    for row in campaigns(rows):
        for name, counts in row.result.functions.items():
            if counts.get(EXPLOITABLE):
                yield Row(row.task, row.result, function=name, counts=counts)


WHERE = Table(
    "Where a skip can be exploited",
    WHICH
    + words({"function": "function"})
    + numbers(
        0,
        {
            "skips": lambda row: sum(row.counts.values()),
            "refused": lambda row: row.counts.get(CHECK, 0),
            "exploitable": lambda row: row.counts[EXPLOITABLE],
        },
    ),
    "What the compiler puts in line counts as the function around it.",
    rows=_functions,
)

SECTION = Section(
    results=tables(TRIED, SHARES),
    details=tables(WHERE),
    alone=tables(TRIED, SHARES, WHERE),
)
