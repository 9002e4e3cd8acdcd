"""Bounded proofs that the processor does what a model of RV32IM says, by abc."""

import re
from pathlib import Path

from proc.rtl.processor import ProcessorRTL
from sim.translate import translate
from tests import bmc
from tests.yosys import run_yosys

PARTS = Path(__file__).with_name("formal")
REPLACED = ("Multiplier_noparam", "SignedDivider__divider_fast")

# Wires of the module Claim, and what they are in the processor.
INSIDE = {
    "ready_X": "control.ready_X",
    "go_X": "control.go_X",
    "go_M": "control.go_M",
    "operand_1": "datapath.operands.bypass_1.value",
    "operand_2": "datapath.operands.bypass_2.value",
    "div_finishes": "datapath.execute.div.finishes",
    **{
        f"registers[{32 * i + 31}:{32 * i}]": f"datapath.operands.registers.row__{i - 1}.out"
        for i in range(1, 32)
    },
}


def processor() -> str:
    """The processor's Verilog, without its multiplier and divider."""
    text = translate(ProcessorRTL("fast"), "Unit").text
    for name in REPLACED:
        text, count = re.subn(rf"^module {name}\n.*?^endmodule\n", "", text, flags=re.M | re.S)
        if count != 1:
            raise ValueError(f"the processor has {count} modules {name}, not one")
    return text


def prepare(folder: Path, verilog: str) -> Path:
    """The claims about a processor as an AIGER file, its outputs named in a file beside it."""
    parts = [(PARTS / f"{name}.sv").read_text() for name in ("stand_ins", "instruction", "claim")]
    source, out = folder / "claim.sv", folder / "claim.aig"
    source.write_text("\n".join(["`default_nettype none", verilog, *parts]))
    run_yosys(
        f"read_verilog -sv -formal {source}",
        "hierarchy -check -top Claim; proc; flatten -noscopeinfo; cd Claim",
        *(f"connect -nounset -set {wire} unit.{seen}" for wire, seen in INSIDE.items()),
        bmc.FREE,
        "opt -full; memory; opt -full; chformal -lower",
        *bmc.mapped(out),
    )
    return out


def claims(prepared: Path) -> list[str]:
    """The names of the claims, in the order of the file's outputs."""
    ports = prepared.with_suffix(".map").read_text()
    names = re.findall(r"^output (\d+) 0 broken_(\w+)$", ports, re.M)
    return [name for _, name in sorted(names, key=lambda found: int(found[0]))]


def holds(prepared: Path, claim: str, cycles: int) -> str:
    """bmc.HOLDS if the claim does in each of the first cycles, or in which it is broken."""
    return bmc.holds(prepared, cycles, claims(prepared).index(claim))
