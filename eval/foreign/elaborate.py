"""Elaborate Verilog of others by yosys, in a process of its own: yosys ends the one that it is in.

Called as `python -m eval.foreign.elaborate`, in the folder where it reads and writes; the JSON on
stdin names the commands that read the sources, the top module and its parameters. Writes core.json,
and core.v, with `prefix` before the name of each module (but not of the top, if `keep` is set);
without `keep` also clocks.json, the signals that clock registers, and unread.json, the inputs that
nothing reads. Prints what yosys says.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from pyosys import libyosys as ys


def main() -> None:
    """Do what stdin says."""
    asked = json.load(sys.stdin)
    design = ys.Design()

    def run(command: str) -> None:
        ys.run_pass(command, design)

    for command in asked["read"]:
        run(command)
    if parameters := asked["parameters"]:
        values = " ".join(f"-set {name} {value}" for name, value in parameters.items())
        run(f"chparam {values} {asked['top']}")
    run(f"hierarchy -check -top {asked['top']}")
    run("proc")
    run("opt_clean")
    run("check")
    run("write_json core.json")
    if not asked["keep"]:
        run("design -save whole")
        run("flatten")
        run("opt_clean")
        run("write_json flat.json")
        run("design -load whole")
        flat = json.loads(Path("flat.json").read_text())["modules"]
        whole = next(filter(is_top, flat.values()))
        Path("clocks.json").write_text(json.dumps(clocks_of(whole)))
        Path("unread.json").write_text(json.dumps(unread_of(whole)))
    modules = json.loads(Path("core.json").read_text())["modules"]
    names: dict[str, str] = {}
    for name in sorted(modules, key=lambda name: not is_top(modules[name])):
        module = modules[name]
        plain = re.sub(r"\W+|__+", "_", module["attributes"].get("hdlname", name)).strip("_")
        free = (f"\\{asked['prefix']}{plain}{i or ''}" for i in range(len(modules)))
        own = name if name.startswith("$") else f"\\{name}"
        if asked["keep"] and name == asked["top"]:
            continue
        names[own] = next(new for new in free if new not in names.values())
        if is_top(module):
            Path("top.txt").write_text(names[own].removeprefix("\\"))
    for old, new in names.items():
        design.rename(design.module(ys.IdString(old)), ys.IdString(new))
    for held in design.selected_modules():
        for cell in held.selected_cells():
            if (kind := cell.type.str()) in names:
                cell.type = ys.IdString(names[kind])
    run("setattr -unset init")
    run("write_verilog -noattr core.v")


def clocks_of(module: dict[str, Any]) -> list[tuple[str, bool, bool]]:
    """List what clocks the registers of a module without instances: the name of the signal, whether
    it is an input, and whether the rising edge counts."""
    inputs = {
        port["bits"][0]: name
        for name, port in module["ports"].items()
        if port["direction"] == "input" and len(port["bits"]) == 1
    }
    names = {bit: name for name, net in module["netnames"].items() for bit in net["bits"]}
    found = set()
    for cell in module["cells"].values():
        for pin in ("CLK", "RD_CLK", "WR_CLK"):
            bits, parameters = cell["connections"].get(pin, []), cell["parameters"]
            clocked = "CLK" if pin == "CLK" else f"{pin}_ENABLE"
            for i, bit in enumerate(bits):
                rising, on = (
                    parameters.get(f"{name}", "1")[::-1][i : i + 1] != "0"
                    for name in (f"{pin}_POLARITY", clocked)
                )
                if on and not isinstance(bit, str):
                    found.add((inputs.get(bit) or names[bit], bit in inputs, rising))
    return sorted(found)


def unread_of(module: dict[str, Any]) -> list[str]:
    """List the inputs of a module without instances of which no bit goes anywhere."""
    ports, cells = module["ports"], module["cells"].values()
    read = {bit for cell in cells for bits in cell["connections"].values() for bit in bits}
    read |= {bit for port in ports.values() if port["direction"] != "input" for bit in port["bits"]}
    return [
        name
        for name, port in ports.items()
        if port["direction"] == "input" and read.isdisjoint(port["bits"])
    ]


def is_top(module: dict[str, Any]) -> bool:
    """Return whether a module is the top one."""
    return "1" in module["attributes"].get("top", "")


if __name__ == "__main__":
    main()
