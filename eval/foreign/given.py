"""How many cycles find constants of the modulus that a host usually gives to a core of others."""

from dataclasses import replace

from cl.exponentiator import ExponentiatorOfParts
from cl.model import Model
from rtl.foreign.models import ForeignExponentiator, ForeignUnit

GIVEN = "given by the host"


def given_each(model: Model) -> tuple[int, str] | None:
    """Return the cycles that find them, and of what each: "product" or "request"; None if no core
    of others asks for any."""
    if isinstance(model, ExponentiatorOfParts):
        return given_each(model.parts.unit)
    if not isinstance(model, ForeignUnit | ForeignExponentiator):
        return None
    cycles = model.declared.given(model.nbits)
    return (cycles, "product" if isinstance(model, ForeignUnit) else "request") if cycles else None


def given_by_host(model: Model, *operands: int) -> int | None:
    """Count those of the request's cycles; None if no core of others asks for any.

    A modulus that is refused has none. An exponentiator of ours has those of its products, as many
    as follow each other.
    """
    each = given_each(model)
    if not each:
        return None
    if isinstance(model, ExponentiatorOfParts):
        return each[0] * _in_a_row(model, *operands)
    assert isinstance(model, ForeignUnit | ForeignExponentiator)
    return each[0] if model.declared.taken(operands[-1], model.nbits) else 0


def _in_a_row(model: ExponentiatorOfParts, base: int, exp: int, mod: int) -> int:
    """Count products that follow each other: by so much the request is longer if each takes a cycle
    more."""

    def cycles(of_product: int) -> int:
        unit = model.parts.unit
        assert isinstance(unit, ForeignUnit)
        declared = replace(unit.declared, constant_time=True, cycles=lambda *_: of_product)
        return model.with_unit(replace(unit, declared=declared)).latency(base, exp, mod)

    longest = model.nbits  # than which leading zeros of the exponent leave sooner
    return cycles(longest + 1) - cycles(longest)
