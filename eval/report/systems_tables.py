"""Document 001's systems in the report: ours beside the printed figures, and what differs."""

from eval.catalog.processor import ALONE, NAIVE, NULL, PRINTED_AREAS, Processor, System
from eval.report.tabulate import Grid, Line
from eval.study.results import StudyResult, command_for
from eval.tasks.execution import Execution
from eval.tasks.measure import Hardening
from eval.tasks.metrics import METRICS
from proc.systems import DIVIDERS


def systems_grid(found: StudyResult) -> Grid | None:
    """Cycles of every system with either divider; None if the study has no systems."""
    if not found.study.systems:
        return None
    lines = []
    for system in found.study.systems:
        for divider in DIVIDERS:
            lines += [_line(found, system, divider, workload) for workload in "ed"]
    return Grid(
        "Document 001's systems: the processor with ..., 32 bits",
        (
            *("system", "divider", "work-\nload", "instruc-\ntions", "cycles", "speed-\nup"),
            *("001:\ncycles", "001:\nspeed-up", "ours /\n001"),
        ),
        tuple(lines),
        words=(0, 1, 2),
        note="Cycles and instructions of one call, normalised: less the same call returning a "
        "constant. Simulated (level batch, memory answers in one cycle), every answer checked; "
        "the commands print the same numbers. Speed-up: against the naive program with the same "
        "divider. Document 001 has one processor; both of ours stand beside it.",
    )


def _line(found: StudyResult, system: System, divider: str, workload: str) -> Line:
    task = Execution(system.on(divider), system.variant)
    ours = found.executions.get(task)
    naive = found.executions.get(Execution(NAIVE.on(divider), NAIVE.variant))
    printed, printed_naive = (getattr(s, f"cycles_{workload}") for s in (system, NAIVE))
    cells = ["-"] * 3 + [str(printed), f"{printed_naive / printed:.1f}", "-"]
    if ours:
        window = ours["normalised"][workload]
        cells[:2] = str(window["instructions"]), str(window["cycles"])
        cells[5] = f"{window['cycles'] / printed:.2f}"
        if naive:
            cells[2] = f"{naive['normalised'][workload]['cycles'] / window['cycles']:.1f}"
    return Line((system.title, divider, workload, *cells), (task.command,))


PROCESSOR_METRICS = ("area_um2", "cells", "setup_slack_ns", "shortest_period_ns")


def processors_grid(found: StudyResult) -> Grid | None:
    """Area and timing of the processors; None if the study has none."""
    if not found.study.processors:
        return None
    lines = []
    for processor in found.study.processors:
        task = Hardening(processor, "system", found.study.clock_ns)
        metrics = found.processors.get(task, {}).get("metrics", {})
        printed, ours = PRINTED_AREAS.get(processor.attached), metrics.get("area_um2")
        lines.append(
            Line(
                (
                    _title(processor),
                    processor.divider,
                    *(METRICS[m].format(metrics.get(m)) for m in PROCESSOR_METRICS),
                    METRICS["area_um2"].format(printed),
                    f"{ours / printed:.2f}" if ours and printed else "-",
                ),
                (command_for(task),),
            )
        )
    return Grid(
        f"Area and timing of the processor, for a clock of {found.study.clock_ns:g} ns",
        (
            *("system", "divider"),
            *(f"{METRICS[m].title}\n{METRICS[m].unit}" for m in PROCESSOR_METRICS),
            *("001: area\num2", "ours /\n001"),
        ),
        tuple(lines),
        words=(0, 1),
        note="Without the ports that show what retires. Document 001's areas are those of layouts.",
    )


def _title(processor: Processor) -> str:
    if processor.attached == ALONE:
        return "alone"
    if processor.attached == NULL:
        return "with null accelerator"
    return f"with {processor.attached}-{processor.nbits}"
