"""RSA keys that people bring: PKCS#1 in PEM."""

from pathlib import Path
from shlex import quote

from pyasn1.codec.der import decoder
from pyasn1.type.univ import Integer
from rsa import pem, prime

from eval.catalog.inputs import LARGEST_BITS
from fl.rsa_keys import RsaKey
from sim.errors import UserError

KIND = "RSA PRIVATE KEY"
NUMBERS = ("version", "n", "e", "d", "p", "q")  # that come first in the file
MAKE = "make one by `openssl genrsa -traditional`"
LOCKED = b"Proc-Type: 4,ENCRYPTED"  # the line above the content of a file under a passphrase
UNLOCK = "unlock a copy by `openssl rsa -traditional -in {} -out unlocked.pem`"


def load_key(argument: str, text: str) -> RsaKey:
    """Return the private RSA key that a file holds; UserError unless it is one of two primes."""
    try:
        content = Path(text).read_bytes()
    except OSError as error:
        raise UserError(f"{argument}: {text}: {error.strerror}; give another file") from None
    if LOCKED in content:
        raise UserError(
            f"{argument}: {text} is locked by a passphrase; {UNLOCK.format(quote(text))}"
        )
    try:
        numbers = numbers_of(content)
    except Exception:  # whatever the package and the decoder below it make of a wrong file
        raise UserError(
            f"{argument}: {text} is no RSA key that begins with BEGIN {KIND}; {MAKE}"
        ) from None
    version = numbers.pop("version")
    if version != 0:
        raise UserError(f"{argument}: {text} is a key of version {version}, not of two primes")
    found = RsaKey(Path(text).name, text, **numbers)
    if found.n > 0 and found.nbits > LARGEST_BITS:
        raise UserError(f"{argument}: {text} has {found.nbits} bits; give one of at most 4096")
    if wrong := what_is_wrong(found):
        raise UserError(f"{argument}: {text} is no RSA key: {wrong}; {MAKE}")
    return found


def numbers_of(content: bytes) -> dict[str, int]:
    """Return the numbers of a file by their names; any exception where they are no integers."""
    fields, _ = decoder.decode(pem.load_pem(content, KIND))
    first = [fields[i] for i in range(len(NUMBERS))]
    if not all(isinstance(field, Integer) for field in first):  # but bytes, which int() takes, too
        raise ValueError("no integers")
    return dict(zip(NUMBERS, map(int, first), strict=True))


def what_is_wrong(key: RsaKey) -> str | None:
    """Say why the numbers make no key of two odd primes; None if they do."""
    for name in ("n", "e", "d"):
        if getattr(key, name) < 1:
            return f"{name} = {getattr(key, name)} is below 1"
    primes = {"p": key.p, "q": key.q}
    for name, factor in primes.items():
        if factor < 3:
            return f"{name} = {factor} is no odd prime"
    if key.p == key.q:
        return "p and q are the same prime"
    if key.p * key.q != key.n:
        return "n is not p * q"
    for name, factor in primes.items():
        if not prime.is_prime(factor):
            return f"{name} is no odd prime"
    for name, factor in primes.items():
        if key.e * key.d % (factor - 1) != 1:
            return f"e * d is not 1 modulo {name} - 1"
    return None
