"""Accelerators without hardware: integers behind the register map, and what stands for none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from fl.component.stream import fields
from fl.exponentiator import mod_exp
from fl.messages import XcelReq, XcelResp
from fl.xcel import GO, READ, WRITE


@dataclass(frozen=True)
class Plain:
    """Exponentiates, and keeps nothing from one request to the next."""

    nbits: int
    compute: Callable[[int, int, int], tuple[int, int]] = mod_exp
    wiped: ClassVar[tuple[int, ...]] = ()
    kept: ClassVar[int | None] = None
    by_crt: ClassVar[bool] = False

    def value(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        """Return result and status."""
        return self.compute(base, exp, mod)

    def after(self, base: int, exp: int, mod: int) -> Self:
        """Return it as it is."""
        return self

    def renewed(self) -> Self:
        """Return it as it is."""
        return self


class NullXcelFL(Component):
    """Keeps one register, xr0: what is written there is read back. Stands for no accelerator."""

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.kept = 0
        s.full = Wire()
        s.response = Wire(XcelResp)

        @update_ff
        def serve():
            if s.reset:
                s.kept = 0
                s.full <<= 0
            elif s.xcel.req.val & s.xcel.req.rdy:
                type_, register, data = fields(s.xcel.req.msg)
                if register == GO and type_ == WRITE:
                    s.kept = data
                answer = s.kept if register == GO and type_ == READ else 0
                s.response <<= XcelResp(type_, answer)
                s.full <<= 1
            elif s.xcel.resp.rdy:
                s.full <<= 0

        @update
        def ports():
            s.xcel.req.rdy @= ~s.full | s.xcel.resp.rdy
            s.xcel.resp.val @= s.full
            s.xcel.resp.msg @= s.response

    def line_trace(s) -> str:
        return f"{s.xcel.req}({s.kept:08x}){s.xcel.resp}"
