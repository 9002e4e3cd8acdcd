"""RSA keys that people bring: PKCS#1 in PEM."""

from dataclasses import replace
from math import lcm
from pathlib import Path
from shlex import quote

from pyasn1.codec.der import decoder
from pyasn1.type.univ import Integer
from rsa import pem, prime

from eval.catalog.inputs import LARGEST_BITS
from fl.rsa_keys import RsaKey
from sim.errors import UserError

KIND = "RSA PRIVATE KEY"
OF_CRT = ("dp", "dq", "qinv")  # which follow from the others
NUMBERS = ("version", "n", "e", "d", "p", "q", *OF_CRT)  # in the order of the file
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
    of_crt = {name: numbers.pop(name) for name in OF_CRT}
    found = RsaKey(Path(text).name, text, **numbers)
    if found.n > 0 and found.nbits > LARGEST_BITS:
        raise UserError(f"{argument}: {text} has {found.nbits} bits; give one of at most 4096")
    if wrong := what_is_wrong(found) or what_is_wrong_of_crt(found, **of_crt):
        raise UserError(f"{argument}: {text} is no RSA key: {wrong}; {MAKE}")
    # A design of the modulus' width has no room for a longer exponent; the power is the same.
    shorter = found.d % lcm(found.p - 1, found.q - 1)
    return replace(found, d=shorter) if found.d >= found.n else found


def numbers_of(content: bytes) -> dict[str, int]:
    """Return the numbers of a file by their names; any exception where they are no integers."""
    fields, _ = decoder.decode(pem.load_pem(content, KIND))
    first = [fields[i] for i in range(len(NUMBERS))]
    if not all(isinstance(field, Integer) for field in first):  # but bytes, which int() takes, too
        raise ValueError("no integers")
    return dict(zip(NUMBERS, map(int, first), strict=True))


def what_is_wrong(key: RsaKey) -> str | None:
    """Say why the numbers make no key of two odd primes; None if they do."""
    for name, least in {"n": 1, "e": 3, "d": 1}.items():
        if getattr(key, name) < least:
            return f"{name} = {getattr(key, name)} is below {least}"
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
    if key.e >= key.n:
        return "e is not below n"
    for name, factor in primes.items():
        if key.e * key.d % (factor - 1) != 1:
            return f"e * d is not 1 modulo {name} - 1"
    return None


def what_is_wrong_of_crt(key: RsaKey, dp: int, dq: int, qinv: int) -> str | None:
    """Say which number for the Chinese remainder theorem does not follow from a sound key; None if
    all do."""
    for name, number, prime_name in (("dp", dp, "p"), ("dq", dq, "q")):
        if number != key.d % (getattr(key, prime_name) - 1):
            return f"{name} is not d modulo {prime_name} - 1"
    return None if qinv == pow(key.q, -1, key.p) else "qinv is not the inverse of q modulo p"
