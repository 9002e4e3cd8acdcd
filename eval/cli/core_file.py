"""A FuseSoC description (CAPI2) of a Verilog file, by which other projects depend on it."""

from pathlib import Path

from eval.catalog.inputs import check_output
from sim.errors import UserError

VERSION = "1.0.0"
TEMPLATE = """CAPI=2:
name: "modexplorer:{unit}:{module}:{version}"
description: "{description}"
filesets:
  rtl:
    files: ["{file}"]
    file_type: systemVerilogSource
targets:
  default: &default
    filesets: [rtl]
    toplevel: {module}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wno-fatal]
"""


def check_core(verilog: Path, core: Path) -> None:
    """Raise UserError unless the description can stand beside the Verilog."""
    if verilog.suffix == core.suffix:
        raise UserError(f"--core: {verilog} is where it would be; give --output another ending")
    if '"' in verilog.name or "\\" in verilog.name:
        raise UserError(f"--core: {verilog.name} has a quote or a backslash; give another name")
    check_output("--core", core)


def core_text(verilog: Path, module: str, unit: str, title: str, nbits: int) -> str:
    """Describe a unit's file, which stands in the same folder."""
    return TEMPLATE.format(
        unit=unit,
        module=module,
        version=VERSION,
        description=f"{title}, {nbits} bits, {unit}",
        file=verilog.name,
    )
