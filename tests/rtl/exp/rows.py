"""What a row of elements that exponentiates by itself is checked by."""

from pymtl3 import Component

from eval.contract.exponentiator import ExpCase
from rtl.exp.array import ArrayExponentiator
from tests.harness import check_within, component_runner


def check_row(design: ArrayExponentiator, hardware: Component, cases: list[ExpCase]) -> None:
    """The requests in turn; as the Verilog."""
    with component_runner(hardware, "batch") as runner:
        for some in (cases[:3], cases):
            check_within(runner, design, some, room=100)
