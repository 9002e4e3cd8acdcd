"""Route a placed design with Katana: wires and vias of each net, as JSON.

A process of its own, because Coriolis keeps its state for as long as the process lives.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import lcm
from pathlib import Path

from coriolis import CRL, Anabatic, Katana
from coriolis.helpers import u
from coriolis.helpers.overlay import UpdateSession
from coriolis.Hurricane import (
    Box,
    Cell,
    Contact,
    DataBase,
    DbU,
    Horizontal,
    Instance,
    Library,
    Net,
    Transformation,
    Vertical,
)

from flow.layout import gauge
from flow.layout.design import Design
from flow.layout.lef import units
from flow.layout.straps import supply_shapes
from flow.layout.strips import write_lef
from flow.layout.technology import Stack
from flow.layout.wires import Shape

CELLS_LEF = Path("cells.lef")
# Each time that it takes up a net, Coriolis looks through all instances of the cells at the net's
# pins. So a cell of which a design has more is several cells, that differ by name.
MOST_INSTANCES = 2500
TURNED = {"N": "ID", "FS": "MY", "FN": "MX", "S": "R2"}


def length(value: int) -> int:
    """Convert a length of ours to Coriolis' unit."""
    return u(gauge.um(value))


def several(design: Design) -> list[str]:
    """Name for each of the cells one that is equal to its master."""
    seen: Counter[str] = Counter()
    names = []
    for cell in design.cells:
        more = seen[cell.master] // MOST_INSTANCES
        names.append(f"{cell.master}_{more}" if more else cell.master)
        seen[cell.master] += 1
    return names


def build(
    design: Design, names: list[str], library: Library, margin: int
) -> tuple[Cell, list[Net]]:
    """Build the design in Coriolis, of cells with these names; its nets in our order, under short
    names of our own. A margin on the left and on the right of the core has tracks, no wires."""
    top = CRL.AllianceFramework.get().createCell("routed")
    left, right = -margin, design.width + margin
    top.setAbutmentBox(Box(length(left), 0, length(right), length(design.height)))
    fixed = supply_shapes(design)
    for name, kind in (("VDD", Net.Type.POWER), ("VSS", Net.Type.GROUND)):
        supply = Net.create(top, name)
        supply.setExternal(True)
        supply.setGlobal(True)
        supply.setType(kind)
        for box in fixed.get(name, ()):
            keep_off(supply, box, design.stack)
    if margin:
        for box in edges(design, margin):
            keep_off(supply, box, design.stack)
    Net.create(top, "blockagenet").setType(Net.Type.BLOCKAGE)
    masters: dict[str, tuple[Cell, dict[str, Net]]] = {}
    stack = design.stack
    plugs = []
    for index, (cell, name) in enumerate(zip(design.cells, names, strict=True)):
        if name not in masters:
            master = library.getCell(name)
            masters[name] = (master, {net.getName(): net for net in master.getNets()})
        master, pins = masters[name]
        instance = Instance.create(top, f"c{index}", master)
        x, y = map(length, design.origin(cell))
        turned = getattr(Transformation.Orientation, TURNED[cell.orientation])
        instance.setTransformation(Transformation(x, y, turned))
        instance.setPlacementStatus(Instance.PlacementStatus.PLACED)
        box = instance.getAbutmentBox()
        if (box.getXMin(), box.getYMin()) != (
            length(cell.site * stack.site_width),
            length(cell.row * stack.row_height),
        ):
            raise ValueError(f"{cell.name}: Coriolis put it elsewhere")
        plugs.append((instance, pins))
    nets = []
    for index, (_, connected) in enumerate(design.routable()):
        net = Net.create(top, f"n{index}")
        net.setType(Net.Type.LOGICAL)
        for number, pin in connected:
            instance, pins = plugs[number]
            instance.getPlug(pins[pin]).setNet(net)
        nets.append(net)
    return top, nets


def margin_of(stack: Stack) -> int:
    """Tell how wide a margin of the core is, if it has one: tracks stay where they are."""
    across = [stack.tracks[metal][0] for metal in stack.routed if metal not in stack.horizontal]
    return lcm(stack.site_width, *across)


def edges(design: Design, margin: int) -> Iterator[Shape]:
    """List what keeps wires within the core."""
    for metal in design.stack.routed:
        if metal not in design.stack.horizontal:
            rule = design.stack.layers[metal]
            apart = rule.width // 2 + rule.spacing
            yield (metal, -margin, 0, -apart, design.height)
            yield (metal, design.width + apart, 0, design.width + margin, design.height)


def keep_off(supply: Net, box: Shape, stack: Stack) -> None:
    """Have the router keep off a box of a supply on a metal of its wires."""
    metal, *corners = box
    if metal not in stack.routed:
        return
    layer, (x0, y0, x1, y1) = DataBase.getDB().getTechnology().getLayer(metal), map(length, corners)
    if metal in stack.horizontal:
        Horizontal.create(supply, layer, (y0 + y1) // 2, y1 - y0, x0, x1)
    else:
        Vertical.create(supply, layer, (x0 + x1) // 2, x1 - x0, y0, y1)


def route(top: Cell) -> bool:
    """Route the design; whether Katana found a track for everything."""
    with UpdateSession():
        top.flattenNets(None, [], Cell.Flags_NoClockFlatten)
    katana = Katana.KatanaEngine.create(top)
    katana.digitalInit()
    katana.runGlobalRouter(Katana.Flags.NoFlags)
    katana.loadGlobalRouting(Anabatic.EngineLoadGrByNet)
    katana.layerAssign(Anabatic.EngineNoNetLayerAssign)
    katana.runNegociate(Katana.Flags.NoFlags)
    success = bool(katana.isDetailedRoutingSuccess())
    katana.finalizeLayout()
    katana.destroy()
    return success


def own(value: int) -> int:
    """Convert a length of Coriolis to our unit."""
    return units(round(DbU.toPhysical(value, DbU.UnitPowerMicro), 4))


def shapes_of(stack: Stack, net: Net) -> dict[str, Sequence[tuple[str | int, ...]]]:
    """List a net's wires (metal, x0, y0, x1, y1) and vias (cut, x, y)."""
    cuts = {gauge.via_name(stack, cut): cut for cut in stack.cuts}
    wires, vias = [], []
    for part in net.getComponents():
        if not isinstance(part, (Horizontal, Vertical, Contact)):
            continue
        layer = part.getLayer().getName()
        if isinstance(part, Horizontal):
            x0, x1, y = part.getSourceX(), part.getTargetX(), part.getY()
            wires.append((layer, own(x0), own(y), own(x1), own(y)))
        elif isinstance(part, Vertical):
            y0, y1, x = part.getSourceY(), part.getTargetY(), part.getX()
            wires.append((layer, own(x), own(y0), own(x), own(y1)))
        elif layer in cuts:
            vias.append((cuts[layer], own(part.getX()), own(part.getY())))
    return {"wires": wires, "vias": vias}


def main() -> None:
    """Read the command line: katana.py placed.json routes.json margins"""
    placed, out = map(Path, sys.argv[1:3])
    design = Design.load(placed)
    stack = design.stack
    technology = gauge.make_technology(stack)
    masters = several(design)
    used = {name: design.shape(cell) for name, cell in zip(masters, design.cells, strict=True)}
    write_lef(design.shapes | used, stack, CELLS_LEF)
    names = [name for name, _ in design.routable()]
    gauge.make_gauge(technology, stack, len(names))
    library = gauge.load_library(CELLS_LEF)
    with UpdateSession():
        top, nets = build(design, masters, library, int(sys.argv[3]) * margin_of(stack))
    success = route(top)
    routes = {name: shapes_of(stack, net) for name, net in zip(names, nets, strict=True)}
    out.write_text(json.dumps({"success": success, "nets": routes}))
    # Coriolis may crash while it takes itself apart; all is written.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
