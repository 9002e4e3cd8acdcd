"""The benchmark on the processor beside document 001's table 1."""

from collections.abc import Iterator
from itertools import product

from eval.catalog.processor import WORD
from eval.catalog.workloads import WORKLOADS
from eval.documents.d001.figures import DUMMY_CYCLES
from eval.documents.systems import printed_call
from eval.table import Row, Table, numbers, ratio, words
from eval.tasks.columns import WORKLOAD
from eval.tasks.execution_section import Rows, call_of, on_system
from eval.tasks.systems import ALL_SYSTEMS, NAIVE, OF_TABLE_1, SYSTEMS, System
from proc.run.systems import DIVIDERS

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


CALLS = Table(
    "Document 001's systems: the processor with ..., 32 bits",
    words({"system": "title", "divider": "divider"})
    + WORKLOAD
    + numbers(0, {"instruc-\ntions": "ours.instructions", "cycles": "ours.cycles"})
    + numbers(1, {"speed-\nup": ratio("naive.cycles", "ours.cycles")})
    + numbers(0, {"001:\ncycles": "printed.ours"})
    + numbers(1, {"001:\nspeed-up": ratio("printed.naive", "printed.ours")})
    + numbers(2, {"ours /\n001": ratio("ours.cycles", "printed.ours")}),
    "Cycles and instructions of one call, normalised: less the same call returning a "
    "constant. Simulated (level batch, memory answers in one cycle), every answer checked; "
    "the commands print the same numbers. Speed-up: against the naive program with the same "
    "divider. Document 001 has one processor; both of ours stand beside it.",
    rows=_calls,
)


def _as_printed(rows: Rows) -> Iterator[Row]:
    """List the systems that are as the document says, if they all were measured."""
    if all(_measured(rows, system) for system in OF_TABLE_1):
        for workload, system in product(WORKLOADS, OF_TABLE_1):
            yield _call(rows, system, PRINTED_DIVIDER, workload)


TABLE_1 = Table(
    "Table 1 of document 001: cycles, and speed-ups of normalised cycles",
    words({"system": "title"})
    + WORKLOAD
    + numbers(0, {"001:\ncycles": lambda row: row.printed["ours"] + DUMMY_CYCLES})
    + numbers(0, {"ours": lambda row: row.ours.cycles + row.result.call.cycles})
    + numbers(0, {"001:\nnormalised": "printed.ours", "ours": "ours.cycles"})
    + numbers(2, {"001: from\nnaive C": ratio("printed.naive", "printed.ours")})
    + numbers(2, {"ours": ratio("naive.cycles", "ours.cycles")})
    + numbers(2, {"001: from\nMont. C": ratio("printed.mont", "printed.ours")})
    + numbers(2, {"ours": ratio("mont.cycles", "ours.cycles")}),
    f"With the divider that takes {WORD} steps, as the document's. Not "
    f"normalised, a call holds {DUMMY_CYCLES} cycles there, more here. Naive C waits for the same "
    "divisions. The Montgomery program is the document's algorithm 3; it prints neither how "
    "that finds its constants nor the compiler's options, on which cycles depend; ours: -O2.",
    rows=_as_printed,
)
