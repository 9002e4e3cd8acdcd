"""Modular exponentiation: the integers of every exponentiator."""

from collections.abc import Callable

from fl.component import StreamFL
from fl.messages import BAD_MODULUS, OK, mk_exp_msgs


def mod_exp(
    base: int, exp: int, mod: int, takes: Callable[[int], bool] = lambda mod: mod >= 1
) -> tuple[int, int]:
    """(base^exp mod mod, OK), or (0, BAD_MODULUS) for a modulus that the design does not take."""
    if not takes(mod):
        return 0, BAD_MODULUS
    return pow(base, exp, mod), OK


class ModExpFL(StreamFL):
    """result, status = mod_exp(base, exp, mod), for the moduli that the design takes."""

    def construct(s, nbits: int, takes: Callable[[int], bool] = lambda mod: mod >= 1):
        super().construct(
            *mk_exp_msgs(nbits), lambda base, exp, mod: mod_exp(base, exp, mod, takes)
        )
