"""A part of an exponentiator at a level of its own: hardware at cycle level, or the other way."""

from dataclasses import replace
from functools import partial
from typing import Any

from pymtl3 import Component

from cl.around import InItsPlace
from cl.exponentiator import ExponentiatorOfParts
from cl.unit import Part
from sim.at_level import CL, AtLevel
from sim.importer import import_verilog
from sim.part_behind_ports import (
    EnterBehindPorts,
    JudgeBehindPorts,
    JudgeInHardware,
    LeaveBehindPorts,
    LoopBehindPorts,
    StandsBehindPorts,
)

JUDGE = "judge"
BEHIND_PORTS = {
    "constant": StandsBehindPorts,
    "r_squared": StandsBehindPorts,
    "enter": EnterBehindPorts,
    "loop": LoopBehindPorts,
    "leave": LeaveBehindPorts,
}
PARTS = (JUDGE, *BEHIND_PORTS)


def with_hardware(model: ExponentiatorOfParts, name: str, translated: bool) -> ExponentiatorOfParts:
    """Return an exponentiator that has the hardware of a part in it at cycle level, too: as it is
    written, or translated to Verilog."""
    part: Part = getattr(model.parts, name)
    if not isinstance(model.parts.unit, InItsPlace):  # hardware asks for any product
        model = model.with_unit(AtLevel(model.nbits, model.parts.unit, CL))

    def make() -> Component:
        return import_verilog(part.rtl()) if translated else part.rtl()

    if name == JUDGE:
        return _with(model, name, replace(part, cl=partial(JudgeInHardware, make)))
    written = part.rtl()
    written.elaborate()
    asking = written.products() if hasattr(written, "products") else ()
    names = tuple(port.get_field_name() for port in asking)
    return _with(model, name, replace(part, cl=partial(BEHIND_PORTS[name], make, names)))


def with_judge_at_cl(model: ExponentiatorOfParts) -> ExponentiatorOfParts:
    """Return an exponentiator whose hardware has the modulus judged at cycle level."""
    make = partial(JudgeBehindPorts, model.nbits, model.takes)
    return _with(model, JUDGE, replace(model.parts.judge, rtl=make))


def _with(model: ExponentiatorOfParts, name: str, part: Part) -> ExponentiatorOfParts:
    changed: dict[str, Any] = {name: part}
    return replace(model, parts=replace(model.parts, **changed))
