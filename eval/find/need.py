"""What somebody needs: an operation at a width, limits, what is to be least, and where to look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from shlex import quote

from eval.catalog import FAMILIES
from eval.catalog.inputs import parse_decimal, parse_number, shorten
from eval.catalog.user_designs import with_options
from eval.find.quantities import QUANTITIES, check_quantity, read_limits, read_seconds
from eval.study.user_study import CLOCKS_NS, matching
from sim.errors import UserError

CRT = "sign-crt"
OPERATIONS = {"sign": "d", "verify": "e", CRT: "d"}  # with the workload of its powers
MODULI = ("odd", "any", "special")
GATED = {"no": (False,), "yes": (True,), "free": (False, True)}
FREE = "free"
BUDGET = "15min"
WIDTHS = (8, 4096)
MOST_BLINDED = 256


@dataclass(frozen=True)
class Need:
    """Asks for a design.

    key_bits: of the modulus of the operation. nbits: of the design that makes its powers.
    blinded: bits of the random factor by which exponents are blinded, which makes them, and the
        design, so much wider.
    at_most: limits, in the units of QUANTITIES.
    least: what is to be least; several ask for a front.
    moduli: those that it must take: odd ones; any, even ones, too; special: a form is enough.
    families, designs: where to look; everywhere if neither is given.
    clock_ns: the clock that it must meet; None if it may have its own.
    gated: whether clocks are gated, or both.
    budget_s: for so many seconds runs are begun. seed: of what is drawn.
    """

    key_bits: int
    operation: str
    least: tuple[str, ...]
    at_most: Mapping[str, float] = field(default_factory=dict)
    constant_time: bool = False
    blinded: int = 0
    moduli: str = MODULI[0]
    families: tuple[str, ...] = ()
    designs: tuple[str, ...] = ()
    clock_ns: float | None = None
    gated: str = "no"
    budget_s: float = 900
    seed: int = 1

    @property
    def nbits(self) -> int:
        """The width of the design: that of the modulus, or of its primes; and what blinds."""
        return self.key_bits // self.powers + self.blinded

    @property
    def powers(self) -> int:
        """How many powers the operation takes, one after the other."""
        return 2 if self.operation == CRT else 1

    @property
    def workload(self) -> str:
        """The workload that a power is."""
        return OPERATIONS[self.operation]

    @property
    def quantities(self) -> tuple[str, ...]:
        """The quantities that decide, those that are to be least first."""
        return tuple(dict.fromkeys([*self.least, *self.at_most]))

    @property
    def clocks_gated(self) -> tuple[bool, ...]:
        """Whether clocks are gated: what may be chosen."""
        return GATED[self.gated]

    @property
    def text(self) -> str:
        """Say it in words."""
        limits = [f"{name} at most {QUANTITIES[name].text(v)}" for name, v in self.at_most.items()]
        asked = [
            f"{self.key_bits}-bit {self.operation}",
            f"least {' and '.join(self.least)}",
            *limits,
        ]
        asked += ["constant time"] * self.constant_time
        asked += [f"exponents blinded by {self.blinded} bits"] * (self.blinded > 0)
        asked += [] if self.clock_ns is None else [f"a clock of {self.clock_ns:g} ns"]
        return ", ".join(asked)


def read_need(
    nbits: int | str,
    operation: str,
    least: Sequence[str],
    *,
    at_most: Sequence[str] = (),
    constant_time: bool = False,
    blinded: int | str = 0,
    moduli: str = MODULI[0],
    families: Sequence[str] = (),
    designs: Sequence[str] = (),
    clock: str = FREE,
    gated: str = "no",
    budget: str = BUDGET,
    seed: int | str = 1,
) -> Need:
    """Make a need of what is typed; UserError with the option that is wrong."""
    for option, text, known in (
        ("operation", operation, tuple(OPERATIONS)),
        ("moduli", moduli, MODULI),
        ("gated", gated, tuple(GATED)),
    ):
        if text not in known:
            raise UserError(
                f"--{option}: {shorten(text)!r} is none; choose from {', '.join(known)}"
            )
    if not least:
        raise UserError(
            f"--least: nothing is named; give one or several of {', '.join(QUANTITIES)}"
        )
    for name in least:
        check_quantity("--least", name)
    for text in designs:
        matching(text)
    if families and designs:
        raise UserError("--designs: --families says already where to look; leave one out")
    key_bits = parse_number("--nbits", str(nbits), *WIDTHS)
    mask_bits = parse_number("--blinded", str(blinded), 0, MOST_BLINDED)
    if operation == CRT and (key_bits % 2 or key_bits < 2 * WIDTHS[0]):
        raise UserError(
            f"--nbits: {key_bits} bits have no two primes of half as many, {WIDTHS[0]} or more; "
            f"give an even number from {2 * WIDTHS[0]} on"
        )
    if operation == "verify" and mask_bits:
        raise UserError("--blinded: a public exponent is no secret; leave it out of verify")
    return Need(
        key_bits=key_bits,
        operation=operation,
        least=tuple(dict.fromkeys(least)),
        at_most=read_limits("--at-most", list(at_most)),
        constant_time=constant_time,
        blinded=mask_bits,
        moduli=moduli,
        families=tuple(map(_family, dict.fromkeys(families))),
        designs=tuple(dict.fromkeys(designs)),
        clock_ns=None if clock == FREE else parse_decimal("--clock", clock, "ns", *CLOCKS_NS),
        gated=gated,
        budget_s=read_seconds("--budget", budget),
        seed=parse_number("--seed", str(seed)),
    )


def _family(name: str) -> str:
    """Return the name of a family with hardware; UserError if there is none of that name."""
    known = [family.name for family in FAMILIES.values() if family.hardware]
    if name not in known:
        raise UserError(
            f"--families: no family {shorten(name)!r} with hardware; choose from {', '.join(known)}"
        )
    return name


def command_of(need: Need) -> str:
    """Write the command that asks for it again."""
    limits = (
        f"{name}={_typed(value)}{QUANTITIES[name].unit}" for name, value in need.at_most.items()
    )
    options = {
        "nbits": str(need.key_bits),
        "operation": need.operation,
        "at-most": ",".join(limits),
        "least": ",".join(need.least),
        "blinded": str(need.blinded) if need.blinded else "",
        "moduli": need.moduli if need.moduli != MODULI[0] else "",
        "families": ",".join(need.families),
        "designs": ",".join(need.designs),
        "clock": "" if need.clock_ns is None else _typed(need.clock_ns),
        "gated": need.gated if need.gated != "no" else "",
        "budget": f"{_typed(need.budget_s)}s" if need.budget_s != read_seconds("", BUDGET) else "",
        "seed": str(need.seed) if need.seed != 1 else "",
    }
    words = [f"--{name} {quote(text)}" for name, text in options.items() if text]
    flags = ["--constant-time"] * need.constant_time
    return " ".join(["modexplorer find", *words, *flags]) + with_options()


def _typed(value: float) -> str:
    """Write a number as options take it: in full, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"
