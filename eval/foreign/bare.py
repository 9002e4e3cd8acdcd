"""A core of others without an adapter: nothing can be asked of it, its hardware is measured."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from pymtl3 import Component

from cl.exponentiator import Exponentiator
from eval.catalog.design import Design, Moduli, Multiplier
from eval.foreign.arguments import check, check_widths
from eval.foreign.core import Core
from eval.foreign.designs import FAMILY
from fl.schedule import Counts
from rtl.foreign.models import InsideUnit
from rtl.foreign.text import VerilogModule
from rtl.foreign.unit import BareRTL
from sim.errors import ArgumentError


@dataclass(frozen=True)
class ForeignBare(Exponentiator):
    """Is hardware that has no port: it is mapped as it is."""

    name: str
    at: Callable[[int], VerilogModule]
    schedule = "not known: the core is bare"

    def counts(self, exp: int) -> Counts:
        """Count no products: nobody sees them."""
        return Counts(0, 0)

    def value(self, base: int, exp: int, mod: int) -> NoReturn:
        """Refuse: nothing can be asked."""
        self._refuse()

    def latency(self, base: int, exp: int, mod: int) -> NoReturn:
        """Refuse: nothing can be asked."""
        self._refuse()

    def rtl(self) -> NoReturn:
        """Refuse: it has no port."""
        self._refuse()

    def bare(self) -> Component:
        """Make a new component of the core."""
        return BareRTL(self.at(self.nbits))

    def _refuse(self) -> NoReturn:
        raise ArgumentError(
            f"design: {self.name} is a bare core, of which nothing can be asked; measure it by "
            f"`modexplorer flow {self.name} --nbits {self.nbits} --unit core`, or give it a "
            "handshake in its entry"
        )


def foreign_bare(
    name: str,
    core: Core,
    title: str = "",
    source: str = "theirs",
    widths: tuple[int, int] = (8, 4096),
) -> tuple[Design, ...]:
    """Return the design of a core without a handshake: area, period, cells of an FPGA and layout
    of the core alone are measured; answers, cycles and energy are not, as nothing drives it."""
    check("core", core, isinstance(core, Core), "a Core")
    check_widths(widths)
    return (
        Design(
            name=name,
            title=title or f"theirs: {core.top}, bare",
            source=source,
            family=FAMILY,
            multiplier=Multiplier(name, "inside the core", InsideUnit, inside=True),
            make=lambda nbits: ForeignBare(nbits, lambda mod: mod >= 1, name, core.at),
            domain="of the core",
            moduli=Moduli("not known"),
            widths=widths,
            tested_to=widths[0],
            bare=True,
        ),
    )
