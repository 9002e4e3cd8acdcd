"""VHDL of others as Verilog, by ghdl's synthesis."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sim.errors import RunError, UserError

VHDL = (".vhd", ".vhdl")
ENTITY = re.compile(r"^\s*entity\s+(\w+)\s+is\b", re.M | re.I)
STANDARDS = ("08", "93c")  # of the language, tried in this order
VENDORS = (
    *("unisim", "unimacro", "simprim", "xpm", "xilinxcorelib", "altera", "altera_mf", "lpm"),
    *(
        "altera_lnsim",
        "ecp5u",
        "machxo2",
        "machxo3d",
        "ice",
        "sb_ice40",
        "smartfusion2",
        "proasic3",
    ),
)
SECONDS = 600
_SAID = re.compile(r"^(\S+?):(\d+):\d+:(?:error: )?\s*(.*)$", re.M)
_BITS = re.compile(r'"[01XZxz]{2,}"')
_CASE = re.compile(r"(^    case \(\w+\)\n(?:^ +[^\n]*: (\w+) <= [^\n]*;\n)+)(^    endcase)", re.M)
_SELECT = re.compile(
    r"^  with \w+ select (\w+) <=\n(?:^    .* when .*,\n)*^    (.*) when others;", re.M
)


def generics_of(text: str, top: str) -> dict[str, int]:
    """Return the generics of an entity that are numbers, with their values."""
    text = re.sub(r"--.*", "", text)
    found = re.search(
        rf"\bentity\s+{top}\s+is\s+generic\s*\((.*?)\)\s*;\s*port\b", text, re.S | re.I
    )
    values: dict[str, int] = {}
    for each in found[1].split(";") if found else ():
        if number := re.fullmatch(r"\s*([\w\s,]+?)\s*:[^:]*:=\s*(\d+)\s*", each):
            names = number[1].removeprefix("constant ").split(",")
            values |= {name.strip(): int(number[2]) for name in names}
    return values


def verilog_of(
    argument: str,
    files: Mapping[str, Path],
    top: str,
    generics: Mapping[str, int | str],
    scratch: Path,
) -> str:
    """Return the top entity as Verilog; UserError names what ghdl does not take."""
    ghdl = shutil.which("ghdl")
    if ghdl is None:
        raise UserError("ghdl, which reads VHDL, is not installed: sudo apt-get install ghdl")
    texts = {name: path.read_text(errors="replace") for name, path in files.items()}
    entities = [found for text in texts.values() for found in ENTITY.findall(text)]
    if top.lower() not in (name.lower() for name in entities):
        known = f"choose one of {', '.join(entities)}" if entities else "name files with entities"
        raise UserError(f"--top: no entity {top!r} is in {', '.join(files)}; {known}")
    values = [f"-g{name}={value}" for name, value in generics.items()]
    said = []
    library = _library(argument, "\n".join(texts.values()))
    for standard in STANDARDS:
        work = Path(tempfile.mkdtemp(dir=scratch))
        flags = [f"--std={standard}", f"--workdir={work}", *library, "-fsynopsys", "-frelaxed"]
        synthesis = ["--synth", *flags, *values]
        commands = (
            ["-i", *flags, *map(str, files.values())],
            ["-m", *flags, top],
            [*synthesis, "--out=verilog", top],
            [*synthesis, "--out=vhdl", top],
        )
        printed = []
        for command in commands:
            done = subprocess.run(
                [ghdl, *command],
                cwd=work,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
            )
            if done.returncode:
                said.append(done.stdout + done.stderr)
                break
            printed.append(done.stdout)
        else:
            return with_numbers(with_defaults(printed[2], printed[3]))
    raise UserError(f"{argument}: ghdl: {_error(said[0])}")


def _library(argument: str, text: str) -> list[str]:
    """Name the library that the files are of, if they name one: the one that nobody else gives."""
    code = re.sub(r"--.*", "", text)
    named = ",".join(re.findall(r"^\s*library\s+([\w\s,]+);", code, re.M | re.I)).lower()
    own = sorted({name.strip() for name in named.split(",")} - {"", "work", "ieee", "std"})
    if vendors := [name for name in own if name in VENDORS]:
        raise UserError(
            f"{argument}: library {vendors[0]} is of a vendor's primitives; write what the core "
            "takes of it in VHDL of its own, and leave the library out"
        )
    if len(own) > 1:
        raise UserError(
            f"{argument}: the files are of several libraries, {', '.join(own)}; bring them into one"
        )
    return [f"--work={own[0]}"] if own else []


def with_defaults(verilog: str, vhdl: str) -> str:
    """Put into each case of ghdl's Verilog the choice `others`, which ghdl 2.0 leaves out there and
    not in its VHDL: without it signals keep their values, as latches."""
    others = dict(_SELECT.findall(vhdl))

    def whole(case: re.Match[str]) -> str:
        if "default" in case[0]:
            return case[0]
        if case[2] not in others:
            raise RunError(f"ghdl wrote no choice `others` of {case[2]}; write the core in Verilog")
        return f"{case[1]}      default: {case[2]} <= {_verilog(others[case[2]])};\n{case[3]}"

    return _CASE.sub(whole, verilog)


def with_numbers(verilog: str) -> str:
    """Write constants of more than 32 bits as numbers: ghdl 2.0 writes them as in VHDL, "0101",
    which is text in Verilog."""
    return _BITS.sub(lambda bits: _verilog(bits[0]), verilog)


def _verilog(value: str) -> str:
    """Write a value of ghdl's VHDL in Verilog."""
    if found := re.fullmatch(r"\((\d+) downto 0 => '(\w)'\)", value):
        return f"{{{int(found[1]) + 1}{{1'b{found[2].lower()}}}}}"
    if found := re.fullmatch(r"""["']([01XZxz]+)["']""", value):
        return f"{len(found[1])}'b{found[1].lower()}"
    if found := re.fullmatch(r"\w+", value):
        return value.removeprefix("wrap_")
    raise RunError(f"ghdl wrote a choice that is not understood: {value}")


def _error(said: str) -> str:
    """Say in a line what is wrong."""
    if "GHDL Bug occurred" in said:
        return "crashes on it, as it does on arrays of one element; try other parameters"
    if found := _SAID.search(said):
        if latch := re.match(r'latch infere?d for net "(\w+)"', found[3]):
            return (
                f"{Path(found[1]).name}, line {found[2]}: signal {latch[1]} is a latch: some "
                "branch does not assign it; assign it in each"
            )
        return f"{Path(found[1]).name}, line {found[2]}: {found[3]}; mend it"
    lines = [line for line in said.splitlines() if line.strip()]
    return f"{lines[-1]}; mend it" if lines else "failed without a word"
