"""Check a Verilog design with yosys and say what is in it: outputs/design.v, outputs/rtl.json."""

import shutil

from flow.elaborate import ADDERS, UNDRIVEN, black_boxes, elaborate, problems, widest
from flow.results.netlist import Rtl
from flow.step import OUT, given_file, leave, step
from sim.errors import RunError


@step
def main(design_name: str, verilog_sha256: str) -> None:
    """Check the design that the step's parameters name; exit 1 with what is wrong with it."""
    design = OUT / "design.v"
    shutil.copy(given_file("verilog"), design)
    counts, factor, text = elaborate(design, design_name)
    cells = counts["flat"]["design"]["num_cells_by_type"]
    wrong = problems(text) + black_boxes(cells)
    found = Rtl(
        verilog_sha256=verilog_sha256,
        verilog_lines=len(design.read_text().splitlines()),
        modules=sorted(name.removeprefix("\\") for name in counts["modules"]["modules"]),
        operators={kind.removeprefix("$"): count for kind, count in cells.items()},
        widest_adder=widest(counts["widths"]["design"]["num_cells_by_type"], ADDERS),
        factor_bits=factor,
        undriven=sorted(name.replace("\\", "") for name in set(UNDRIVEN.findall(text))),
        problems=wrong,
    )
    leave("rtl", found)
    if wrong:
        raise RunError("\n".join(wrong))
