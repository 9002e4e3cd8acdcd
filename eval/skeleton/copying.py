"""Copying the skeleton under another name: all of it, or first what there is before hardware.

The unit, which binds value, time and hardware, is in rtl.py. Before there is hardware it is in
cl.py, and rtl.py then adds only that to it.
"""

import builtins
import keyword
import re
import sys
from pathlib import Path

from eval.catalog import DESIGNS, FAMILIES, VARIANTS
from eval.catalog.inputs import make_folder
from eval.catalog.user_designs import check_name
from sim.errors import UserError

HERE = Path(__file__).parent
PACKAGES = {"cl", "eval", "fl", "flow", "modexplorer", "proc", "pymtl3", "rtl", "sim"}
CL, RTL = LEVELS = ("cl", "rtl")  # up to which it is written
FILES = ("fl.py", "cl.py", "rtl.py", "entry.py")
ENTRY = "entry.py"
UNIT = "\n\n@dataclass(frozen=True)\nclass SampleUnit(Unit):"  # begins what binds all
FROM_CL, FROM_RTL = "from .cl import SampleUnit", "from .rtl import SampleUnit"
FAULTS = """FAULTS = {
    "a subtraction too few": ("fl.py", "for _ in range(2):", "for _ in range(1):"),
}
"""


def write_skeleton(folder: Path, level: str = RTL) -> Path:
    """Write the folder of a design of its name, with the files up to a level, and return its file
    of entries; UserError if there is such a folder or design."""
    made_folder(folder)
    for file, text in skeleton(folder.name, level).items():
        (folder / file).write_text(text)
    return folder / ENTRY


def skeleton(name: str, level: str = RTL) -> dict[str, str]:
    """Return the files of a design of that name, up to a level."""
    texts = _texts() if level == RTL else _without_hardware()
    return {file: renamed(text, name) for file, text in texts.items()}


def add_hardware(folder: Path) -> Path | None:
    """Add rtl.py to a folder that was written up to cl.py, and let the entries take it; return the
    file of entries if their line was as written, else None. UserError if that is no such folder."""
    name, entry = folder.name, folder / ENTRY
    if not (entry.is_file() and (folder / "cl.py").is_file()) or (folder / "rtl.py").exists():
        raise UserError(
            f"folder: {folder} is there, but not as `modexplorer new {name} --level {CL}` writes "
            "it; choose another one"
        )
    hardware, unit = _texts()["rtl.py"].split(UNIT)
    ours = "from .cl import sample_latency\nfrom .fl import sample_value\n"
    hardware = hardware.replace("from cl.unit import Unit\n", "")
    hardware = hardware.replace(ours, "from .cl import SampleUnit as SampleTimed\n")
    added = '    """Adds the hardware to value and time."""\n\n    hardware = SampleRTL\n'
    unit = UNIT.replace("(Unit)", "(SampleTimed)") + f"\n{added}"
    (folder / "rtl.py").write_text(renamed(hardware + unit, name))
    text, line = entry.read_text(), renamed(FROM_CL, name)
    if text.count(line) != 1:
        return None
    entry.write_text(text.replace(line, renamed(FROM_RTL, name)))
    return entry


def _texts() -> dict[str, str]:
    return {file: (HERE / file).read_text() for file in FILES}


def _without_hardware() -> dict[str, str]:
    """Return the files before there is hardware: the unit in cl.py, with a fault that is not of
    hardware."""
    texts = _texts()
    _, unit = texts.pop("rtl.py").split(UNIT)
    unit = unit.replace("Binds value, time and hardware at", "Binds value and time at")
    unit = unit.replace("    hardware = SampleRTL\n\n", "")
    title, latency = texts["cl.py"].split("\n", 1)
    imports = "from dataclasses import dataclass\n\nfrom cl.unit import Unit\n\n"
    imports += "from .fl import sample_value\n"
    texts["cl.py"] = f"{title}\n\n{imports}{latency}{UNIT}{unit}"
    entries = texts[ENTRY].replace(FROM_RTL, FROM_CL)
    texts[ENTRY] = f"{entries[: entries.index('FAULTS = {')]}{FAULTS}"
    return texts


def made_folder(folder: Path) -> None:
    """Make the folder of a design of its name; UserError if there is such a folder or design."""
    name = folder.name
    try:
        check_name(name)
    except ValueError as error:
        raise UserError(f"folder: {error}") from None
    if means := meaning_in_python(name.replace("-", "_")):
        raise UserError(
            f"folder: {name!r} is {means}, so Python cannot import a design of that name or takes "
            f"it for that; choose another name, such as {name}-1"
        )
    if {name, f"{name}-small"} & {*DESIGNS, *VARIANTS, *FAMILIES}:
        raise UserError(f"folder: the catalog has a {name!r}; choose another name")
    make_folder("folder", folder)


def meaning_in_python(name: str) -> str:
    """Return what a name already is in Python; an empty text if it is nothing."""
    if keyword.iskeyword(name) or keyword.iskeyword(name.capitalize()):
        return "a keyword of Python"
    if hasattr(builtins, name):
        return "a built-in name of Python"
    if name in sys.stdlib_module_names:
        return "a module of Python's library"
    return "a package of ModExplorer or PyMTL3" if name in PACKAGES else ""


def renamed(text: str, name: str) -> str:
    """Write what is of `sample` as of the design: "my-mul", MyMul, my_mul."""
    text = re.sub(r'"sample\b', f'"{name}', text)
    text = text.replace("Sample", "".join(part.capitalize() for part in name.split("-")))
    return text.replace("sample", name.replace("-", "_"))
