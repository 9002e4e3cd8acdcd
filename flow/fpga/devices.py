"""Say how yosys maps a design to each FPGA family, and what each cell takes of the device.

Where a vendor's tool would pack or share further, ours counts what is mapped: the figures are
estimates from above.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Tables of (cell type, how many of the resource one such cell takes).
Weights = tuple[tuple[str, float], ...]
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
    # An ALM has one table of six inputs, or two smaller ones; a sum bit takes one of the two.
    "cyclonev": Family(
        "synth_intel_alm -family cyclonev -noiopad -noclkbuf",
        "",
        "-noflatten",
        {
            "luts": ((r"MISTRAL_(ALUT\w+|NOT|MLAB)", 1),),
            "ffs": ((r"MISTRAL_FF", 1),),
            "alms": ((r"MISTRAL_ALUT6", 1), (r"MISTRAL_(ALUT\w+|NOT|MLAB)", 0.5)),
            "dsp": ((r"MISTRAL_MUL\w+", 1),),
            "bram": ((r"MISTRAL_M10K", 1),),
        },
        r"MISTRAL_CLKBUF",
    ),
    "artix7": Family(
        "synth_xilinx -family xc7 -noiopad -noclkbuf",
        "-flatten",
        "",
        {
            "luts": (
                (r"LUT[1-6]|INV|SRL16E|SRLC32E|RAM(32|64)X1S", 1),
                (r"RAM(32|64)X1D|RAM128X1S", 2),
                (r"RAM(32|64)M|RAM128X1D|RAM256X1S", 4),
            ),
            "ffs": ((r"FD[RSCP]E(_1)?", 1),),
            "dsp": ((r"DSP48E1", 1),),
            "bram": ((r"RAMB36E1", 1), (r"RAMB18E1", 0.5)),
        },
        r"CARRY4|MUXF[78]",
    ),
    "virtexe": Family(
        "synth_xilinx -family xcve -noiopad -noclkbuf",
        "-flatten",
        "",
        {
            "luts": ((r"LUT[1-4]|INV|SRL16E?|RAM16X1S", 1), (r"RAM16X1D|RAM32X1S", 2)),
            "ffs": ((r"FD[RSCP]E(_1)?", 1),),
            "dsp": (),
            "bram": ((r"RAMB4_\w+", 1),),
        },
        r"MUXCY|XORCY|MULT_AND|MUXF[56]",
    ),
    # Two tables make a slice; a CCU2C is a slice's two in carry mode.
    "ecp5": Family(
        "synth_ecp5 -noiopad",
        "",
        "-noflatten",
        {
            "luts": ((r"LUT4", 1), (r"CCU2C", 2), (r"TRELLIS_DPR16X4", 4)),
            "ffs": ((r"TRELLIS_FF", 1),),
            "dsp": ((r"MULT18X18D", 1),),
            "bram": ((r"DP16KD|PDPW16KD", 1),),
        },
        r"PFUMX|L6MUX21|ALU54B",
    ),
}
