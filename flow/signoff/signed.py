"""Sign a finished layout off by its files: design rules, density, LVS. Only KLayout and yosys read
them; nothing of what made the layout is used but the files."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import klayout.db as kdb

from flow.results.record import Record
from flow.signoff.compare import Compared, compare
from flow.signoff.density import Covered, densities
from flow.signoff.extraction import Supply, extract
from flow.signoff.library import different_cells
from flow.signoff.rulefile import RuleFile
from flow.signoff.rules import Checked, Layers, check_rules
from flow.signoff.schematic import read_schematic
from sim.errors import RunError


class Signed(Record, frozen=True):
    """What the checks found: the rules, densities, supplies; the comparison with the schematic;
    cells without pins (fillers); what is wrong with nets as they are drawn; cells that are not the
    library's."""

    rules: tuple[Checked, ...]
    densities: tuple[Covered, ...]
    supplies: tuple[Supply, ...]
    compared: Compared
    fillers: int
    connections: tuple[str, ...]
    cells: tuple[str, ...]

    def wrong(self) -> Iterator[str]:
        """Say what is wrong, a line for each kind; nothing if the layout is clean."""
        if broken := [one for one in self.rules if one.violations]:
            count = sum(one.violations for one in broken)
            yield f"{count} violations of {', '.join(one.rule for one in broken)}"
        if sparse := [one for one in self.densities if one.violations]:
            yield f"density of {', '.join(one.layer for one in sparse)} beyond limits"
        for supply in self.supplies:
            if supply.breaks:
                yield f"rails of {supply.name} broken in {len(supply.breaks)} places"
            if supply.parts != 1:
                yield f"{supply.name} is {supply.parts} nets"
        if self.connections:
            yield f"{len(self.connections)} faults of connection"
        if self.compared.mismatches:
            yield f"{len(self.compared.mismatches)} differences from the netlist"
        if self.cells:
            yield f"{len(self.cells)} kinds of cells not the library's"


def sign_off(gds: Path, verilog: Path, library: Iterable[Path], rules: RuleFile) -> Signed:
    """Check a layout by its GDS file, its netlist and the library's cells; RunError if a file is
    none that can be checked."""
    layout = kdb.Layout()
    try:
        layout.read(str(gds))
    except RuntimeError as error:
        raise RunError(f"{gds.name} cannot be read: {error}") from None
    tops = layout.top_cells()
    if len(tops) != 1:
        raise RunError(f"{gds.name} has {len(tops)} top cells; a layout has one")
    top = tops[0]
    layers = Layers(top, rules)
    found = extract(top, rules)
    return Signed(
        rules=tuple(check_rules(layers)),
        densities=tuple(densities(layers)),
        supplies=found.supplies,
        compared=compare(
            found.circuit, read_schematic(verilog, top.name, rules.connectivity.wells)
        ),
        fillers=found.fillers,
        connections=tuple(found.wrong),
        cells=tuple(different_cells(layout, library)),
    )
