"""What people type: every number and every path passes one of these functions.

Each raises UserError with a line that names the argument and says what to do.
"""

import os
import re
import sys
from pathlib import Path

from sim.errors import RunError, UserError

LARGEST_BITS = 4096  # of any number: no design takes more
# int() and float() also take underscores and the digits of other scripts.
_WHOLE = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]+")
_DECIMAL = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_MOST_DIGITS = 1300  # 4096 bits have fewer, and Python converts no more than 4300
_SHOWN = 24


def parse_number(argument: str, text: str, least: int = 0, most: int | None = None) -> int:
    """Return the whole number that is written in decimal or 0x, if it is in the range."""
    text = text.strip()
    if re.match(r"-\s*[0-9]", text):
        raise UserError(f"{argument}: {shorten(text)} is negative; give a number from {least} on")
    if not _WHOLE.fullmatch(text):
        raise UserError(
            f"{argument}: {shorten(text)!r} is not a whole number; write decimal, "
            "such as 65537, or hexadecimal, such as 0x10001"
        )
    value = int(text, 16 if text[1:2] in ("x", "X") else 10) if len(text) <= _MOST_DIGITS else None
    if value is None or value.bit_length() > LARGEST_BITS:
        raise UserError(
            f"{argument}: {len(text)} digits are more than anything takes; "
            f"give a number of at most {LARGEST_BITS} bits"
        )
    _check_range(argument, shorten(text), value, least, most)
    return value


def parse_decimal(argument: str, text: str, unit: str, least: float, most: float) -> float:
    """Return the decimal fraction, such as 2.5, if it is in the range."""
    if not _DECIMAL.fullmatch(text.strip()):
        raise UserError(
            f"{argument}: {shorten(text)!r} is not a number of {unit}; give one such as 2.5"
        )
    value = float(text)
    _check_range(argument, f"{shorten(text)} {unit}", value, least, most, f" {unit}")
    return value


def _check_range(
    argument: str, shown: str, value: float, least: float, most: float | None, unit: str = ""
) -> None:
    if value < least or (most is not None and value > most):
        bounds = f"{least} on" if most is None else f"{least} to {most}"
        raise UserError(f"{argument}: {shown} is not from {bounds}{unit}; give another number")


def shorten(value: object) -> str:
    """Return a number or a text, its middle left out if it is long."""
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        text = hex(value)
    else:
        text = str(value)
    if len(text) <= _SHOWN:
        return text
    half = _SHOWN // 2 - 1
    return f"{text[:half]}..{text[-half:]}"


def check_path(argument: str, text: str) -> Path:
    """Return the path of a file that may be there or not; UserError if none can have the name."""
    if not text:
        raise UserError(f"{argument}: an empty name is that of no file; give its path")
    if not text.isprintable():
        raise UserError(
            f"{argument}: {shorten(text)!r} has characters that cannot be printed; "
            "give another path"
        )
    path = Path(text)
    try:
        path.exists()
    except OSError as error:  # a name too long, or links in a circle
        raise UserError(
            f"{argument}: {shorten(text)} ({error.strerror}); give another path"
        ) from None
    return path


def make_folder(argument: str, folder: Path) -> None:
    """Make a new folder; UserError if there is one, or none can be made there."""
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise UserError(
            f"{argument}: {folder} cannot be made ({error.strerror}); choose another one"
        ) from None


def check_output(argument: str, path: Path) -> Path:
    """Return the path, its folder made if it is missing, with a note on stderr; UserError if a file
    cannot be written there. A new file is left to who writes it."""
    try:
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True)
            print(f"modexplorer: note: {argument}: made the folder {path.parent}", file=sys.stderr)
        is_new = not path.exists()
        with path.open("a"):
            pass
        if is_new:
            path.unlink()
    except OSError as error:
        raise UserError(
            f"{argument}: cannot write {path} ({error.strerror}); give another file"
        ) from None
    return path


def write_whole(path: Path, text: str) -> None:
    """Write a file by another one that takes its place when it is whole; RunError if it cannot be,
    and then the file is as it was."""
    target = path.resolve()
    if target.exists() and not target.is_file():  # a pipe or a terminal, which nothing replaces
        target.write_text(text)
        return
    new = target.with_name(f"{target.name}.{os.getpid()}.new")
    try:
        new.write_text(text)
        os.replace(new, target)
    except OSError as error:
        kept = "is unchanged" if target.exists() else "is not written"
        raise RunError(f"cannot write {path} ({error.strerror}); it {kept}") from None
    finally:
        new.unlink(missing_ok=True)
