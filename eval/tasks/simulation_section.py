"""What a report shows of simulated workloads: their cycles."""

from eval.table import Row, Table, numbers, words
from eval.tasks.columns import MARKED, NBITS
from eval.tasks.section import Section, tables


def _exponent(row: Row) -> str:
    exponent = row.result.request["exp"]
    return f"{exponent.bit_length()} / {exponent.bit_count()}"


CYCLES = Table(
    "Cycles of one exponentiation",
    MARKED
    + NBITS
    + words({"workload": "workload"})
    + numbers(
        0,
        {
            "exponent bits / ones": _exponent,
            "exponentiator": lambda row: row.metrics.get(f"cycles_{row.task.workload}"),
            "accelerator": lambda row: row.metrics.get(f"xcel_cycles_{row.task.workload}"),
        },
    ),
    "Accelerator: through its port, from the first operand word pushed to the last result word "
    "popped. Exponentiator: from request to response, which is that less the words' way. "
    "Simulated: translated Verilog, compiled (level batch); every answer was checked.",
    commands=lambda row: (row.task.command, row.task.port_command),
)

SECTION = Section(designs=tables(CYCLES))
