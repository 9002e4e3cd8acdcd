"""New RSA keys and RSA itself by the `rsa` package, to test against."""

import rsa
from rsa import core

from fl.rsa_keys import RsaKey, check_key_bits, public_exponent


def new_key(nbits: int) -> RsaKey:
    """A random key whose n has exactly nbits bits, from `rsa.newkeys`."""
    check_key_bits(nbits)
    _, private = rsa.newkeys(nbits, exponent=public_exponent(nbits))
    return RsaKey(
        name=f"random-{nbits}",
        source="rsa.newkeys",
        n=private.n,
        e=private.e,
        d=private.d,
        p=private.p,
        q=private.q,
    )


def golden_encrypt(message: int, rsa_key: RsaKey) -> int:
    """message^e mod n by the `rsa` package, for 0 <= message < n."""
    _check_below_n("message", message, rsa_key)
    return core.encrypt_int(message, rsa_key.e, rsa_key.n)


def golden_decrypt(ciphertext: int, rsa_key: RsaKey) -> int:
    """ciphertext^d mod n by the `rsa` package, for 0 <= ciphertext < n."""
    _check_below_n("ciphertext", ciphertext, rsa_key)
    return core.decrypt_int(ciphertext, rsa_key.d, rsa_key.n)


def _check_below_n(name: str, value: int, rsa_key: RsaKey) -> None:
    if not 0 <= value < rsa_key.n:
        raise ValueError(f"{name} must be from 0 to n-1 = {rsa_key.n - 1}, not {value}")
