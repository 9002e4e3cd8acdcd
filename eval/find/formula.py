"""Cycles by formula, of many designs: counted once, and kept."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from cl.xcel import xcel_cycles
from eval.catalog import find
from eval.catalog.user_designs import design_code
from eval.catalog.workloads import WORKLOADS
from eval.find.space import place_of
from eval.tasks.unit import maker_code
from sim.build_cache import kept
from sim.closure import hash_data
from sim.paths import build_dir


def cycles_of(name: str, nbits: int, workload: str) -> int:
    """Count the cycles of a workload through the accelerator's port."""
    design = find(name)
    request = WORKLOADS[workload].request(nbits, design.moduli.key)
    return xcel_cycles(nbits, design.cycles(nbits, **vars(request)))


def all_cycles(names: Sequence[str], nbits: int, workload: str) -> dict[str, int]:
    """Count those of many designs, or take what was counted since their code last changed."""
    found: dict[str, int] = {}
    for some in _by_code(names).values():
        found |= _kept(some, nbits, workload)
    return {name: found[name] for name in names}


def _by_code(names: Iterable[str]) -> dict[str, list[str]]:
    """Put designs of one family together: one code makes them."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(place_of(name).family, []).append(name)
    return groups


def _kept(names: list[str], nbits: int, workload: str) -> dict[str, int]:
    def build(scratch: Path) -> Path:
        made = scratch / "cycles.json"
        made.write_text(json.dumps({name: cycles_of(name, nbits, workload) for name in names}))
        return made

    if design_code(names[0]):  # somebody's own
        return {name: cycles_of(name, nbits, workload) for name in names}
    code = maker_code()
    file = build_dir("cycles") / f"{hash_data([names, nbits, workload, code])}.json"
    return json.loads(kept(file, build).read_text())
