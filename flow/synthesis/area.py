"""Tell areas by module, from the statistics that yosys writes of a mapped hierarchy."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from flow.netlist import Netlist
from flow.results.netlist import Module


@dataclass(frozen=True)
class Own:
    """What one instance of a module holds itself, its submodules apart."""

    area: float
    sequential_area: float
    cells: int
    submodules: Mapping[str, int]


def _own_name(name: str) -> str:
    return name.removeprefix("\\")


def own_figures(stat: dict[str, Any], outside: Collection[str] = ()) -> dict[str, Own]:
    """Read the figures of each module of yosys' `stat -json`; modules `outside` are but named."""
    modules = {_own_name(name): module for name, module in stat["modules"].items()}
    found = {}
    for name, inside in modules.items():
        kinds = {_own_name(kind): n for kind, n in inside["num_cells_by_type"].items()}
        below = {kind: n for kind, n in kinds.items() if kind in modules}
        named = {kind: n for kind, n in kinds.items() if kind in outside}
        own = {
            # A module of wires alone has no area.
            key: inside.get(key, 0.0)
            - sum(modules[child].get(key, 0.0) * n for child, n in below.items())
            for key in ("area", "sequential_area")
        }
        cells = inside["num_cells"] - sum(named.values())  # which yosys takes for cells
        found[name] = Own(own["area"], own["sequential_area"], cells, below | named)
    return found


def instances(modules: Mapping[str, Own], top: str) -> Counter[str]:
    """Count how often each module occurs in the whole design."""

    @cache
    def below(name: str) -> Counter[str]:
        total = Counter({name: 1})
        for child, count in modules[name].submodules.items():
            total.update({kind: count * n for kind, n in below(child).items()})
        return total

    return below(top)


def module_areas(
    modules: Mapping[str, Own], top: str, recipe_of: Mapping[str, str] | None = None
) -> list[Module]:
    """Make a row per module, the largest first: its instances, what one holds, and `area_um2`, that
    of the cells directly inside all instances, so that the rows add up to the design."""

    @cache
    def with_submodules(name: str) -> float:
        inside = modules[name]
        return inside.area + sum(with_submodules(kind) * n for kind, n in inside.submodules.items())

    rows = [
        Module(
            module=name,
            instances=count,
            submodules=dict(modules[name].submodules),
            cells_each=modules[name].cells,
            area_each_um2=round(modules[name].area, 3),
            area_each_with_submodules_um2=round(with_submodules(name), 3),
            area_um2=round(modules[name].area * count, 3),
            sequential_area_um2=round(modules[name].sequential_area * count, 3),
            recipe=(recipe_of or {}).get(name, ""),
        )
        for name, count in instances(modules, top).items()
    ]
    return sorted(rows, key=lambda row: -row.area_um2)


def totals(modules: Mapping[str, Own], top: str) -> dict[str, float]:
    """Sum up the area_um2, sequential_area_um2 and cells of the whole design."""
    counts = instances(modules, top).items()
    return {
        "area_um2": round(sum(modules[name].area * n for name, n in counts), 3),
        "sequential_area_um2": round(
            sum(modules[name].sequential_area * n for name, n in counts), 3
        ),
        "cells": sum(modules[name].cells * n for name, n in counts),
    }


def unmapped_cells(netlist: Netlist, known: Collection[str]) -> list[str]:
    """Find the cell types of a netlist that are not among those of the library."""
    return sorted({cell.master for cell in netlist.instances}.difference(known))
