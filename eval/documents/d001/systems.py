"""The benchmark on the processor beside document 001's table 1."""

from collections.abc import Iterator
from itertools import product

from eval.catalog.processor import DIVIDERS, WORD
from eval.catalog.workloads import WORKLOADS
from eval.documents.d001.figures import DUMMY_CYCLES
from eval.documents.systems import printed_call
from eval.documents.tables import table
from eval.table import Row
from eval.tasks.execution_section import Rows, call_of, on_system
from eval.tasks.systems import ALL_SYSTEMS, NAIVE, OF_TABLE_1, SYSTEMS, System

PRINTED_DIVIDER = "seed"  # a quotient bit per cycle, as in the document's processor


def _measured(rows: Rows, system: System) -> bool:
    return any(rows.get(on_system(system, divider)) for divider in DIVIDERS)


def _calls(rows: Rows) -> Iterator[Row]:
    """List every system, measured or not, with either divider."""
    for system in ALL_SYSTEMS:
        if system in SYSTEMS or _measured(rows, system):
            for divider, workload in product(DIVIDERS, WORKLOADS):
                yield _call(rows, system, divider, workload)


def _call(rows: Rows, system: System, divider: str, workload: str) -> Row:
    """Set a call on a system beside those of the programs in C."""
    task = on_system(system, divider)
    beside = {"ours": system, "naive": NAIVE, "mont": OF_TABLE_1[1]}
    return Row(
        *(task, rows.get(task)),
        **{"title": system.title, "divider": divider, "workload": workload},
        **{name: call_of(rows, of, divider, workload) for name, of in beside.items()},
        printed={name: printed_call(of, workload).cycles for name, of in beside.items()},
    )


CALLS = table("001", "CALLS", rows=_calls)


def _as_printed(rows: Rows) -> Iterator[Row]:
    """List the systems that are as the document says, if they all were measured."""
    if all(_measured(rows, system) for system in OF_TABLE_1):
        for workload, system in product(WORKLOADS, OF_TABLE_1):
            yield _call(rows, system, PRINTED_DIVIDER, workload)


TABLE_1 = table(
    "001",
    "TABLE_1",
    {"steps": WORD, "dummy": DUMMY_CYCLES},
    {
        "printed_call": lambda row: row.printed["ours"] + DUMMY_CYCLES,
        "our_call": lambda row: row.ours.cycles + row.result.call.cycles,
    },
    rows=_as_printed,
)
