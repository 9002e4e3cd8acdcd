"""Constants of the modulus that a core of others asks for: what the host gives, without cycles and
area, or how many cycles find what a host usually gives."""

from collections.abc import Mapping
from dataclasses import replace

from cl.exponentiator import ExponentiatorOfParts
from cl.model import Model
from rtl.foreign import host
from rtl.foreign.models import ForeignExponentiator, ForeignUnit

GIVEN = "given by the host"
KINDS = {
    "r": "{name} = 2^{k} mod m",
    "r2": "{name} = 2^(2*{k}) mod m",
    "m_inv": "{name} = -m^-1 mod 2^{k}",
    "base_r": "{name} = base * 2^{k} mod m",
}


Foreign = ForeignUnit | ForeignExponentiator


def _foreign(model: Model) -> Foreign | None:
    """Return the core of others in a model, if there is one."""
    found = model.parts.unit if isinstance(model, ExponentiatorOfParts) else model
    return found if isinstance(found, Foreign) else None


def _asked(core: Foreign | None) -> Mapping[str, tuple[str, int]]:
    """Return the constants that the host gives to a core."""
    return core.declared.asked(core.nbits) if core and core.declared.hosted else {}


def from_host(model: Model) -> list[str]:
    """List the constants that the host gives, in words; none if the hardware finds all."""
    asked = _asked(_foreign(model)).items()
    return [KINDS[kind].format(name=name, k=k) for name, (kind, k) in asked]


def host_says(model: Model, base: int, mod: int) -> int:
    """Return what stands on the input of constants for a request, if the host gives any."""
    core = _foreign(model)
    if not core or not (asked := _asked(core)) or not core.declared.taken(mod, core.nbits):
        return 0
    return host.joined(asked, core.nbits, base, mod)


def given_each(model: Model) -> tuple[int, str] | None:
    """Return the cycles that find them, and of what each: "product" or "request"; None if no core
    of others asks for any."""
    core = _foreign(model)
    cycles = core.declared.given(core.nbits) if core else 0
    return (cycles, "product" if isinstance(core, ForeignUnit) else "request") if cycles else None


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
    assert isinstance(model, Foreign)
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
