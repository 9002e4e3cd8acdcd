"""The mapped netlist of an accelerator, of which traces are, after synthesis."""

import json
import re
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.tasks.at_clock import folder_of
from eval.tasks.flow_run.task import TIMING, FlowRun
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.gates.coupling import Coupled
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.timing import Timing
from flow.netlist import Netlist, read_netlist
from flow.step import LIBERTY, OUT

CLOCK_NS = 3.0
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
    return OfGates(timing, named(timing, netlist, owners))


def named(timing: Timing, netlist: Netlist, owners: dict[str, list[str]]) -> dict[int, str]:
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
