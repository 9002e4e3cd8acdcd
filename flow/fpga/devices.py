"""Say how yosys maps a design to each FPGA family, and what each cell takes of the device.

Where a vendor's tool would pack or share further, ours counts what is mapped: the figures are
estimates from above.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# Of (cell type, how many of the resource one such cell takes).
Weights = Sequence[tuple[str, float]]
NO_CELL = r"\$scopeinfo"


@dataclass(frozen=True)
class Family:
    """The yosys pass of a family, its flag to flatten or not, and the resources of its cells."""

    command: str
    flat: str
    hierarchical: str
    resources: Mapping[str, Weights]
    free: str  # cells that come with the others

    def synth(self, top: str, flat: bool) -> str:
        """Write the yosys command that maps `top`, without pads and clock buffers."""
        return f"{self.command} -top {top} {self.flat if flat else self.hierarchical}".strip()

    def metrics(self, cells: Mapping[str, int]) -> dict[str, float]:
        """Count how many of each resource the cells take, in whole ones."""
        return {
            name: _rounded_up(
                sum(weight * cells[kind] for kind in cells for weight in _weights(table, kind))
            )
            for name, table in self.resources.items()
        }

    def unknown(self, cells: Iterable[str]) -> list[str]:
        """List the cell types that no table knows."""
        tables = [*self.resources.values(), ((self.free, 0.0), (NO_CELL, 0.0))]
        return [kind for kind in cells if not any(_weights(table, kind) for table in tables)]


def _weights(table: Weights, kind: str) -> list[float]:
    return [weight for pattern, weight in table if re.fullmatch(pattern, kind)][:1]


def _rounded_up(count: float) -> int:
    return -int(-count // 1)


FAMILIES = {
    name: Family(**entry)
    for name, entry in tomllib.loads(Path(__file__).with_name("devices.toml").read_text()).items()
}
