"""`modexplorer rsa` end to end: keys, operations, options, and how it fails."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from rsa import PrivateKey

from eval.tasks import rsa_operation
from eval.tasks.rsa_operation import RsaOperation
from fl.rsa_keys import BENCHMARK, even_key
from fl.xcel import STATUS_FAULT
from proc.run.rsa_key import Answer
from proc.run.rsa_private import STEPS, Power, Private
from sim.errors import RunError, UserError
from tests.command_line import assert_refused, run, run_json

KEY = even_key(64, 1)


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
@pytest.mark.parametrize("operation", ["crt", "d", "e"])
@pytest.mark.parametrize("design", ["", "mont-best"])
def test_every_operation_at_every_level(design: str, operation: str, level: str) -> None:
    found = run_json(
        f"rsa {design} --nbits 32 --base 12345 --operation {operation} --level {level}"
    )
    key = even_key(32, 1)
    exponent = key.e if operation == "e" else key.d
    assert (found["base"], found["result"]) == (12345, pow(12345, exponent, key.n))
    assert (found["cycles"] is None) == (level == "fl")
    if level != "fl":
        assert found["cycles"] == sum(step["cycles"] for step in found["steps"])


def test_cycles_are_the_same_at_all_levels_that_have_them() -> None:
    line = "rsa mont-best --nbits 16 --blind-base --blind-exponent 8 --seed 4"
    cl, rtl, batch = (run_json(f"{line} --level {level}") for level in ("cl", "rtl", "batch"))
    assert cl | {"level": "batch"} == rtl | {"level": "batch"} == batch


@pytest.mark.parametrize(("design", "least"), [("array-4-kept", 200), ("array-4", 0)])
def test_a_second_power_takes_less_where_r_squared_is_kept(design: str, least: int) -> None:
    """And two pushes less, whatever the design."""
    line = f"rsa {design} --nbits 64 --operation e --again"
    first, again = (step["cycles"] for step in run_json(line)["steps"])
    assert least < first - again < least + 100
    assert abs(first - run_json(line.removesuffix(" --again"))["cycles"]) < 20
    assert run_json(f"{line} --level fl")["result"] == run_json(line)["result"]


def test_a_second_answer_that_differs_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = RsaOperation(KEY, "e", "array-4-kept", level="fl", again=True)
    right = pow(5, KEY.e, KEY.n)
    done = [Power(right, 1), Power(right + 1, 1)]
    monkeypatch.setattr(rsa_operation, "powers", lambda *_: done)
    with pytest.raises(RunError, match=r"e of 5 was answered \d+ the second time, \d+ the first"):
        asked.run(5)


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
def test_a_private_operation_by_a_design_that_has_the_primes(level: str) -> None:
    found = run_json(
        f"rsa array-crt-16 --nbits 32 --base 12345 --operation private --again --level {level}"
    )
    key = even_key(32, 1)
    assert (found["base"], found["result"]) == (12345, pow(12345, key.d, key.n))
    assert found["nbits"] == 32
    if level != "fl":
        pushing, first, again = (step["cycles"] for step in found["steps"])
        assert first == again > 997  # cycles from go to the result, by `modexplorer simulate`
        assert found["cycles"] == pushing + first + again
        assert found["outside_powers"] == pushing


def test_a_fault_of_the_accelerator_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = RsaOperation(KEY, "private", "array-crt-16", level="fl")
    monkeypatch.setattr(rsa_operation, "operate", lambda *_: (1, [Answer(STATUS_FAULT, 0, 1)]))
    with pytest.raises(RunError, match="private of 5: the accelerator's check refused it"):
        asked.run(5)


def test_the_peripheral_has_the_parts_of_a_key() -> None:
    line = "rsa array-crt-16 --nbits 96 --unit peripheral --level fl"
    assert run_json(line)["by_parts"]
    assert not run_json(line.replace("crt-16", "16"))["by_parts"]


def test_a_key_from_a_file(tmp_path: Path) -> None:
    made = generate_private_key(65537, 1024)
    form = Encoding.PEM, PrivateFormat.TraditionalOpenSSL
    (tmp_path / "key.pem").write_bytes(made.private_bytes(*form, NoEncryption()))
    found = run_json(f"rsa mont-best --key {tmp_path}/key.pem --check primes --level fl")
    numbers = made.private_numbers()
    assert found["key"]["n"] == numbers.public_numbers.n
    assert found["nbits"] == 512
    assert found["result"] == pow(found["base"], numbers.d, numbers.public_numbers.n)
    locked = made.private_bytes(*form, BestAvailableEncryption(b"secret"))
    (tmp_path / "locked.pem").write_bytes(locked)
    assert_refused(f"rsa --key {tmp_path}/locked.pem", "is locked by a passphrase; unlock a copy")


def test_a_file_whose_numbers_do_not_go_together_is_no_key(tmp_path: Path) -> None:
    wrong = (
        ({"d": KEY.d + 2}, "e * d is not 1 modulo p - 1"),
        ({"n": KEY.n + 2}, "n is not p * q"),
    )
    for change, says in wrong:
        n, e, d, p, q = (getattr(replace(KEY, **change), name) for name in "nedpq")
        (tmp_path / "key.pem").write_bytes(PrivateKey(n, e, d, p, q).save_pkcs1())
        assert_refused(f"rsa --key {tmp_path}/key.pem", f"is no RSA key: {says}")


def test_the_seed_decides_what_blinds() -> None:
    line = "rsa ssmm-small --nbits 64 --blind-exponent 32 --seed"
    one, again, other = (run_json(f"{line} {seed}") for seed in (1, 1, 2))
    assert one == again
    assert one["result"] == other["result"]
    assert one["steps"] != other["steps"]


def test_a_wrong_answer_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = RsaOperation(BENCHMARK.key, design="mont-best", level="fl")
    for done, says in (
        (Private(True, 5, (1,) * len(STEPS)), r"crt of \d+ was answered 5, right is \d+"),
        (Private(False, 0, ()), r"crt of \d+: --check none refused the answer"),
    ):
        monkeypatch.setattr(rsa_operation, "private", lambda *_, done=done, **__: done)
        with pytest.raises(RunError, match=says):
            asked.run()


def test_a_public_exponent_too_long_for_the_check() -> None:
    key = even_key(1024, 1)
    d = key.e
    e = pow(d, -1, (key.p - 1) * (key.q - 1))
    turned = replace(key, e=e, d=d)
    with pytest.raises(UserError, match="--check: e has 10[0-9]+ bits, too many for the program"):
        RsaOperation(turned, check="software")
    assert RsaOperation(turned, level="fl").run(5).result == pow(5, d, key.n)


BAD_INPUT = {
    "rsa array-16 --nbits 64 --operation private": "--operation: private is of designs that have",
    "rsa --nbits 64 --operation private": "--operation: private is of designs that have the primes",
    "rsa array-crt-16 --nbits 64 --operation private --flip p": "--flip: is of operation crt",
    "rsa mont-best": "--nbits: give the bits of a key, or a key by --key, one of them",
    "rsa mont-best --nbits 64 --key a.pem": "--nbits: give the bits of a key, or a key by --key",
    "rsa mont-best --key none.pem": "--key: none.pem: No such file or directory",
    "rsa --key /dev/null": "--key: /dev/null is no RSA key that begins with BEGIN RSA PRIVATE KEY",
    "rsa mont-best --nbits 15": "--nbits: 15 is not from 16 to 4096",
    "rsa mont-best --nbits 65": "--nbits must be an even integer from 16 to 4096, not 65",
    "rsa nothing --nbits 64": "design: no design named 'nothing'",
    "rsa near-power-4 --nbits 64": "design: near-power-4 does not take",
    "rsa mont-best --nbits 64 --base 0x10000000000000000": "--base: 18446744073709551616 is not be",
    "rsa mont-best --nbits 64 --operation f": "--operation: no operation 'f'; choose from crt, d",
    "rsa mont-best --nbits 64 --check all": "--check: no check 'all'; choose from none, primes, in",
    "rsa mont-best --nbits 64 --level gl": "--level: no level 'gl'; choose from fl, cl, rtl, batch",
    "rsa --nbits 64 --check primes": "--check: primes is the accelerator's; give software",
    "rsa mont-best --nbits 24 --check primes": "--check: e has 17 bits, the accelerator 12",
    "rsa mont-best --nbits 64 --operation d --check software": "--check: is of operation crt",
    "rsa mont-best --nbits 64 --operation e --blind-base": "--blind-base: is of operation crt",
    "rsa mont-best --nbits 64 --again": "--again: is of operations d, e and private; give",
    "rsa --nbits 64 --operation e --again": "--again: is the accelerator's; give a design",
    "rsa mont-best --nbits 64 --blind-exponent 65": "--blind-exponent: 65 is not from 1 to 64",
    "rsa mont-best --nbits 64 --seed 3": "--seed: nothing is blinded; give --blind-base or",
}


@pytest.mark.quick
@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_to_do(line: str) -> None:
    assert_refused(line, BAD_INPUT[line])


def test_the_examples_in_the_help_run() -> None:
    lines = re.findall(r"^ +modexplorer (.*)$", run("rsa --help").output, re.MULTILINE)
    assert lines
    for line in lines:
        result = run(line)
        assert result.exit_code == 0, result.output
        assert max(map(len, result.output.splitlines())) <= 100


@pytest.mark.parametrize(("flip", "given"), [("p", "q"), ("q", "p")])
def test_a_flipped_bit_of_the_hardware_gives_the_other_prime_away_unless_checked(flip, given):
    line = f"rsa mont-best --nbits 64 --flip {flip}"
    found = run_json(line)
    assert found["result"] != pow(found["base"], KEY.d, KEY.n)
    assert found["factor"] == getattr(KEY, given)
    if flip == "p":
        assert run_json(f"{line} --level cl") | {"level": "batch"} == found
    for check in ("primes", "infective", "software"):
        refused = run(f"{line} --check {check}")
        assert refused.exit_code == 1
        assert f"--check {check} refused the answer" in refused.stderr


def test_bits_flip_in_hardware_of_signatures_only() -> None:
    for line in ("--nbits 64 --flip p", "mont-best --nbits 64 --flip p --level fl"):
        assert_refused(f"rsa {line}", "--flip: is of an accelerator's hardware")
    assert_refused("rsa mont-best --nbits 64 --flip p --operation d", "--flip: is of operation crt")
