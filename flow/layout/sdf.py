"""Write the delays of a layout as SDF, and the netlist that they belong to, for other simulators.

Instances have plain names in both, since not all simulators find escaped ones. Delays of cells and
wires are those of OpenSTA. Of delays under conditions, which iverilog leaves out, there is the
greatest. Typical ones are left open: take the greatest (`iverilog -gspecify -Tmax`).
"""

import re
from collections.abc import Mapping
from pathlib import Path

from flow.netlist import SIMPLE, Instance, Netlist
from flow.opensta import Timed, run_script

SCRIPT = Path(__file__).with_name("sdf.tcl")
INSTANCE = re.compile(r"\(INSTANCE (\S+)\)")
BETWEEN = re.compile(r"\(INTERCONNECT (\S+) (\S+) ")
CONDITIONAL = re.compile(r"( +\(COND .*\n +\(IOPATH .*\)\)\n)+")
PATH = re.compile(r"\(IOPATH (\S+ \S+) \(([\d.]+)::([\d.]+)\) \(([\d.]+)::([\d.]+)\)\)")


def plain_names(netlist: Netlist) -> dict[str, str]:
    """Give each instance a name of letters, digits and underscores that no other has."""
    taken = {*netlist.ports, *netlist.names, *(cell.name for cell in netlist.instances)}
    found = {}
    for number, cell in enumerate(netlist.instances):
        plain = cell.name
        if not SIMPLE.match(plain):
            plain = re.sub(r"\W", "_", f"cell_{plain}_{number}")
            while plain in taken:
                plain += "_"
        found[cell.name] = plain
        taken.add(plain)
    return found


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Call the instances of an SDF file by other names."""

    def instance(escaped: str) -> str:
        name = escaped.replace("\\", "")
        return names.get(name, escaped)

    def pin(escaped: str) -> str:
        before, dot, name = escaped.rpartition(".")
        return f"{instance(before)}.{name}" if dot and not before.endswith("\\") else escaped

    text = INSTANCE.sub(lambda found: f"(INSTANCE {instance(found[1])})", text)
    return BETWEEN.sub(lambda f: f"(INTERCONNECT {pin(f[1])} {pin(f[2])} ", text)


def unconditional(text: str) -> str:
    """Write delays under conditions as one for each pair of pins: the least and the greatest."""

    def merged(found: re.Match[str]) -> str:
        pairs: dict[str, list[tuple[float, ...]]] = {}
        for pins, *delays in PATH.findall(found[0]):
            pairs.setdefault(pins, []).append(tuple(map(float, delays)))
        lines = []
        for pins, rows in pairs.items():
            low_rise, rise, low_fall, fall = zip(*rows, strict=True)
            each = ((min(low_rise), max(rise)), (min(low_fall), max(fall)))
            delays = " ".join(f"({low:.3f}::{high:.3f})" for low, high in each)
            lines.append(f"    (IOPATH {pins} {delays})\n")
        return "".join(lines)

    return CONDITIONAL.sub(merged, text)


def write_sdf(netlist: Netlist, design: Timed, sdf: Path, verilog: Path) -> None:
    """Write both files of a netlist that OpenSTA times as `design`."""
    run_script(SCRIPT, design, {"SDF": sdf})
    names = plain_names(netlist)
    sdf.write_text(unconditional(renamed(sdf.read_text(), names)))
    cells = [Instance(names[cell.name], cell.master, cell.pins) for cell in netlist.instances]
    Netlist(netlist.top, netlist.ports, cells, netlist.names).write_verilog(verilog)
