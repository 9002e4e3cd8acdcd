"""What a report finds among the benchmark's rows; what it shows of them is a document's."""

from collections.abc import Mapping

from eval.tasks.execution import Call, Execution, ExecutionResult
from eval.tasks.section import Section
from eval.tasks.systems import System

Rows = Mapping[Execution, ExecutionResult | None]


def on_system(system: System, divider: str) -> Execution:
    """Name what is measured of a system."""
    return Execution(system.on(divider), system.variant)


def call_of(rows: Rows, system: System, divider: str, workload: str) -> Call | None:
    """Find what a call on a system takes, if it was measured."""
    result = rows.get(on_system(system, divider))
    return result.normalised[workload] if result else None


SECTION = Section()
