"""Key files: what is wrong with one is told in words of its own."""

from pathlib import Path
from random import Random

import pytest
from pyasn1.codec.der import encoder
from pyasn1.type.base import SimpleAsn1Type
from pyasn1.type.univ import Integer, OctetString, Sequence
from rsa import pem

from eval.catalog.keys import KIND, load_key
from fl.rsa_keys import even_key
from sim.errors import UserError
from tests.command_line import assert_refused, run_json

KEY = even_key(64, 1)

pytestmark = pytest.mark.quick


NAMES = ("n", "e", "d", "p", "q")
OF_CRT = {
    "dp": KEY.d % (KEY.p - 1),
    "dq": KEY.d % (KEY.q - 1),
    "qinv": pow(KEY.q, KEY.p - 2, KEY.p),  # by Fermat's theorem
}


def write(path: Path, version: int = 0, **change: int) -> str:
    """A key in PKCS#1, some of its numbers changed."""
    numbers = {name: getattr(KEY, name) for name in NAMES} | OF_CRT | change
    sequence = Sequence()
    for i, number in enumerate((version, *numbers.values())):
        sequence[i] = Integer(number)
    path.write_bytes(pem.save_pem(encoder.encode(sequence), KIND))
    return str(path)


def test_a_sound_file(tmp_path: Path):
    found = load_key("--key", write(tmp_path / "key.pem"))
    assert (found.n, found.e, found.d, found.p, found.q) == (KEY.n, KEY.e, KEY.d, KEY.p, KEY.q)


@pytest.mark.parametrize("times", [1, 2, 1 << 40])
def test_a_long_private_exponent_is_reduced(tmp_path: Path, times: int):
    """d + k (p - 1)(q - 1) is the same exponent; a design of n's bits has no room for it."""
    long = KEY.d + times * (KEY.p - 1) * (KEY.q - 1)
    path = write(tmp_path / "key.pem", d=long)
    assert load_key("--key", path).d < KEY.n
    found = run_json(f"rsa ssmm-small --operation d --key {path} --level fl --base 12345")
    assert found["result"] == pow(12345, long, KEY.n)


@pytest.mark.parametrize("operation", ["crt", "d", "e"])
def test_the_primes_may_be_in_either_order(tmp_path: Path, operation: str):
    change = {"p": KEY.q, "q": KEY.p, "dp": OF_CRT["dq"], "dq": OF_CRT["dp"]}
    path = write(tmp_path / "key.pem", **change, qinv=pow(KEY.p, -1, KEY.q))
    found = run_json(f"rsa mont-best --operation {operation} --key {path} --level fl --base 12345")
    assert found["result"] == pow(12345, KEY.e if operation == "e" else KEY.d, KEY.n)


@pytest.mark.parametrize("name", [*NAMES, *OF_CRT])
def test_any_number_that_is_changed_is_refused(tmp_path: Path, name: str):
    """Zero, negative, even, a bit flipped, too long: a line names it or what it goes with."""
    rng = Random(name)
    sound = getattr(KEY, name, None) or OF_CRT[name]
    wrong = [0, -sound, sound + 1, sound ^ 1 << rng.randrange(sound.bit_length())]
    wrong += [sound << 70, sound * rng.randrange(3, 99, 2), rng.getrandbits(200)]
    for number in wrong:
        path = write(tmp_path / "key.pem", **{name: number})
        assert_refused(f"rsa ssmm-small --operation d --key {path} --level fl", "is no RSA key: ")


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
        ({"e": -3}, "e = -3 is below 3"),
        ({"e": 1, "d": 1}, "e = 1 is below 3"),
        ({"e": KEY.e + 2 * (KEY.p - 1) * (KEY.q - 1)}, "e is not below n"),
        ({"dp": OF_CRT["dp"] + KEY.p - 1}, "dp is not d modulo p - 1"),
        ({"dq": 0}, "dq is not d modulo q - 1"),
        ({"qinv": 1}, "qinv is not the inverse of q modulo p"),
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
