"""Tell what the buffers of a clock tree take inside, and add it to the power of a layout.

Slews go down the tree from the clock port, where they are 0, with the loads of the wires and pins.
Each buffer takes the energy of a rising and of a falling edge in a cycle; one behind a clock gate
only in the cycles in which that is open.
"""

from collections import defaultdict
from collections.abc import Mapping

import msgspec
import numpy as np

from flow.gates.cells import Table
from flow.gates.liberty import Library
from flow.gates.liberty_tables import TableBank
from flow.gates.window_power import MW, NJ
from flow.layout.buffering import CLOCK_PREFIX
from flow.netlist import Instance, Netlist
from flow.results.clock_tree import ClockTree
from flow.results.energy import ModulePower, Power, Window

RISE, FALL = range(2)
MW_OF_NW = 1e-6
TOGGLES = 2  # of an open gate's net in a cycle
MODULE = "(buffers of the clock tree)"
Slews = tuple[float, float]


class _Walk:
    """A walk down the tree of a netlist, whose wires have so many fF."""

    def __init__(self, netlist: Netlist, wires: Mapping[str, float], library: Library) -> None:
        self.netlist, self.library, self.bank = netlist, library, TableBank()
        self.sinks: dict[int, list[tuple[Instance, str]]] = defaultdict(list)
        for cell in netlist.instances:
            for pin, net in cell.pins.items():
                if not library[cell.master].pins[pin].output:
                    self.sinks[net].append((cell, pin))
        self.wires = wires
        self.always = self.leakage = self.slew = 0.0
        self.gated: dict[str, float] = defaultdict(float)

    def load(self, net: int) -> float:
        """Sum up what a net has, fF."""
        pins = (self.library[cell.master].pins[pin].capacitance for cell, pin in self.sinks[net])
        return self.wires.get(self.netlist.name_of[net], 0.0) + sum(pins)

    def down(self, net: int, slews: Slews, gate: str = "") -> None:
        """Go on from a net, behind a gate whose net is named."""
        for cell, pin in self.sinks[net]:
            known = self.library[cell.master]
            is_gate = bool(known.enable) and pin == known.clock_pin
            if cell.name.startswith(CLOCK_PREFIX):
                self._take(cell, slews, gate)
                self.down(cell.pins[known.outputs[0]], self._passed(cell, pin, slews), gate)
            elif is_gate and (behind := cell.pins.get(known.outputs[0])) is not None:
                name = self.netlist.name_of[behind]
                self.down(behind, self._passed(cell, pin, slews), name)
            elif known.pins[pin].clock:
                self.slew = max(self.slew, *slews)

    def _look_up(self, table: Table, slew: float, load: float) -> float:
        number = np.array([self.bank.add(table)])
        return float(self.bank.look_up(number, np.array([slew]), np.array([load]))[0])

    def _take(self, cell: Instance, slews: Slews, gate: str) -> None:
        """Add what a buffer takes inside, and what it leaks while its pins are all 0 or all 1."""
        known = self.library[cell.master]
        load = self.load(cell.pins[known.outputs[0]])
        inside = sum(
            self._look_up(table, slew, load if pin.output else 0.0)
            for pin in known.pins.values()
            for energy in pin.energies
            for table, slew in zip(energy.tables, slews, strict=True)
        )
        if gate:
            self.gated[gate] += inside
        else:
            self.always += inside
        leaks = known.leakage or ((None, known.mean_leakage),)
        for level in (0.0, 1.0):
            high = dict.fromkeys(known.pins, level)
            for state, value in leaks:
                share = state.probability(high) if state else 1.0
                self.leakage += float(share) * value / 2

    def _passed(self, cell: Instance, pin: str, slews: Slews) -> Slews:
        """Tell the slews of a cell's output that follows its pin."""
        known = self.library[cell.master]
        [output] = known.outputs
        load, found = self.load(cell.pins[output]), [0.0, 0.0]
        for arc in known.pins[output].arcs:
            if arc.related == pin:
                for edge, _, slew in arc.edges():
                    found[edge] = max(found[edge], self._look_up(slew, slews[edge], load))
        return found[RISE], found[FALL]


def clock_tree(
    netlist: Netlist, wires: Mapping[str, float], library: Library, clock_port: str
) -> ClockTree:
    """Tell what the buffers of a laid-out netlist's clock tree take, by the fF of its wires."""
    walk = _Walk(netlist, wires, library)
    if port := netlist.ports.get(clock_port):
        walk.down(port.nets[0], (0.0, 0.0))
    return ClockTree(walk.always, dict(walk.gated), walk.leakage, walk.slew)


def with_tree(window: Window, fj: float, leakage_nw: float, period: float) -> Window:
    """Add what the tree takes to a window: fJ in a cycle inside its buffers, and what they leak."""
    clock, leakage = fj / period * MW, leakage_nw * MW_OF_NW
    added = clock + leakage
    energy = window.cycles * added * period / MW * NJ
    row = ModulePower(
        module=MODULE, internal=0.0, switching=0.0, clock=clock, leakage=leakage, total=added
    )
    sampled = window.sampled and msgspec.structs.replace(
        window.sampled,
        power_mw=window.sampled.power_mw + added,
        power_with_glitches_mw=window.sampled.power_with_glitches_mw + added,
    )
    power = window.power_mw
    return msgspec.structs.replace(
        window,
        power_mw=Power(
            internal=power.internal,
            switching=power.switching,
            clock=power.clock + clock,
            leakage=power.leakage + leakage,
            total=power.total + added,
        ),
        energy_nj=window.energy_nj + energy,
        energy_with_glitches_nj=window.energy_with_glitches_nj + energy,
        modules=sorted([*window.modules, row], key=lambda one: -one.total),
        sampled=sampled,
    )


def fj_in(tree: ClockTree, toggles: Mapping[str, float], cycles: float) -> float:
    """Tell what the tree's buffers take in a mean cycle, by how often the net of each gate toggled
    in so many cycles."""
    opened = (fj * toggles[net] / TOGGLES / cycles for net, fj in tree.gated_fj.items())
    return tree.always_fj + sum(opened)
