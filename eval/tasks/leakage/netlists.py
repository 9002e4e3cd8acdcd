"""The mapped netlist of an accelerator, of which traces are: after synthesis, or after layout."""

import json
import re
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.tasks.at_clock import folder_of
from eval.tasks.flow_run.task import TIMING, FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.gates.coupling import Coupled, coupled, read_couplings
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.timing import Timing
from flow.netlist import Netlist, read_netlist
from flow.step import LIBERTY, OUT
from sim.errors import RunError

CLOCK_NS = 3.0
CLEAN = "clean"
UNNAMED = re.compile(r"_\d+_(\[\d+\])?")  # what yosys calls a net that has no name


@dataclass(frozen=True)
class OfGates:
    """A netlist with its loads and delays; what each net is called: by where the cell is that
    drives it, if it has no name of its own; which nets are coupled, if there are wires."""

    timing: Timing
    names: dict[int, str]
    coupled: Coupled | None = None


def mapped(point: Point, on_step: OnStep) -> OfGates:
    """Map the accelerator: wires are those that the library takes for so many loads."""
    found = FlowRun(point, ACCELERATOR, CLOCK_NS).run(TIMING, on_step)
    folder = folder_of(found, "synthesis")
    netlist = read_netlist(folder / OUT / "flat.json")
    owners = json.loads((folder / OUT / "cells.json").read_text())
    timing = Timing(MappedNetlist(netlist, Library(folder / LIBERTY)))
    return OfGates(timing, _named(timing, netlist, owners))


def laid_out(point: Point, on_step: OnStep) -> OfGates:
    """Place and route the accelerator: sizes, buffers and wires are those of its layout, and nets
    are coupled where their wires are side by side. RunError if the layout is not clean."""
    task = LaidOut(point, ACCELERATOR, CLOCK_NS)
    found = task.run("layout", on_step, utilisation=task.fill / 100)
    assert found.steps.layout, point
    if (label := found.steps.layout.label) != CLEAN:
        raise RunError(
            f"{point}: its layout is {label}, and its wires are not those of the netlist; see "
            f"{task.command}"
        )
    folder = folder_of(found, "layout")
    netlist = read_netlist(folder / OUT / "flat.json")
    owners = json.loads((folder_of(found, "synthesis") / OUT / "cells.json").read_text())
    wires = json.loads((folder / OUT / "wires.json").read_text())
    tree = json.loads((folder / OUT / "clock_tree.json").read_text())
    of_nets = {netlist.names[name]: ff for name, ff in wires.items()}
    timing = Timing(MappedNetlist(netlist, Library(folder / LIBERTY)), tree["port"], of_nets)
    between = read_couplings(folder / OUT / "layout.spef")
    return OfGates(timing, _named(timing, netlist, owners), coupled(timing, netlist.names, between))


def _named(timing: Timing, netlist: Netlist, owners: dict[str, list[str]]) -> dict[int, str]:
    """Name the nets."""
    names = dict(netlist.name_of)
    for kind in timing.netlist.kinds.values():
        for pin in kind.cell.outputs:
            for cell, net in zip(kind.cells, kind.nets[pin], strict=True):
                name = netlist.instances[cell].name
                place = owners.get(name, [""])[0]
                if UNNAMED.fullmatch(names.get(net, "")):
                    names[net] = f"{place}:{kind.cell.name} {name}".lstrip(":")
    return names
