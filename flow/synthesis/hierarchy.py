"""Find the instance of the hierarchy that a cell belongs to.

A cell of a hierarchical netlist belongs to the instance that holds it, which its name begins with.
In a flat netlist only registers keep such names: any other cell belongs where the nearest register
that it feeds does, and to the top if it feeds outputs only.
"""

from collections import deque
from collections.abc import Collection, Mapping

from flow.netlist import Netlist

Tree = Mapping[str, Mapping[str, str]]  # module -> instance -> module
Owner = tuple[str, str]  # instance path, module
TOP = ""  # its instance path


def instance_paths(tree: Tree, top: str) -> dict[str, str]:
    """Tell the module of each instance path, parts joined by dots; the top is ""."""
    found = {TOP: top}
    waiting = [(TOP, top)]
    while waiting:
        path, module = waiting.pop()
        for instance, kind in tree.get(module, {}).items():
            below = f"{path}.{instance}" if path else instance
            found[below] = kind
            waiting.append((below, kind))
    return found


def holder(name: str, paths: Mapping[str, str]) -> Owner:
    """Find the innermost instance that the name of a cell or pin begins with."""
    path = name
    while path:
        path = path.rpartition(".")[0]
        if path in paths:
            return path, paths[path]
    return TOP, paths[TOP]


def owners_by_register(
    netlist: Netlist,
    output_pins: Mapping[str, Collection[str]],
    paths: Mapping[str, str],
    registers: Collection[str],
) -> dict[str, Owner]:
    """Give registers to the instance in their name, other cells to the nearest register that they
    feed. `output_pins` are those of each kind of cell, `registers` the kinds that are some."""
    drivers: dict[int, str] = {}
    inputs: dict[str, list[int]] = {}
    owners: dict[str, Owner] = {}
    for cell in netlist.instances:
        outputs = output_pins[cell.master]
        drivers |= dict.fromkeys((cell.pins[pin] for pin in outputs if pin in cell.pins), cell.name)
        inputs[cell.name] = [net for pin, net in cell.pins.items() if pin not in outputs]
        if cell.master in registers:
            owners[cell.name] = holder(cell.name, paths)
    waiting = deque(owners)
    while waiting:
        name = waiting.popleft()
        for net in inputs[name]:
            driver = drivers.get(net)
            if driver is not None and driver not in owners:
                owners[driver] = owners[name]
                waiting.append(driver)
    return {cell.name: owners.get(cell.name, (TOP, paths[TOP])) for cell in netlist.instances}
