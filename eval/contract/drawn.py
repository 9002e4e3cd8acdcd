"""Cases drawn for one design: of operands that it accepts, as many as asked for.

Half of the moduli have full length. The others are one, two or three bits shorter, which leaves top
bits spare, or of any length, or near 2^n. Where a design accepts few moduli, those found before are
drawn again.
"""

from collections.abc import Sequence
from random import Random

from cl.exponentiator import Exponentiator
from cl.unit import Unit
from eval.contract.exponentiator import ExpCase
from eval.contract.multiplier import MulCase

SPARE = (1, 2, 3)  # bits by which shorter moduli are shorter
TRIES = 30  # draws for each case that is wanted
POOL = 64  # moduli that are drawn again


def drawn_products(unit: Unit, count: int, known: Sequence[MulCase] = ()) -> list[MulCase]:
    """Draw `count` products that the unit accepts, fewer if they are too rare."""
    rng = Random(f"products {unit.nbits}")
    draw = _Moduli(rng, unit.nbits, [case.m for case in known])
    found: list[MulCase] = []
    for i in range(TRIES * max(count, 0)):
        if len(found) == count:
            break
        m = unit.only_modulus or draw.one(rare=i > TRIES * (len(found) + 1) // 2)
        a, b = (draw.operand(m, unit.nbits + unit.guard_bits) for _ in "ab")
        if unit.accepts(a, b, m):
            found.append(MulCase(f"drawn-{len(found)}", unit.nbits, a, b, m))
    return found


def drawn_powers(
    model: Exponentiator,
    count: int,
    exp_bits: int | None,
    known: Sequence[ExpCase] = (),
    special: int | None = None,
) -> list[ExpCase]:
    """Draw `count` powers whose modulus the design takes, fewer if they are too rare.

    special: a modulus of its form, if it takes only those of one form.
    """
    nbits = model.nbits
    rng = Random(f"powers {nbits}")
    moduli = [case.mod for case in known if model.takes(case.mod)]
    draw = _Moduli(rng, nbits, [*moduli, special or 0])
    found: list[ExpCase] = []
    for i in range(TRIES * max(count, 0)):
        if len(found) == count:
            break
        mod = draw.one(rare=i > TRIES * (len(found) + 1) // 2)
        base = draw.operand(mod, nbits)
        exp = rng.getrandbits(draw.length(exp_bits or nbits))
        if mod and model.takes(mod) and model.accepts(base, exp, mod):
            found.append(ExpCase(f"drawn-{len(found)}", nbits, base, exp, mod))
    return found


class _Moduli:
    """Draws moduli, and operands under them."""

    def __init__(self, rng: Random, nbits: int, known: Sequence[int]) -> None:
        self.rng, self.nbits = rng, nbits
        self.pool = list(dict.fromkeys(m for m in known if m))[:POOL]

    def length(self, most: int) -> int:
        """Draw the full length half of the time, else any."""
        return self.rng.choice((most, self.rng.randint(1, most)))

    def one(self, rare: bool) -> int:
        """Draw a modulus, one of those that are known to be accepted where others rarely are."""
        rng, nbits = self.rng, self.nbits
        if rare and self.pool:
            return rng.choice(self.pool)
        kind = rng.randrange(8)
        if kind == 7:
            return (1 << nbits) - rng.getrandbits(nbits // 2) - 1
        length = nbits
        if kind >= 4:
            length = nbits - rng.choice(SPARE) if kind < 6 else rng.randint(1, nbits)
        length = max(length, 1)
        return 1 << length - 1 | rng.getrandbits(length)

    def operand(self, mod: int, nbits: int) -> int:
        """Draw an operand below the modulus half of the time, else any of nbits."""
        return self.rng.choice((self.rng.randrange(max(mod, 1)), self.rng.getrandbits(nbits)))
