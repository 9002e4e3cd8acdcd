"""Map a design to an FPGA family with yosys, and count its cells."""

from pathlib import Path

from flow.fpga.devices import Family
from flow.fpga.yosys import named, run_yosys


def modules_in(source: Path, top: str) -> dict[str, dict[str, int]]:
    """Count the operators and modules in each module of the design."""
    stat = run_yosys(f"read_verilog -sv {source}", f"hierarchy -check -top {top}; proc; opt_clean")
    modules = stat["modules"].items()
    return {name.removeprefix("\\"): named(found["num_cells_by_type"]) for name, found in modules}


def map_design(
    source: Path, top: str, family: Family, kept: list[str] | None, netlist: Path
) -> dict[str, int]:
    """Map the design, flattened but for the modules of `kept`, or as it is without such a list;
    write its netlist and return its cells by type."""
    stat = run_yosys(
        f"read_verilog -sv {source}",
        *(f"setattr -mod -set keep_hierarchy 1 {name}" for name in kept or ()),
        family.synth(top, kept is not None),
        f"write_verilog -noattr {netlist}",
    )
    modules, cells = named(stat["modules"]), named(stat["design"]["num_cells_by_type"])
    return {kind: n for kind, n in cells.items() if kind not in modules}
