"""Test vectors of NIST's ACVP in JSON: RSA's sigVer, sigGen and signaturePrimitive, and the answers
that its server takes.

https://pages.nist.gov/ACVP/draft-celi-acvp-rsa.html has the fields. A prompt does not say what is
right: each power is compared with Python's pow.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.conform.encoding import HASHES, hashed, mask
from eval.conform.run import Tried
from eval.conform.vector import Key, Vector, sign15, sign_pss, verify15, verify_pss
from fl.rsa_keys import RsaKey
from sim.errors import UserError

VERIFY, SIGN, PRIMITIVE = MODES = ("sigVer", "sigGen", "signaturePrimitive")
SCHEMES = ("pkcs1v1.5", "pss")
_OTHER = ("sha1", *(name for name in HASHES if name.startswith("sha3_")))
_HASHES = {name if name in _OTHER else f"sha2_{name[3:]}": name for name in HASHES}


@dataclass(frozen=True)
class Prompt:
    """Holds a file's set of vectors as it is, and the vectors of one width; the key that signs, if
    signatures are asked for."""

    content: dict[str, Any]
    groups: list[tuple[dict[str, Any], list[Vector]]]
    left_out: int  # groups of other widths
    key: RsaKey | None

    @property
    def vectors(self) -> list[Vector]:
        """Return all vectors."""
        return [vector for _, vectors in self.groups for vector in vectors]

    @property
    def mode(self) -> str:
        """Return what is asked for."""
        return str(self.content["mode"])

    def response(self, tried: Sequence[Tried]) -> dict[str, Any]:
        """Return the answers in the form of ACVP, group by group."""
        answers = iter(tried)
        groups = []
        for group, vectors in self.groups:
            tests = [
                {"tcId": test["tcId"]} | _answer(self.mode, next(answers))
                for test, _ in zip(group["tests"], vectors, strict=True)
            ]
            made: dict[str, Any] = {"tgId": group["tgId"], "tests": tests}
            if self.key:
                size = -(-self.key.n.bit_length() // 8)
                made |= {"n": f"{self.key.n:0{2 * size}X}", "e": _even(self.key.e)}
            groups.append(made)
        kept = ("vsId", "algorithm", "mode", "revision", "isSample")
        return {name: self.content[name] for name in kept if name in self.content} | {
            "testGroups": groups
        }


def _even(value: int) -> str:
    """Write a number in whole bytes."""
    text = f"{value:X}"
    return text.zfill(len(text) + len(text) % 2)


def _answer(mode: str, tried: Tried) -> dict[str, Any]:
    if mode == VERIFY:
        return {"testPassed": tried.found is True}
    if tried.found is None:
        return {"testPassed": False}
    signature = {"signature": tried.found.hex().upper()}
    return signature | ({"testPassed": True} if mode == PRIMITIVE else {})


def read_prompt(argument: str, path: str, nbits: int, own_key: Callable[[], RsaKey]) -> Prompt:
    """Read a file; UserError names what it lacks, or the widths that it has. Signatures are made
    with a key of one's own, whose n the answers tell."""
    try:
        content = json.loads(Path(path).read_text())
    except OSError as error:
        raise UserError(f"{argument}: {path}: {error.strerror}; give another file") from None
    except ValueError:
        raise UserError(f"{argument}: {path} is no JSON; give a prompt of ACVP") from None
    if isinstance(content, list):  # the version comes first, where a server sends it
        sets = (one for one in content if isinstance(one, dict) and "testGroups" in one)
        content = next(sets, {})
    if not isinstance(content, dict) or (content.get("algorithm"), content.get("mode")) not in [
        ("RSA", mode) for mode in MODES
    ]:
        raise UserError(f"{argument}: {path} is not of RSA's modes; it may be {', '.join(MODES)}")
    try:
        groups = content["testGroups"]
        widths = sorted({int(group["modulo"]) for group in groups})
        chosen = [group for group in groups if int(group["modulo"]) == nbits]
        if not chosen:
            known = ", ".join(map(str, widths))
            raise UserError(f"--nbits: {path} has none of {nbits} bits; choose from {known}")
        key = own_key() if content["mode"] == SIGN else None
        made = [(group, _vectors(content["mode"], group, key)) for group in chosen]
    except UserError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = f"lacks {error}" if isinstance(error, KeyError) else f"is wrong: {error}"
        raise UserError(f"{argument}: {path} {said}; give a prompt of ACVP") from None
    return Prompt(content, made, len(groups) - len(chosen), key)


def _vectors(mode: str, group: dict[str, Any], key: RsaKey | None) -> list[Vector]:
    made = [_vector(mode, group, test, key) for test in group["tests"]]
    for one in made:
        wide = one.power.exp.bit_length() if one.power else 0
        if one.nbits != int(group["modulo"]) or wide > one.nbits:
            raise ValueError(f"n or an exponent of {one.name} is not of {group['modulo']} bits")
    return made


def _vector(mode: str, group: dict[str, Any], test: dict[str, Any], own: RsaKey | None) -> Vector:
    name = f"tcId {test['tcId']}"
    message = bytes.fromhex(test["message"])
    if mode == PRIMITIVE:
        return _primitive(name, test, int.from_bytes(message))
    hash_name, pss = _hash(group["hashAlg"]), _is_pss(group)
    if own is None:
        key = Key(*(int(group[x], 16) for x in ("n", "e")))
        signature = bytes.fromhex(test["signature"])
        if pss:
            salt_bytes = int(group["saltLen"])
            return verify_pss(name, key, hash_name, message, signature, salt_bytes, None)
        return verify15(name, key, hash_name, message, signature, None)
    key = Key(own.n, own.e, own.d)
    if pss:  # any salt will do: of the key and the message, so that a second run says the same
        salt_bytes = int(group["saltLen"])
        if not 0 <= salt_bytes <= len(hashed(hash_name, b"")):
            raise ValueError(f"saltLen {salt_bytes} is longer than the hash")
        salt = mask(hash_name, own.d.to_bytes(key.size) + message, salt_bytes)
        return sign_pss(name, key, hash_name, message, salt, None)
    return sign15(name, key, hash_name, message, None)


def _primitive(name: str, test: dict[str, Any], message: int) -> Vector:
    n, e = (int(test[x], 16) for x in ("n", "e"))
    if "d" in test:
        d = int(test["d"], 16)
    else:
        p, q = (int(test[x], 16) for x in ("p", "q"))
        d = pow(e, -1, (p - 1) * (q - 1))
    key = Key(n, e, d)
    return Vector(PRIMITIVE, name, n, key.power(message, d), key.signature, None)


def _is_pss(group: dict[str, Any]) -> bool:
    """Return whether signatures are PSS's; ValueError if they are of what is not done here."""
    if "conformance" in group:
        raise ValueError(f"conformance {group['conformance']!r}, which is not done")
    if group["sigType"] not in SCHEMES:
        raise ValueError(f"sigType {group['sigType']!r}, not {' or '.join(SCHEMES)}")
    if group["sigType"] == "pss" and group.get("maskFunction", "mgf1") != "mgf1":
        raise ValueError(f"maskFunction {group['maskFunction']!r}, not mgf1")
    return bool(group["sigType"] == "pss")


def _hash(name: str) -> str:
    """Find the hash that ACVP names so: SHA-1, SHA2-256, SHA2-512/256, SHA3-384."""
    plain = name.lower().replace("sha-1", "sha1").replace("-", "_").replace("/", "_")
    if plain not in _HASHES:
        raise ValueError(f"hashAlg {name!r}, not SHA-1, SHA2 or SHA3")
    return _HASHES[plain]
