"""Whether every cell of the foundry keeps the design rules of SKY130 that sign-off asks for.

Run as `python -m tests.bench.bench_cells` after `modexplorer tech sky130 --fetch`. Exit code 1 if a
cell breaks another rule than those that its neighbours in a row complete.
"""

from collections import defaultdict
from pathlib import Path

import klayout.db as kdb

from flow.signoff.rulefile import RuleFile, read_rules, rules_path
from flow.signoff.rules import Layers, check_rules
from flow.technologies.cells import cell_files
from flow.technologies.kit import view

TECH = "sky130"
# Implants and rails that are whole in a row alone, of taps.
IN_A_ROW = {"nsd.10a", "psd.10b", "m1.6"}


def broken(gds: Path, rules: RuleFile) -> list[str]:
    """Name the rules that a cell by itself breaks."""
    layout = kdb.Layout()
    layout.read(str(gds))
    layers = Layers(layout.top_cell(), rules)
    return [one.rule for one in check_rules(layers) if one.violations]


def main() -> None:
    """Check, print and judge."""
    files, rules = cell_files(TECH, view(TECH)).gds, read_rules(rules_path(TECH))
    found = defaultdict(list)
    for file in files:
        for rule in broken(file, rules):
            found[rule].append(file.stem)
    for rule, cells in found.items():
        print(f"{rule}: {', '.join(cells)}")
    print(f"{len(files)} cells, {len(rules.rules)} rules")
    taps = all("tap" in cell for cells in found.values() for cell in cells)
    raise SystemExit(not (set(found) <= IN_A_ROW and taps))


if __name__ == "__main__":
    main()
