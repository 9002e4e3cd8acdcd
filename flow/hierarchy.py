"""Which module an instance is of, read from a netlist that yosys wrote."""

import re

MODULE = re.compile(r"^module (\S+?) ?\(|^  (\S+) (\S+) +\($", re.MULTILINE)


def children(netlist: str) -> dict[str, dict[str, str]]:
    """For each module of the netlist, the module of each instance inside that is one too."""
    found: dict[str, dict[str, str]] = {}
    for module, kind, instance in MODULE.findall(netlist):
        if module:
            current = found.setdefault(module.removeprefix("\\"), {})
        else:
            current[instance.removeprefix("\\")] = kind.removeprefix("\\")
    return {
        name: {inst: kind for inst, kind in inside.items() if kind in found}
        for name, inside in found.items()
    }


def modules_of(pin: str, top: str, tree: dict[str, dict[str, str]]) -> tuple[str, str]:
    """The instance path ("" for the top) and module that hold the cell of a pin or port."""
    *instances, _cell, _pin = ["", *pin.split("/")] if "/" not in pin else pin.split("/")
    path, module = [], top
    for instance in instances:
        if instance not in tree.get(module, {}):
            break
        path.append(instance)
        module = tree[module][instance]
    return "/".join(path), module
