"""The vectors of the package `cryptography-vectors`: NIST's CAVP and RSA Laboratories' own files.

Two forms of text: lines `name = value` (CAVP), and comments that name the hexadecimal lines below
them. NIST's suites of signatures that have no private exponent are verified.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path

from eval.conform.vector import (
    DECRYPT15,
    DECRYPT_OAEP,
    SIGN15,
    SIGN_PSS,
    VERIFY15,
    VERIFY_PSS,
    Key,
    Vector,
    decrypt15,
    decrypt_oaep,
    sign15,
    sign_pss,
    verify15,
    verify_pss,
)
from sim.errors import UserError

PACKAGE = "cryptography_vectors"
FOLDER = Path("asymmetric/RSA")
NAME = PACKAGE.replace("_", "-")
_SIZE = re.compile(r"\[mod = \d+\]")
_HEX = re.compile(r"[0-9a-fA-F\s]+")

Fields = dict[str, str]
Maker = Callable[[str, Fields], Vector]


def cavp_records(text: str, last: str) -> Iterator[Fields]:
    """Yield the fields that hold after each line of the field that ends a record."""
    fields: Fields = {}
    for line in text.splitlines():
        if _SIZE.match(line):
            fields = {}
            continue
        name, is_field, value = line.partition("=")
        if line.startswith("#") or not is_field:
            continue
        fields[name.strip()] = value.strip()
        if name.strip() == last:
            yield dict(fields)


def commented_records(text: str, last: str) -> Iterator[Fields]:
    """Yield the values under comments, by the comments in lower case, after each one that ends a
    record."""
    fields: Fields = {}
    label = ""
    for line in [*text.splitlines(), "#"]:
        if line.startswith("#"):
            if label == last and fields[label]:
                yield dict(fields)
            label = line.strip("# :\t").lower()
            fields[label] = ""
        elif label and _HEX.fullmatch(line):
            fields[label] += "".join(line.split())


def _cavp_key(fields: Fields) -> Key:
    return Key(int(fields["n"], 16), int(fields["e"], 16), int(fields.get("d", "0"), 16))


def _cavp(fields: Fields) -> tuple[Key, str, bytes]:
    return _cavp_key(fields), fields["SHAAlg"].lower(), bytes.fromhex(fields["Msg"])


def _key(fields: Fields) -> Key:
    return Key(*(int(fields[name], 16) for name in ("modulus", "public exponent", "exponent")))


def _sign15(name: str, fields: Fields) -> Vector:
    return sign15(name, *_cavp(fields), bytes.fromhex(fields["S"]))


def _verify15(name: str, fields: Fields) -> Vector:
    valid = fields.get("Result", "P").startswith("P")
    return verify15(name, *_cavp(fields), bytes.fromhex(fields["S"]), valid)


def _sign_pss(name: str, fields: Fields) -> Vector:
    salt = bytes.fromhex(fields["SaltVal"])
    return sign_pss(name, *_cavp(fields), salt, bytes.fromhex(fields["S"]))


def _verify_pss(name: str, fields: Fields) -> Vector:
    """Where no salt is told there is none."""
    valid = fields.get("Result", "P").startswith("P")
    salt_bytes = len(fields.get("SaltVal", "")) // 2
    return verify_pss(name, *_cavp(fields), bytes.fromhex(fields["S"]), salt_bytes, valid)


def _own_sign15(name: str, fields: Fields) -> Vector:
    message, right = (bytes.fromhex(fields[x]) for x in ("message to be signed", "signature"))
    return sign15(name, _key(fields), "sha1", message, right)


def _own_sign_pss(name: str, fields: Fields) -> Vector:
    texts = (fields[x] for x in ("message to be signed", "salt", "signature"))
    message, salt, right = map(bytes.fromhex, texts)
    return sign_pss(name, _key(fields), "sha1", message, salt, right)


def _own_decrypt15(name: str, fields: Fields) -> Vector:
    message, ciphertext = (bytes.fromhex(fields[x]) for x in ("message", "encryption"))
    return decrypt15(name, _key(fields), ciphertext, message)


def _oaep(hash_name: str, mgf: str) -> Maker:
    def make(name: str, fields: Fields) -> Vector:
        message, ciphertext = (bytes.fromhex(fields[x]) for x in ("message", "encryption"))
        return decrypt_oaep(name, _key(fields), hash_name, mgf, ciphertext, message)

    return make


@dataclass(frozen=True)
class VectorFile:
    """Says what a file has: a suite, how its records are found, and what each becomes."""

    suite: str
    path: str
    last: str  # the field that ends a record
    make: Maker

    def vectors(self, folder: Path, nbits: int) -> tuple[set[int], list[Vector]]:
        """Return the bits of all moduli, and the vectors of one width."""
        name = Path(self.path).stem
        path = folder / FOLDER / self.path
        try:
            text = path.read_text()
        except (OSError, UnicodeDecodeError):
            return set(), []
        records = cavp_records if self.last[0].isupper() else commented_records
        widths, found = set(), []
        try:
            for number, fields in enumerate(records(text, self.last), 1):
                bits = int(fields["n" if self.last[0].isupper() else "modulus"], 16).bit_length()
                widths.add(bits)
                if bits == nbits:
                    found.append(self.make(f"{name} {number}", fields))
        except (KeyError, ValueError) as error:
            raise UserError(f"--vectors: {path}: {error!r}; give the package's files") from None
        return widths, found


_SHA2 = ("sha1", "sha224", "sha256", "sha384", "sha512")
FILES = (
    VectorFile(SIGN15, "FIPS_186-2/SigGen15_186-2.txt", "S", _sign15),
    VectorFile(SIGN15, "pkcs1v15sign-vectors.txt", "signature", _own_sign15),
    VectorFile(VERIFY15, "FIPS_186-2/SigVer15_186-3.rsp", "Result", _verify15),
    VectorFile(VERIFY15, "SigVer15EMTest.txt", "Result", _verify15),
    VectorFile(VERIFY15, "FIPS_186-2/SigGen15_186-3.rsp", "S", _verify15),
    VectorFile(SIGN_PSS, "FIPS_186-2/SigGenPSS_186-2.txt", "S", _sign_pss),
    VectorFile(SIGN_PSS, "pkcs-1v2-1d2-vec/pss-vect.txt", "signature", _own_sign_pss),
    VectorFile(VERIFY_PSS, "FIPS_186-2/SigVerPSS_186-3.rsp", "Result", _verify_pss),
    VectorFile(VERIFY_PSS, "FIPS_186-2/SigGenPSS_186-3.rsp", "S", _verify_pss),
    VectorFile(DECRYPT15, "pkcs1v15crypt-vectors.txt", "encryption", _own_decrypt15),
    VectorFile(DECRYPT_OAEP, "pkcs-1v2-1d2-vec/oaep-vect.txt", "encryption", _oaep("sha1", "sha1")),
    *(
        # A file is named after the hash of the masks, then that of the label.
        VectorFile(
            DECRYPT_OAEP, f"oaep-custom/oaep-{mgf}-{name}.txt", "encryption", _oaep(name, mgf)
        )
        for mgf in _SHA2
        for name in _SHA2
        if (mgf, name) != ("sha1", "sha1")
    ),
)


def package_folder() -> Path:
    """Return where the package has its vectors; UserError if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        pinned = (one.partition(";")[0] for one in requires("modexplorer") or ())
        wanted = next((one for one in pinned if one.startswith(NAME)), NAME)
        raise UserError(
            f"--vectors: the package {NAME} is not there; install it (56 MB) by "
            f"`{sys.executable} -m pip install {wanted}`, or say where its files are"
        )
    return Path(spec.submodule_search_locations[0])


def load(folder: Path | None, nbits: int, suites: tuple[str, ...]) -> list[Vector]:
    """Read the vectors of a width; UserError names the widths that have some if it has none."""
    folder = package_folder() if folder is None else folder
    widths: set[int] = set()
    found = []
    for file in FILES:
        if file.suite in suites:
            of_file, vectors = file.vectors(folder, nbits)
            widths |= of_file
            found += vectors
    if not widths:
        raise UserError(f"--vectors: {folder / FOLDER} has none of the package's files")
    if not found:
        known = ", ".join(map(str, sorted(widths)))
        raise UserError(f"--nbits: no vectors of {nbits} bits; choose from {known}")
    return found
