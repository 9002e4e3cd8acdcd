"""Hardware of a submission as Verilog: translated where its Python runs, checked where it does not.

The process that marks runs Verilog of a submission through Verilator, so that the text may hold
only what a translation of PyMTL3 has: no system task, directive, string or escaped name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pymtl3 import Component

from eval.labs.stages import Wrong
from rtl.foreign.text import VerilogModule
from rtl.foreign.unit import ForeignMultiplierRTL
from sim.errors import RunError

NOT_TRANSLATED = "the hardware was not translated"
MOST = 1 << 20  # letters of a text
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,200}")
_FUNCTIONS = {"$signed", "$unsigned", "$clog2"}
_FORBIDDEN = re.compile(
    r"[^\t\n -~]|[`\"\\]|/\*|\(\*(?!\))|\b(?:import|export|bind|initial|final)\b"
)


def verilog_of(folder: Path, name: str, widths: Sequence[int]) -> dict[str, dict[str, str]]:
    """Translate a lab's multiplier at each width; what forbids it stands for the text."""
    from eval.catalog import bring, find
    from eval.catalog.user_designs import blamed
    from sim.translate import translate

    bring("folder", folder / "entry.py")
    found = {}
    for nbits in widths:
        try:
            made = translate(find(name).multiplier.at(nbits).component("rtl"))
            found[f"{nbits}"] = {"top": made.top, "text": made.text}
        except Exception as error:
            told = blamed(error) or f"{type(error).__name__}: {error}".splitlines()[0]
            found[f"{nbits}"] = {"error": f"the hardware cannot be translated: {told}"}
    return found


def checked_text(top: Any, text: Any) -> str:
    """Return Verilog without comments; Wrong unless it is as a translation has it."""
    if not isinstance(top, str) or not isinstance(text, str) or not _NAME.fullmatch(top):
        raise Wrong(NOT_TRANSLATED)
    if len(text) > MOST:
        raise Wrong(f"the hardware has more than {MOST >> 20} MB of Verilog")
    text = re.sub(r"//[^\n]*", "", text)
    if found := _FORBIDDEN.search(text):
        raise Wrong(f"the Verilog has {found[0]!r}, which no translation has")
    for name in re.findall(r"\$\w*", text):
        if name not in _FUNCTIONS:
            raise Wrong(f"the Verilog has {name!r}, which no translation has")
    return text


def multiplier_of(handed: Mapping[str, Any]) -> Callable[..., Component]:
    """Return what makes a unit's hardware: at each width the Verilog that was handed over."""

    @cache
    def module(nbits: int) -> VerilogModule:
        one = handed.get(f"{nbits}")
        if not isinstance(one, dict) or isinstance(one.get("error"), str):
            raise RunError(str(one["error"]) if isinstance(one, dict) else NOT_TRANSLATED)
        return _multiplier(one.get("top"), one.get("text"), nbits)

    return lambda nbits, *_: ForeignMultiplierRTL(nbits, module(nbits))


def _multiplier(top: Any, text: Any, nbits: int) -> VerilogModule:
    """Put a translated multiplier behind plain ports."""
    theirs = checked_text(top, text)
    ports = [*((f"in_{name}", True, nbits) for name in "abm"), ("in_val", True, 1)]
    ports += [("in_rdy", False, 1), ("out_val", False, 1), ("out_rdy", True, 1)]
    ports += [("result", False, nbits)]
    return wrapped(
        theirs,
        top,
        ports,
        {
            **{"recv__msg": "{in_a, in_b, in_m}", "recv__val": "in_val", "recv__rdy": "in_rdy"},
            **{"send__msg": "result", "send__val": "out_val", "send__rdy": "out_rdy"},
        },
    )


def wrapped(
    text: str, top: str, ports: Sequence[tuple[str, bool, int]], joined: Mapping[str, str]
) -> VerilogModule:
    """Put a module behind ports of known widths, whatever it declares its own to be."""
    name = "HandedOver"
    while re.search(rf"\b{name}\b", text):
        name += "x"
    declared = ["input logic [0:0] clk", "input logic [0:0] reset"]
    declared += [
        f"{'input' if into else 'output'} logic [{nbits - 1}:0] {port}"
        for port, into, nbits in ports
    ]
    joins = ", ".join(f".{inner}({outer})" for inner, outer in joined.items())
    outer = f"module {name} ({', '.join(declared)});\n"
    outer += f"  {top} theirs (.clk(clk), .reset(reset), {joins});\nendmodule\n"
    return VerilogModule(name, f"{text}\n{outer}", tuple(ports))
