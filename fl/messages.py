"""The messages of every unit, at every level: what goes in, what comes out."""

from functools import cache

from pymtl3 import Bits1, Bits5, Bits32, mk_bits, mk_bitstruct

import fl.widebits  # noqa: F401  (messages of wide designs pass PyMTL3's limit)
from fl.crt import E_BITS


@cache
def mk_mul_msgs(nbits: int, guard_bits: int = 0) -> tuple[type, type]:
    """Make the request (a, b, m) and the response (r) of an n-bit modular multiplier.

    guard_bits widen a, b and r, not m, in units whose values may pass the modulus.
    """
    bits, wide = mk_bits(nbits), mk_bits(nbits + guard_bits)
    suffix = f"{nbits}plus{guard_bits}" if guard_bits else f"{nbits}"
    return (
        mk_bitstruct(f"MulReq{suffix}", {"a": wide, "b": wide, "m": bits}),
        mk_bitstruct(f"MulResp{suffix}", {"r": wide}),
    )


@cache
def mk_exp_msgs(nbits: int) -> tuple[type, type]:
    """Make the request (base, exp, mod) and the response (result, status) of an exponentiator."""
    bits = mk_bits(nbits)
    return (
        mk_bitstruct(f"ExpReq{nbits}", {"base": bits, "exp": bits, "mod": bits}),
        mk_bitstruct(f"ExpResp{nbits}", {"result": bits, "status": Bits1}),
    )


CRT_KEY = ("p", "q", "dp", "dq", "q_inverse", "e")


@cache
def mk_crt_key(nbits: int) -> type:
    """Make an RSA key by primes of n bits, as are d mod p - 1 and q - 1, and 1/q mod p."""
    sizes = {name: mk_bits(E_BITS if name == "e" else nbits) for name in CRT_KEY}
    return mk_bitstruct(f"CrtKey{nbits}", sizes)


@cache
def mk_div_msgs(dividend_bits: int, divisor_bits: int) -> tuple[type, type]:
    """Make the request (a, b) and the response (quotient, remainder) of a divider."""
    wide, narrow = mk_bits(dividend_bits), mk_bits(divisor_bits)
    suffix = f"{dividend_bits}by{divisor_bits}"
    return (
        mk_bitstruct(f"DivReq{suffix}", {"a": wide, "b": narrow}),
        mk_bitstruct(f"DivResp{suffix}", {"quotient": wide, "remainder": narrow}),
    )


XcelReq = mk_bitstruct("XcelReq", {"type_": Bits1, "addr": Bits5, "data": Bits32})
XcelResp = mk_bitstruct("XcelResp", {"type_": Bits1, "data": Bits32})
