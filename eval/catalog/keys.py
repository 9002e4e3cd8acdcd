"""RSA keys that people bring: PKCS#1 in PEM."""

from pathlib import Path

from rsa import PrivateKey

from eval.catalog.inputs import LARGEST_BITS
from fl.rsa_keys import RsaKey
from sim.errors import UserError


def load_key(argument: str, text: str) -> RsaKey:
    """Return the private RSA key that a file holds; UserError unless it is one of two primes."""
    try:
        key = PrivateKey.load_pkcs1(Path(text).read_bytes())
    except OSError as error:
        raise UserError(f"{argument}: {text}: {error.strerror}; give another file") from None
    except Exception:  # whatever the package and the decoder below it make of a wrong file
        raise UserError(
            f"{argument}: {text} is no RSA key that begins with BEGIN RSA PRIVATE KEY; make one by "
            "`openssl genrsa -traditional`"
        ) from None
    phi = (key.p - 1) * (key.q - 1)
    found = RsaKey(Path(text).name, text, key.n, key.e, key.d, key.p, key.q)
    right = key.p * key.q == key.n and key.p != key.q and key.p % 2 == key.q % 2 == 1
    if not right or phi <= 0 or any(key.e * key.d % (prime - 1) != 1 for prime in (key.p, key.q)):
        raise UserError(f"{argument}: {text}: n, e, d, p and q do not go together")
    if found.nbits > LARGEST_BITS:
        raise UserError(f"{argument}: {text} has {found.nbits} bits; give one of at most 4096")
    return found
