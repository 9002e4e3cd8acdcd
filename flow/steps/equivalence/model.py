"""Bring RTL to and gates, inverters and registers: a JSON file.

A process of its own, because an error inside yosys ends the interpreter.
"""

import argparse
from pathlib import Path

from pyosys import libyosys as ys


def passes(verilog: Path, top: str, flat: bool, booth: bool, but: list[str]) -> list[str]:
    """The design as bits and registers, each with the name that synthesis gives it; a multiplier
    becomes the one that synthesis has built: by Booth, `but` for those in some modules. States are
    coded as in synthesis, which sees more of them if it flattens first."""
    return [
        f"read_verilog -sv {verilog}",
        f"hierarchy -check -top {top}; proc",
        # As in synthesis: a register's own name is preferred to those of wires joined to it.
        "setattr -set register 1 t:$*ff* %co:+[Q] w:* %i",
        *(["flatten -noscopeinfo"] if flat else []),
        "opt_expr; opt_clean; opt -nodffe -nosdff; fsm; opt; wreduce; peepopt; opt_clean",
        *([" ".join(["booth *", *(f"{module} %d" for module in but)])] if booth else []),
        "flatten -noscopeinfo; opt_clean; memory; techmap; opt; dffunmap; opt -nodffe -nosdff",
        "setundef -zero -undriven; aigmap; opt_clean",
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verilog", type=Path)
    parser.add_argument("top")
    parser.add_argument("out", type=Path)
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--booth", action="store_true")
    parser.add_argument("--but", nargs="*", default=[], help="modules without Booth multipliers")
    args = parser.parse_args()
    design = ys.Design()
    for command in passes(args.verilog, args.top, args.flat, args.booth, args.but):
        ys.run_pass(command, design)
    ys.run_pass(f"write_json {args.out}", design)


if __name__ == "__main__":
    main()
