"""A unit at a level of its own in an exponentiator of any level: val/rdy ports where both meet."""

from dataclasses import dataclass
from functools import lru_cache

from pymtl3 import Component

from cl.around import InItsPlace
from cl.exp.clock import Clock
from cl.unit import Unit
from sim.importer import import_verilog
from sim.unit_behind_ports import UnitBehindPorts
from sim.unit_hardware import UnitHardware

CL, RTL, VERILOG = UNIT_LEVELS = ("cl", "rtl", "verilog")


@dataclass(frozen=True)
class AtLevel(InItsPlace):
    """Puts a unit at a level into an exponentiator of any level."""

    level: str

    def __post_init__(self) -> None:
        if self.level == VERILOG:
            imported(self.unit)  # while another component is constructed it could not be

    def rtl(self) -> Component:
        """Make a new component with the ports of the hardware."""
        if self.level == VERILOG:
            return imported(self.unit)()
        return self.unit.rtl() if self.level == RTL else self.cl()

    def shared(self, askers: int, clock: Clock) -> Component:
        """Make a new component at cycle level that so many parts ask by method calls."""
        if self.level == CL:
            return super().shared(askers, clock)
        return UnitBehindPorts(self, askers, clock)

    def simulated(self) -> UnitHardware:
        """Simulate a new component of the hardware by itself."""
        unit = self.unit
        return UnitHardware(
            unit, import_verilog(unit.rtl()) if self.level == VERILOG else unit.rtl()
        )


def imported(unit: Unit) -> type[Component]:
    """Return the component that runs the unit's Verilog."""
    return type(_first(unit))


@lru_cache(maxsize=8)
def _first(unit: Unit) -> Component:
    """Import the unit's Verilog. The component stays: with it the folder would go from which
    others of its class load the library."""
    return import_verilog(unit.rtl())
