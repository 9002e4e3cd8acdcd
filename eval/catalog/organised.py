"""Exponentiators put together by an Organisation, for any family's units."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pymtl3 import Component

from cl.exponentiator import ExponentiatorCL, UnitModel, exponentiator_latency
from cl.organisation import Organisation
from eval.catalog.design import Moduli
from fl.mod_exp import ModExpFL
from rtl.exp.exponentiator import ExponentiatorRTL


def exponentiator(
    organisation: Organisation,
    model: Callable[[int], UnitModel],
    rtl: Callable[[int], Component],
    moduli: Moduli,
    guard_bits: int = 0,
    parts: dict[str, Callable[[int], Component]] | None = None,
    squarings: Callable[[int], int] = lambda nbits: 0,
) -> dict[str, Any]:
    """The schedule, moduli and levels of a Design organised so around such a unit.

    parts: ExponentiatorRTL's mk_prepare, mk_finish, mk_judge and mk_plain_multiplier, as needed.
    squarings: the organisation's at a width.
    """

    def at(nbits: int) -> Organisation:
        return replace(organisation, squarings=squarings(nbits))

    def mk_rtl(nbits: int) -> Component:
        radix = model(nbits).radix
        return ExponentiatorRTL(nbits, at(nbits), rtl, radix, guard_bits, **(parts or {}))

    return {
        "schedule": organisation.schedule,
        "moduli": moduli,
        "latency": lambda nbits, *request: exponentiator_latency(
            nbits, *request, at(nbits), model(nbits)
        ),
        "components": {
            "fl": lambda nbits: ModExpFL(nbits, moduli.at(nbits)),
            "cl": lambda nbits: ExponentiatorCL(nbits, at(nbits), model(nbits)),
            "rtl": mk_rtl,
        },
    }
