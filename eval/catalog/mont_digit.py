"""Montgomery's multiplier by digits in the catalog: document 002's radix, a loop for its array."""

from cl.exponentiator import UnitModel
from cl.mont_digit import MontDigitCL, mont_digit_alone_latency, mont_digit_latency
from cl.organisation import Organisation
from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from eval.catalog.organised import exponentiator
from eval.catalog.scaled import DIGIT, DIGITS, model, squarings_for
from fl.mont_digit import MontDigitFL, mont_digit_product
from fl.mont_mul import GUARD_BITS, mont_radix
from rtl.mul.modulus_constant import MinusInverse
from rtl.mul.mont_digit import MontDigitRTL
from rtl.mul.with_constant import PreparedMulRTL


def mont_digit_unit(digit: int) -> Multiplier:
    """The multiplier of that digit."""
    return Multiplier(
        name=f"mont-digit-{digit}",
        title=f"Montgomery, digits of {digit} bits, quotients by -m^-1 mod 2^{digit}",
        value=lambda nbits, *operands: mont_digit_product(*operands, nbits, digit),
        cycles=lambda nbits, *operands: mont_digit_alone_latency(nbits, digit),
        accepts=lambda nbits, a, b, m: m % 2 == 1 and b < 2 * m,
        radix=lambda nbits: mont_radix(nbits, digit, final_subtract=False),
        guard_bits=GUARD_BITS,
        constant_time=True,
        components={
            "fl": lambda nbits: MontDigitFL(nbits, digit),
            "cl": lambda nbits: MontDigitCL(nbits, digit),
            "rtl": lambda nbits: PreparedMulRTL(
                nbits,
                GUARD_BITS,
                lambda width: MontDigitRTL(width, digit),
                lambda width: MinusInverse(width, digit),
            ),
        },
    )


def mont_digit(digit: int) -> Design:
    """Two such units."""

    def unit(nbits: int) -> UnitModel:
        radix = mont_radix(nbits, digit, final_subtract=False)
        return model(
            lambda a, b, m: a * b * pow(2, -radix, m) % m,
            mont_digit_latency(nbits, digit),
            radix,
        )

    return Design(
        name=f"mont-digit-{digit}",
        title=f"two Montgomery units of radix 2^{digit}, {digit} bits a cycle",
        source="this project; document 002's radix, iterated",
        family="Montgomery",
        domain="base only, R >= 2^(n+2), values below 2m",
        multiplier=mont_digit_unit(digit),
        **exponentiator(
            Organisation(),
            unit,
            lambda nbits: MontDigitRTL(nbits, digit),
            ODD_MODULUS,
            GUARD_BITS,
            {"mk_prepare": lambda nbits: MinusInverse(nbits, digit)},
            squarings_for(unit, digit),
        ),
    )


DESIGNS = (mont_digit(DIGIT),)
MULTIPLIERS = (mont_digit_unit(DIGIT),)
# Of 1 bit it is mm-000's unit.
VARIANTS = tuple(mont_digit(digit) for digit in DIGITS if digit not in (1, DIGIT))
