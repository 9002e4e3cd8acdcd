"""Write a Verilog netlist as JSON, with yosys: python verilog_to_json.py NETLIST.v NETLIST.json.
Cells stay as they are; the library is not read."""

import sys

from pyosys import libyosys as ys


def main(verilog: str, out: str) -> None:
    """Read one, write the other; yosys ends the process if it cannot."""
    design = ys.Design()
    for command in (f"read_verilog {verilog}", f"write_json {out}"):
        ys.run_pass(command, design)


if __name__ == "__main__":
    main(*sys.argv[1:])
