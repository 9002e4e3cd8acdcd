"""What a report shows of the benchmark on the processor, beside document 001's table 1."""

from collections.abc import Mapping

from eval.catalog.processor import WORD
from eval.catalog.workloads import WORKLOADS
from eval.tasks.execution import Call, Execution, ExecutionResult
from eval.tasks.grid import Grid, Line, grid, line, numbers, words
from eval.tasks.section import Section
from eval.tasks.systems import ALL_SYSTEMS, NAIVE, OF_TABLE_1, SYSTEMS, System
from proc.systems import DIVIDERS

Rows = Mapping[Execution, ExecutionResult | None]


def on_system(system: System, divider: str) -> Execution:
    """Name what is measured of a system."""
    return Execution(system.on(divider), system.variant)


def call_of(rows: Rows, system: System, divider: str, workload: str) -> Call | None:
    """Find what a call on a system takes, if it was measured."""
    result = rows.get(on_system(system, divider))
    return result and result.normalised[workload]


def systems_grid(rows: Rows) -> Grid | None:
    """Show the cycles of every system with either divider; a dash for what was not measured."""
    return grid(
        "Document 001's systems: the processor with ..., 32 bits",
        (
            words("system", "divider", "work-\nload")
            + numbers(0, "instruc-\ntions", "cycles")
            + numbers(1, "speed-\nup")
            + numbers(0, "001:\ncycles")
            + numbers(1, "001:\nspeed-up")
            + numbers(2, "ours /\n001")
        ),
        (
            _line(rows, system, divider, workload)
            for system in ALL_SYSTEMS
            if system in SYSTEMS or _measured(rows, system)
            for divider in DIVIDERS
            for workload in WORKLOADS
        ),
        "Cycles and instructions of one call, normalised: less the same call returning a "
        "constant. Simulated (level batch, memory answers in one cycle), every answer checked; "
        "the commands print the same numbers. Speed-up: against the naive program with the same "
        "divider. Document 001 has one processor; both of ours stand beside it.",
    )


def _line(rows: Rows, system: System, divider: str, workload: str) -> Line:
    ours, naive = (call_of(rows, s, divider, workload) for s in (system, NAIVE))
    printed, printed_naive = (s.printed.calls[workload].cycles for s in (system, NAIVE))
    cells = (
        *(system.title, divider, workload),
        *(ours and ours.instructions, ours and ours.cycles),
        ours and naive and naive.cycles / ours.cycles,
        *(printed, printed_naive / printed, ours and ours.cycles / printed),
    )
    return line(*cells, commands=(on_system(system, divider).command,))


def _measured(rows: Rows, system: System) -> bool:
    return any(rows.get(on_system(system, divider)) for divider in DIVIDERS)


PRINTED_DIVIDER = "seed"  # a quotient bit per cycle, as in the document's processor
DUMMY = 9  # cycles of the document's call that returns a constant


def table_1_grid(rows: Rows) -> Grid | None:
    """Show document 001's table 1 row by row, of the systems that are as it says; None unless they
    all were measured."""
    if not all(_measured(rows, system) for system in OF_TABLE_1):
        return None
    return grid(
        "Table 1 of document 001: cycles, and speed-ups of normalised cycles",
        (
            words("system", "work-\nload")
            + numbers(0, "001:\ncycles", "ours")
            + numbers(0, "001:\nnormalised", "ours")
            + numbers(2, "001: from\nnaive C", "ours", "001: from\nMont. C", "ours")
        ),
        (_table_1_line(rows, system, workload) for workload in WORKLOADS for system in OF_TABLE_1),
        f"With the divider that takes {WORD} steps, as the document's. Not "
        f"normalised, a call holds {DUMMY} cycles there, more here. Naive C waits for the same "
        "divisions. The Montgomery program is the document's algorithm 3; it prints neither how "
        "that finds its constants nor the compiler's options, on which cycles depend; ours: -O2.",
    )


def _table_1_line(rows: Rows, system: System, workload: str) -> Line:
    result = rows[on_system(system, PRINTED_DIVIDER)]
    call, printed = result.normalised[workload], system.printed.calls[workload].cycles
    speed_ups = []
    for other in OF_TABLE_1[:2]:
        theirs = call_of(rows, other, PRINTED_DIVIDER, workload).cycles
        speed_ups += [other.printed.calls[workload].cycles / printed, theirs / call.cycles]
    return line(
        *(system.title, workload, printed + DUMMY, call.cycles + result.call.cycles),
        *(printed, call.cycles, *speed_ups),
        commands=(on_system(system, PRINTED_DIVIDER).command,),
    )


SECTION = Section(results=lambda rows: [systems_grid(rows), table_1_grid(rows)])
