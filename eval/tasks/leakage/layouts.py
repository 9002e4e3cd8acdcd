"""The netlist of an accelerator, of which traces are, after layout."""

import json

from eval.catalog.point import Point
from eval.tasks.at_clock import folder_of
from eval.tasks.layout.task import LaidOut
from eval.tasks.leakage.netlists import CLOCK_NS, OfGates, named
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.gates.coupling import coupled, read_couplings
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.timing import Timing
from flow.netlist import read_netlist
from flow.step import LIBERTY, OUT
from sim.errors import RunError

CLEAN = "clean"


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
    return OfGates(timing, named(timing, netlist, owners), coupled(timing, netlist.names, between))
