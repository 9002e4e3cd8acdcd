"""Write what the nets of a netlist did as a SAIF file, which tools that calculate power take."""

from pathlib import Path

from flow.gates.power import Nets
from flow.netlist import Netlist

PS = 1000  # in a ns


def write_saif(path: Path, netlist: Netlist, nets: Nets, period: float) -> None:
    """Write a file: of each net its toggles, and how long it was at 1, in cycles of so many ns."""
    duration = round(nets.cycles * period * PS)
    lines = []
    for net, name in netlist.name_of.items():
        at_1 = round(nets.high[net] * duration)
        times = f"(T0 {duration - at_1}) (T1 {at_1}) (TX 0) (TC {round(nets.toggles[net])}) (IG 0)"
        lines.append(f"    ({_escaped(name)} {times})")
    head = '(SAIFILE\n(SAIFVERSION "2.0")\n(DIRECTION "backward")\n'
    head += f"(DURATION {duration})\n(TIMESCALE 1 ps)\n(INSTANCE {netlist.top}\n  (NET\n"
    path.write_text("\n".join([head + lines[0], *lines[1:], "  )))\n"]))


def _escaped(name: str) -> str:
    """Write a name with what is no letter, digit or _ escaped."""
    return "".join(c if c.isalnum() or c == "_" else f"\\{c}" for c in name)
