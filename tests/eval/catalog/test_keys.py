"""Key files: what is wrong with one is told in words of its own."""

from pathlib import Path

import pytest
from pyasn1.codec.der import encoder
from pyasn1.type.base import SimpleAsn1Type
from pyasn1.type.univ import Integer, OctetString, Sequence
from rsa import pem

from eval.catalog.keys import KIND, load_key
from fl.rsa_keys import even_key
from sim.errors import UserError

KEY = even_key(64, 1)

pytestmark = pytest.mark.quick


def write(path: Path, version: int = 0, **change: int) -> str:
    """A key in PKCS#1, some of its numbers changed."""
    numbers = {name: getattr(KEY, name) for name in ("n", "e", "d", "p", "q")} | change
    sequence = Sequence()
    for i, number in enumerate((version, *numbers.values(), 0, 0, 0)):
        sequence[i] = Integer(number)
    path.write_bytes(pem.save_pem(encoder.encode(sequence), KIND))
    return str(path)


def test_a_sound_file(tmp_path: Path):
    found = load_key("--key", write(tmp_path / "key.pem"))
    assert (found.n, found.e, found.d, found.p, found.q) == (KEY.n, KEY.e, KEY.d, KEY.p, KEY.q)


def square(p: int) -> dict[str, int]:
    """A key of equal primes, whose exponents go together."""
    return {"n": p * p, "p": p, "q": p, "e": 5, "d": pow(5, -1, p * (p - 1))}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (square(4294967087), "p and q are the same prime"),
        ({"p": 1, "q": KEY.n}, "p = 1 is no odd prime"),
        ({"p": 0}, "p = 0 is no odd prime"),
        ({"q": -KEY.q}, f"q = {-KEY.q} is no odd prime"),
        ({"p": 2, "n": 2 * KEY.q}, "p = 2 is no odd prime"),
        ({"q": 1, "p": KEY.n}, "q = 1 is no odd prime"),
        ({"p": 15, "q": 7, "n": 105, "e": 5, "d": 5}, "p is no odd prime"),
        ({"n": KEY.n + 2}, "n is not p * q"),
        ({"n": -KEY.n}, f"n = {-KEY.n} is below 1"),
        ({"d": KEY.d + 2}, "e * d is not 1 modulo p - 1"),
        ({"d": 0}, "d = 0 is below 1"),
        ({"e": -3}, "e = -3 is below 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, int], says: str):
    path = write(tmp_path / "key.pem", **change)
    with pytest.raises(UserError) as caught:
        load_key("--key", path)
    assert str(caught.value) == (
        f"--key: {path} is no RSA key: {says}; make one by `openssl genrsa -traditional`"
    )


def test_a_key_of_several_primes_is_refused(tmp_path: Path):
    path = write(tmp_path / "key.pem", version=1)
    with pytest.raises(UserError, match="--key: .* is a key of version 1, not of two primes"):
        load_key("--key", path)


@pytest.mark.parametrize("length", [1, 6, 200])
def test_what_is_no_sequence_of_integers_is_no_key(tmp_path: Path, length: int):
    """Bytes can be counted and indexed as the fields of a key: they gave it a version."""
    strings = Sequence()
    for i in range(9):
        strings[i] = OctetString(b"\0" * length)
    others: tuple[Sequence | SimpleAsn1Type, ...] = (OctetString(b"\7" * length), strings)
    path = tmp_path / "key.pem"
    for other in others:
        path.write_bytes(pem.save_pem(encoder.encode(other), KIND))
        with pytest.raises(UserError, match="--key: .* is no RSA key that begins with BEGIN RSA"):
            load_key("--key", str(path))
