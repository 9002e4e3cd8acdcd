"""A component's ports by name, a clock between: at levels fl, cl and rtl in PyMTL3, or compiled."""

from collections.abc import Callable
from pathlib import Path

from pymtl3 import Component

from sim.python import half_cycles
from sim.transfers import RESET_CYCLES
from sim.translate import Translation


class PythonPins:
    """Drives a component in PyMTL3's own simulator."""

    def __init__(self, component: Component, vcd: Path | None = None) -> None:
        self.component = component
        self.settle, self.edge = half_cycles(component, vcd)

    def drive(self, name: str, value: int) -> None:
        """Set an input."""
        port = getattr(self.component, name)
        port @= value

    def value(self, name: str) -> int:
        """Return the value of a port as of the last settle."""
        return int(getattr(self.component, name))

    def line_trace(self) -> str:
        """Return the component's own trace."""
        return str(self.component.line_trace())

    def close(self) -> None:
        """Do nothing."""


class BatchPins:
    """Drives a translated design, Verilated."""

    def __init__(self, design: Component | Translation, vcd: Path | None = None) -> None:
        from sim.batch import BatchModel

        self.model = BatchModel(design, vcd=vcd)
        self.drive, self.value = self.model.poke, self.model.peek
        self.settle: Callable[[], None] = self.model.settle
        self.edge: Callable[[], None] = self.model.step
        self.close = self.model.close

    def line_trace(self) -> str:
        """Return the ports that are set, by name."""
        values = {name: self.model.peek(name) for name in self.model.ports}
        return " ".join(f"{name}={value:x}" for name, value in values.items() if value)


Pins = PythonPins | BatchPins


def reset(pins: Pins, inputs: tuple[str, ...], cycles: int = RESET_CYCLES) -> None:
    """Hold reset with all inputs 0; the next settle is that of cycle 0."""
    for name in inputs:
        pins.drive(name, 0)
    pins.drive("reset", 1)
    for _ in range(cycles):
        pins.settle()
        pins.edge()
    pins.drive("reset", 0)
