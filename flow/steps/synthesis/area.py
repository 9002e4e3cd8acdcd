"""Area by module, from the statistics that yosys writes for a mapped hierarchy."""

import re
from collections import Counter
from functools import cache


def _own_name(name: str) -> str:
    return name.removeprefix("\\")


def _submodules(module: dict, modules: dict[str, dict]) -> dict[str, int]:
    return {kind: n for kind, n in module["num_cells_by_type"].items() if kind in modules}


def _instances(modules: dict[str, dict], top: str) -> Counter[str]:
    """How often each module occurs in the whole design."""

    @cache
    def below(name: str) -> Counter[str]:
        total = Counter({name: 1})
        for child, count in _submodules(modules[name], modules).items():
            total.update({kind: count * n for kind, n in below(child).items()})
        return total

    return below(top)


def module_areas(stat: dict, top: str) -> list[dict]:
    """One row a module, largest first: instances, what one holds, and `area_um2`, that of the
    cells directly inside all instances, so that the rows add up to the design."""
    modules = {_own_name(name): module for name, module in stat["modules"].items()}
    rows = []
    for name, count in _instances(modules, top).items():
        inside, children = modules[name], _submodules(modules[name], modules)
        own = {
            key: inside[key] - sum(modules[child][key] * n for child, n in children.items())
            for key in ("area", "sequential_area")
        }
        rows.append(
            {
                "module": name,
                "instances": count,
                "submodules": children,
                "cells_each": inside["num_cells"],
                "area_each_um2": round(own["area"], 3),
                "area_each_with_submodules_um2": round(inside["area"], 3),
                "area_um2": round(own["area"] * count, 3),
                "sequential_area_um2": round(own["sequential_area"] * count, 3),
            }
        )
    return sorted(rows, key=lambda row: -row["area_um2"])


def unmapped_cells(stat: dict, liberty: str) -> list[str]:
    """The cell types of the netlist that are neither a module of it nor in the library."""
    known = set(re.findall(r"^\s*cell\s*\(\s*\"?(\w+)\"?\s*\)", liberty, re.MULTILINE))
    known |= {_own_name(name) for name in stat["modules"]}
    return sorted(set(stat["design"]["num_cells_by_type"]) - known)
