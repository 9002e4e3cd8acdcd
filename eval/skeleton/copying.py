"""Copying the skeleton under another name."""

import re
from pathlib import Path

from eval.catalog import DESIGNS, FAMILIES, VARIANTS
from eval.catalog.user_designs import check_name
from sim.errors import UserError

HERE = Path(__file__).parent
FILES = ("fl.py", "cl.py", "rtl.py", "entry.py")


def write_skeleton(folder: Path) -> Path:
    """Write the folder of a design of its name, and return its file of entries; UserError if there
    is such a folder or design."""
    made_folder(folder)
    for file in FILES:
        (folder / file).write_text(renamed((HERE / file).read_text(), folder.name))
    return folder / "entry.py"


def made_folder(folder: Path) -> None:
    """Make the folder of a design of its name; UserError if there is such a folder or design."""
    name = folder.name
    try:
        check_name(name)
    except ValueError as error:
        raise UserError(f"folder: {error}") from None
    if {name, f"{name}-small"} & {*DESIGNS, *VARIANTS, *FAMILIES}:
        raise UserError(f"folder: the catalog has a {name!r}; choose another name")
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise UserError(
            f"folder: {folder} cannot be made ({error.strerror}); choose another one"
        ) from None


def renamed(text: str, name: str) -> str:
    """Write what is of `sample` as of the design: "my-mul", MyMul, my_mul."""
    text = re.sub(r'"sample\b', f'"{name}', text)
    text = text.replace("Sample", "".join(part.capitalize() for part in name.split("-")))
    return text.replace("sample", name.replace("-", "_"))
