"""Find the instance of the hierarchy that a cell belongs to.

A cell of a hierarchical netlist belongs to the instance that holds it, which its name begins with.
In a flat netlist only registers keep such names: any other cell belongs where the nearest register
that it feeds does, and to the top if it feeds outputs only.
"""

from collections import defaultdict, deque
from collections.abc import Mapping

from flow.netlist import JsonCell

Tree = Mapping[str, Mapping[str, str]]  # module -> instance -> module
Owner = tuple[str, str]  # instance path ("" for the top), module


def instance_paths(tree: Tree, top: str) -> dict[str, str]:
    """Tell the module of each instance path, parts joined by dots; the top is ""."""
    found = {"": top}
    waiting = [("", top)]
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
    return "", paths[""]


def owners_by_register(cells: Mapping[str, JsonCell], paths: Mapping[str, str]) -> dict[str, Owner]:
    """Give registers to the instance in their name, other cells to the nearest register that they
    feed."""
    drivers: dict[int, str] = {}
    inputs = defaultdict(list)
    for name, cell in cells.items():
        for pin, bits in cell.connections.items():
            if cell.port_directions[pin] == "output":
                drivers |= dict.fromkeys(bits, name)
            else:
                inputs[name] += bits
    owners = {n: holder(n, paths) for n, cell in cells.items() if cell.type.startswith("DFF")}
    waiting = deque(owners)
    while waiting:
        name = waiting.popleft()
        for bit in inputs[name]:
            driver = drivers.get(bit)
            if driver is not None and driver not in owners:
                owners[driver] = owners[name]
                waiting.append(driver)
    return {name: owners.get(name, ("", paths[""])) for name in cells}
