"""`modexplorer conform` end to end: suites, ways, ACVP, and a design that is wrong."""

import json
import shutil
from math import lcm
from pathlib import Path
from typing import Any

import pytest
import rsa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from eval.catalog.workloads import Request
from eval.tasks.exponentiation import Answer
from eval.tasks.store import TABLE, Store
from tests.command_line import assert_refused, run, run_json
from tests.eval.user_designs import edit, forget
from tests.places import ROOT

CUT = ROOT / "tests/eval/conform/vectors"
N, E, P = 61 * 53, 17, 61


def prompt_of(folder: Path, mode: str, *groups: dict[str, Any]) -> Path:
    """A file as a server of ACVP sends it."""
    made = folder / f"{mode}.json"
    content = {"vsId": 7, "algorithm": "RSA", "mode": mode, "revision": "1.0"}
    numbered = [{"tgId": i, **group} for i, group in enumerate(groups)]
    made.write_text(json.dumps([{"acvVersion": "1.0"}, content | {"testGroups": numbered}]))
    return made


@pytest.fixture
def primitive(tmp_path: Path) -> Path:
    """Two powers of 12 bits, by d and by the primes, and a message that is too large."""
    d = pow(E, -1, (P - 1) * (N // P - 1))
    by_d = {"n": f"{N:x}", "e": f"{E:x}", "d": f"{d:x}"}
    by_primes = {"n": f"{N:x}", "e": f"{E:x}", "p": f"{P:x}", "q": f"{N // P:x}"}
    tests = [
        {"tcId": 1, "message": "0123"} | by_d,
        {"tcId": 2, "message": "0aaa"} | by_primes,
        {"tcId": 3, "message": "ffff"} | by_d,
    ]
    return prompt_of(tmp_path, "signaturePrimitive", {"modulo": 12, "tests": tests})


@pytest.mark.quick
def test_every_suite_of_the_files() -> None:
    found = run_json(f"conform mul-rem --nbits 1024 --level fl --vectors {CUT}")
    assert [row["suite"] for row in found["suites"]] == [
        *("SigGen15", "SigVer15", "SigGenPSS", "SigVerPSS", "PKCS1v15-decrypt", "OAEP-decrypt")
    ]
    assert found["passed"]
    assert sum(row["passed"] for row in found["suites"]) == len(found["vectors"]) == 8
    assert [one["found"] for one in found["vectors"] if one["must_be_refused"]] == [False] * 2
    shown = run(f"conform mul-rem --nbits 1024 --level fl --vectors {CUT} --suite SigVer15")
    assert "| SigVer15 |       2 |      2 |       1 |      0 |       - |    - |" in shown.stdout


def test_every_way_and_level_makes_the_same_powers(primitive: Path) -> None:
    order = lcm(P - 1, N // P - 1)
    right = [f"{pow(m, pow(E, -1, order), N):04X}" for m in (0x123, 0xAAA)]
    cycles = set()
    for through, level in (
        ("port", "fl"),
        *(("port", level) for level in ("cl", "rtl", "batch")),
        *(("driver", level) for level in ("fl", "cl", "batch")),
    ):
        line = f"conform mont-small --nbits 12 --acvp {primitive} --through {through}"
        found = run_json(f"{line} --level {level}")
        answers = found["acvp"]["testGroups"][0]["tests"]
        assert [one.get("signature") for one in answers] == [*right, None]
        assert [one["testPassed"] for one in answers] == [True, True, False]
        cycles |= {(through, tuple(one["cycles"] for one in found["vectors"]))}
    assert len(cycles) == 4  # with a clock and without one


def forget_powers(base: int) -> None:
    """Forget the powers of a number that are kept."""
    with Store() as store:
        store.connection.execute(
            f"DELETE FROM {TABLE} WHERE kind = 'conform' AND parameters LIKE ?",
            (f'%"base": "{base:x}"%',),
        )


def test_what_was_interrupted_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bases = (0x124, 0x125, 0x126)
    key = {"n": f"{N:x}", "e": f"{E:x}", "d": "17"}
    tests = [{"tcId": base, "message": f"{base:04x}"} | key for base in bases]
    prompt = prompt_of(tmp_path, "signaturePrimitive", {"modulo": 12, "tests": tests})
    made: list[Request] = []

    class FirstOnly:
        def power(self, request: Request) -> Answer:
            if made:
                raise KeyboardInterrupt
            made.append(request)
            return Answer(pow(*vars(request).values()), 0, 77)

        def close(self) -> None:
            pass

    line = f"conform mont-small --nbits 12 --acvp {prompt}"
    for base in bases:
        forget_powers(base)
    monkeypatch.setattr("eval.conform.kept.way", lambda *asked: FirstOnly())
    assert run(f"{line} --json").exit_code == 130
    monkeypatch.undo()
    found = run_json(line)
    assert [one["cycles"] == 77 for one in found["vectors"]] == [True, False, False]
    monkeypatch.setattr("eval.conform.kept.way", lambda *asked: pytest.fail("asks again"))
    assert run_json(line) == found


def test_the_peripheral(tmp_path: Path) -> None:
    test = {"tcId": 1, "message": "0123", "n": f"{2**32 - 5:x}", "e": "3", "d": "7"}
    prompt = prompt_of(tmp_path, "signaturePrimitive", {"modulo": 32, "tests": [test]})
    line = f"conform mont-small --nbits 32 --acvp {prompt} --through peripheral"
    for level in ("fl", "cl"):
        found = run_json(f"{line} --level {level}")
        [group] = found["acvp"]["testGroups"]
        assert int(group["tests"][0]["signature"], 16) == pow(0x123, 7, 2**32 - 5)
    assert_refused(f"{line} --level verilog", "--level: the peripheral is not imported")


@pytest.mark.parametrize("through", ["port", "driver"])
def test_a_design_that_is_wrong_fails(mine: Path, primitive: Path, through: str) -> None:
    line = f"conform mine --with mine/entry.py --nbits 12 --acvp {primitive} --level rtl"
    out = mine.parent / "answers.json"
    assert run(f"{line} --through {through} --out {out}").exit_code == 0
    assert json.loads(out.read_text())["testGroups"][0]["tests"][0]["testPassed"]
    out.unlink()
    edit(mine.parent / "rtl.py", "s.left <<= top", "s.left <<= top - 1")
    forget()
    found = run(f"{line} --through {through} --out {out}")
    assert found.exit_code == 1
    assert "tcId 1: 291^" in found.stderr
    assert "Repeat it by: modexplorer simulate mine --nbits 12 --with" in found.stderr
    assert "| signaturePrimitive |       3 |      1 |" in found.stdout
    assert not out.exists()


@pytest.mark.quick
def test_a_vector_that_says_something_else_fails(tmp_path: Path) -> None:
    shutil.copytree(CUT, tmp_path / "cut")
    file = tmp_path / "cut/asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"
    edit(file, "Result = P", "Result = F (1 - Message changed)")
    found = run(
        f"conform mul-rem --nbits 1024 --level fl --vectors {tmp_path}/cut --suite SigVer15"
    )
    assert found.exit_code == 1
    assert "the vector says refused, found was valid" in found.stderr
    assert "| SigVer15 |       2 |      1 |       1 |      1 |" in found.stdout


@pytest.mark.quick
def test_signatures_that_acvp_asks_for(tmp_path: Path) -> None:
    message = b"to be told to nobody"
    test = {"tcId": 4, "message": message.hex()}
    group: dict[str, Any] = {"modulo": 1024, "tests": [test]}
    prompt = prompt_of(
        tmp_path,
        "sigGen",
        group | {"sigType": "pkcs1v1.5", "hashAlg": "SHA2-256"},
        group | {"sigType": "pss", "hashAlg": "SHA2-512/256", "saltLen": 17},
        group | {"modulo": 2048},
    )
    out = tmp_path / "out.json"
    shown = run(f"conform mul-rem --nbits 1024 --level fl --acvp {prompt} --out {out}")
    assert shown.exit_code == 0
    assert "groups of other widths, left out: 1" in shown.stdout
    response = json.loads(out.read_text())
    assert (response["vsId"], response["mode"]) == (7, "sigGen")
    first, second = response["testGroups"]
    numbers = RSAPublicNumbers(int(first["e"], 16), int(first["n"], 16))
    [signature] = [bytes.fromhex(one["signature"]) for one in first["tests"]]
    assert rsa.verify(message, signature, rsa.PublicKey(numbers.n, numbers.e)) == "SHA-256"
    [signature] = [bytes.fromhex(one["signature"]) for one in second["tests"]]
    scheme = padding.PSS(padding.MGF1(hashes.SHA512_256()), 17)
    numbers.public_key().verify(signature, message, scheme, hashes.SHA512_256())
    for scheme_name, more in (("pkcs1v1.5", {}), ("pss", {"saltLen": 17})):
        signed = (first if not more else second)["tests"][0]["signature"]
        group = {"modulo": 1024, "sigType": scheme_name, "n": first["n"], "e": first["e"]} | more
        group |= {"hashAlg": "SHA2-256" if not more else "SHA2-512/256"}
        wrong = {"tcId": 5, "message": message.hex() + "00", "signature": signed}
        asked = prompt_of(
            tmp_path, "sigVer", group | {"tests": [test | {"signature": signed}, wrong]}
        )
        answers = run_json(f"conform mul-rem --nbits 1024 --level fl --acvp {asked}")["acvp"]
        assert [one["testPassed"] for one in answers["testGroups"][0]["tests"]] == [True, False]


@pytest.mark.quick
def test_what_does_not_go_together(tmp_path: Path, primitive: Path) -> None:
    line = "conform mont-small --nbits 12"
    assert_refused(f"{line} --acvp {primitive}", "--out: is missing")
    assert_refused(f"{line} --out {tmp_path}/x.json", "--out: is of --acvp")
    assert_refused(f"{line} --acvp {primitive} --json --most 3", "--most: is not of --acvp")
    assert_refused(
        f"{line} --suite RSA --vectors {CUT}", "--suite: 'RSA' is none; choose from SigG"
    )
    assert_refused(f"{line} --level verilo --vectors {CUT}", "--level: no level 'verilo' of port")
    assert_refused(
        f"{line} --level verilog --through driver", "'verilog' of driver; choose from fl"
    )
    assert_refused(f"{line} --vectors {CUT}", "--nbits: no vectors of 12 bits; choose from 1024")
    assert_refused(
        "conform mont-small --nbits 14 --acvp " + f"{primitive} --json", "choose from 12"
    )


@pytest.mark.quick
@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is no JSON"),
        ("[1]", "is not of RSA's modes"),
        ('{"algorithm": "DSA", "mode": "sigVer"}', "is not of RSA's modes"),
        ('{"algorithm": "RSA", "mode": "sigVer"}', "lacks 'testGroups'"),
        (
            '{"algorithm": "RSA", "mode": "sigVer", "testGroups": [{"modulo": 16, "tests": '
            '[{"tcId": 1, "message": "0"}]}]}',
            "is wrong: non-hexadecimal",
        ),
        (
            '{"algorithm": "RSA", "mode": "sigGen", "testGroups": [{"modulo": 16, "tests": '
            '[{"tcId": 1, "message": ""}], "hashAlg": "MD5"}]}',
            "is wrong: hashAlg 'MD5', not SHA-1",
        ),
        (
            '{"algorithm": "RSA", "mode": "sigGen", "testGroups": [{"modulo": 16, "tests": '
            '[{"tcId": 1, "message": ""}], "hashAlg": "SHA-1", "sigType": "ansx9.31"}]}',
            "is wrong: sigType 'ansx9.31'",
        ),
        (
            '{"algorithm": "RSA", "mode": "signaturePrimitive", "testGroups": [{"modulo": 16, '
            '"tests": [{"tcId": 1, "message": "", "n": "1ffff", "e": "3", "d": "3"}]}]}',
            "n or an exponent of tcId 1 is not of 16 bits",
        ),
    ],
)
def test_files_that_are_no_prompts(content: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "prompt.json").write_text(content)
    line = f"conform mont-small --nbits 16 --acvp {tmp_path}/prompt.json --json"
    assert_refused(line, says)
    assert_refused(line.replace("prompt.json", "none.json"), "No such file")
