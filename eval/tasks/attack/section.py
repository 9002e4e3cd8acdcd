"""What a report shows of attacks: keys found by so many traces, and the noise that hides them."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby

from eval.table import Grid, Row, Table, numbers, rows_of, words
from eval.table.column import Columns
from eval.tasks.attack.campaign import MOST_NOISE, Asked
from eval.tasks.attack.task import Attack, AttackResult
from eval.tasks.columns import DESIGN, NBITS
from eval.tasks.section import Section

Rows = Mapping[Attack, AttackResult | None]


def _found(i: int, row: Row) -> int:
    return int(row.result.found[i].keys)


def right_of(share: float) -> float:
    """Return a share in percent: all bits alone are 100."""
    return 100.0 if share == 1 else min(100 * share, 99.0)


def _right(i: int, row: Row) -> float:
    return right_of(row.result.found[i].right)


def _fails(row: Row) -> str:
    one = row.result
    if one.fails is not None:
        return f"{one.fails:g}"
    return f"> {MOST_NOISE[row.task.how.level]:g}" if one.found[-1].keys else "-"


def _pair(row: Row) -> str | None:
    pair = row.result.pair
    return f"{pair[0]}, {pair[1]}" if pair else None


def _columns(asked: Asked) -> Columns:
    columns = DESIGN + NBITS + words({"attack": "attack"})
    for i, count in enumerate(asked.steps):
        columns += numbers(0, {f"by\n{count}": partial(_found, i), "bits\n%": partial(_right, i)})
    return columns + words({"fails from\nnoise": _fails, "pair": _pair})


def _outcomes(rows: Rows) -> Iterator[Row]:
    for row in rows_of(rows):
        for one in row.result.attacks:
            yield Row(row.task, one, attack=one.attack)


def grids(rows: Rows) -> Iterator[Grid | None]:
    """Show the attacks, in a table for each way in which they were tried."""
    order = sorted(rows, key=lambda task: str(task.how))
    for asked, tasks in groupby(order, key=lambda task: task.how):
        noise = f" through noise of {asked.noise:g}" if asked.noise else ""
        yield Table(
            f"Keys of {asked.keys} found by attacks at {asked.level}{noise}",
            _columns(asked),
            f"Keys found, of {asked.keys}, by so many traces of each. Bits: those that are right; "
            "only all of them are 100 %, and half of them is chance. Correlation: bases are known, "
            f"and the design is the model. Template and pairs learn from {asked.profile} traces "
            "with known keys: means by cycle, and products of two cycles of neighbouring rounds. "
            "Horizontal: nothing is "
            "learnt, and rounds fall into two classes. Fails from: the least noise tried, its "
            "standard deviation in register bits or fJ, through which all traces find no key. "
            "Pair: the two cycles of a round that tell most; those of the round before are below "
            "0. Attacks that do not know when a bit is used leave a design out.",
            rows=_outcomes,
        ).of({task: rows[task] for task in tasks})


SECTION = Section(results=grids)
