"""Reduce RTL to and gates, inverters and registers, as yosys' JSON.

A process of its own, because an error inside yosys ends the interpreter.
"""

import argparse
from pathlib import Path

from pyosys import libyosys as ys


def reduce(verilog: Path, top: str, out: Path, flat: bool, booth: bool, but: list[str]) -> None:
    """Reduce the RTL, so that it differs from the netlist by nothing but optimisation.

    Each register gets the name that synthesis gives it. States are coded alike: synthesis sees more
    of them if it flattens first (`flat`). With `booth`, multipliers become Booth's, but for those
    in the modules `but`.
    """
    design = ys.Design()
    for command in (
        f"read_verilog -sv {verilog}",
        f"hierarchy -check -top {top}; proc",
        # As in synthesis: a register's own name is preferred to those of wires joined to it.
        "setattr -set register 1 t:$*ff* %co:+[Q] w:* %i",
        *(["flatten -noscopeinfo"] if flat else []),
        "opt_expr; opt_clean; opt -nodffe -nosdff; fsm; opt; wreduce; peepopt; opt_clean",
        *([" ".join(["booth *", *(f"{module} %d" for module in but)])] if booth else []),
        "flatten -noscopeinfo; opt_clean; memory; techmap; opt; dffunmap; opt -nodffe -nosdff",
        "setundef -zero -undriven; aigmap; opt_clean",
        f"write_json {out}",
    ):
        ys.run_pass(command, design)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verilog", type=Path)
    parser.add_argument("top")
    parser.add_argument("out", type=Path)
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--booth", action="store_true")
    parser.add_argument("--but", nargs="*", default=[], help="modules without Booth multipliers")
    reduce(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
