"""What a report shows of leakage: the tests, and what was read off a mean trace."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.columns import DESIGN, NBITS
from eval.tasks.leakage.chance import ALPHA, in_any, threshold_of
from eval.tasks.leakage.task import Leakage, LeakageResult
from eval.tasks.leakage.welch import THRESHOLD
from eval.tasks.section import Chart, Section, tables

Rows = Mapping[Leakage, LeakageResult | None]

GAP = 16  # cycles
SPANS_SHOWN = 4
MOST_PARTS = 100_000  # registers or nets of a design, each of which chance may have pass


def _tests(rows: Rows) -> Iterator[Row]:
    """Go through the t-tests: against what, and what came out."""
    for row in rows_of(rows):
        for against, test in row.result.tests.items():
            yield Row(row.task, test, against=against, work=row.result.work)


LEVEL = words({"level": "level", "blinded": "blinding"})
RANDOM = DESIGN + NBITS + LEVEL + words({"random": "against"})
TESTS = Table(
    "Power leakage",
    RANDOM
    + numbers(0, {"traces": "traces"})
    + numbers(1, {"|t|": lambda row: row.result.most(row.work)})
    + numbers(0, {"cycles\nthat leak": lambda row: row.result.leaking[0]})
    + words({"seen\nafter": lambda row: row.result.seen[0]})
    + numbers(1, {"hiding\nnoise": "hiding", "2nd\n|t|": lambda row: row.result.most(row.work, 2)}),
    "Welch's t of fixed against random operands, by what changes in each cycle of the "
    "accelerator, without noise: the register bits at RTL, the nets of the mapped cells at "
    "gates, weighted by capacitance, each once in a cycle or, at glitches, as often as the gates' "
    "delays make it; at layout so, too, with its wires and what is between them. Cycles "
    "count once the operands are there. |t|: the largest. "
    f"A cycle leaks if |t| > {THRESHOLD} in both halves of the traces, with one sign; "
    "seen after so many traces. Hiding noise: its standard deviation in bits or fJ, through "
    "which as many traces see nothing. 2nd: the same of the variances. Blinded: the exponent "
    "by so many bits. The bases are random where the "
    "exponent is compared; random exponents are as long as the fixed one. A base that is not "
    "blinded always tells: what is fixed computes the same each time.",
    rows=_tests,
)


def _parts(rows: Rows) -> list[Row]:
    """List the registers and nets that leak in each test, by more than chance has any of them."""
    return [
        Row(row.task, part, against=row.against)
        for row in _tests(rows)
        for part in row.result.parts
        if part.t > threshold_of(MOST_PARTS * _cycles(row), 1)
    ]


PARTS = Table(
    "Registers and nets that leak most",
    RANDOM + words({"by": "name"}) + numbers(1, {"|t|": "t"}) + numbers(0, {"in cycle": "cycle"}),
    "|t| of the toggles of this alone, in the cycle in which it is largest once the operands are "
    f"there, if it is above what chance passes anywhere in {MOST_PARTS} of them with a probability "
    f"of {ALPHA:.0e} (Sidak).",
    rows=_parts,
)


def spans(t: Sequence[float], begin: int) -> list[tuple[int, int]]:
    """Return the first and last cycles of the spans, from a cycle on, in which |t| passes the
    threshold again and again, with gaps of at most GAP cycles."""
    found: list[tuple[int, int]] = []
    for cycle, value in enumerate(t):
        if cycle < begin or abs(value) <= THRESHOLD:
            continue
        if found and cycle - found[-1][1] <= GAP:
            found[-1] = found[-1][0], cycle
        else:
            found.append((cycle, cycle))
    return found


def _when(row: Row) -> str:
    found = spans(row.result.t[0], row.work)
    shown = ", ".join(f"{first} to {last}" for first, last in found[:SPANS_SHOWN])
    return shown + f" and {len(found) - SPANS_SHOWN} more" * (len(found) > SPANS_SHOWN)


WHEN = Table(
    "When it leaks",
    DESIGN
    + NBITS
    + words({"random": "against"})
    + numbers(0, {"cycles": lambda row: len(row.result.t[0])})
    + words({f"|t| > {THRESHOLD} in": _when}),
    f"Cycles from the first push on, with gaps of up to {GAP}; the pushes of the operands are left "
    "out. All traces are compared: one cycle of 150 000 passes by chance.",
    rows=lambda rows: [row for row in _tests(rows) if spans(row.result.t[0], row.work)],
)


def _cycles(row: Row) -> int:
    return len(row.result.t[0]) - row.work


def _threshold(row: Row) -> float:
    return threshold_of(_cycles(row), 1)


def _above(order: int, row: Row) -> int:
    threshold = _threshold(row)
    return sum(abs(t) > threshold for t in row.result.t[order - 1][row.work :])


CHANCE = Table(
    "What chance passes",
    DESIGN
    + NBITS
    + words({"random": "against"})
    + numbers(0, {"cycles\ntested": _cycles})
    + numbers(2, {"threshold": _threshold})
    + numbers(0, {"above": partial(_above, 1), "2nd\nabove": partial(_above, 2)})
    + words({f"{THRESHOLD} by chance\nin all traces": lambda row: _chance(row, 1)})
    + words({"in both\nhalves": lambda row: _chance(row, 2)}),
    f"Threshold: of |t| over all traces, which chance passes anywhere in so many cycles with a "
    f"probability of {ALPHA:.0e} (Sidak); above: cycles that pass it. By chance: the probability "
    f"that a trace without a leak passes {THRESHOLD} in some cycle, and in some cycle of both "
    "halves with one sign. Cycles are taken as independent.",
    rows=_tests,
)


def _chance(row: Row, halves: int) -> str:
    return f"{in_any(THRESHOLD, _cycles(row), halves):.1e}"


READ = Table(
    "Exponents read off a mean trace",
    DESIGN + NBITS + LEVEL + numbers(0, {"right bits": "read.right", "of": "read.bits"}),
    "Designs that square and multiply side by side: each round's toggles, parted into two "
    "classes by a threshold. Half of the bits is chance.",
    rows=lambda rows: [row for row in rows_of(rows) if row.result.read],
)


def charts(rows: Rows) -> list[Chart | None]:
    """Draw t over time, and the mean traces that exponents are read off."""
    from eval.tasks.leakage.chart import mean_chart, t_chart

    return [t_chart(rows), mean_chart(rows)]


SECTION = Section(
    results=tables(TESTS, READ),
    charts=charts,
    details=tables(PARTS),
    alone=tables(TESTS, READ, WHEN, PARTS, CHANCE),
)
