"""Writing the folder of a design of others: copies of its files, and an entry to be edited."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.foreign.guess import Guess, guess
from eval.foreign.source import HEADERS, VERILOG, elaborate
from eval.foreign.vhdl import VHDL
from eval.skeleton.copying import made_folder
from rtl.foreign import buses, protocols
from rtl.foreign.unit import EXPONENTIATOR, MULTIPLIER
from sim.errors import UserError

ROLES = {"multiplier": MULTIPLIER, "exponentiator": EXPONENTIATOR}
LEAST_BITS, WIDEST = 8, 4096
PROTOCOLS = {
    "start-done": protocols.start_done,
    "val-rdy": protocols.val_rdy,
    "word-memory": protocols.word_memory,
    "word-stream": protocols.word_stream,
    "registers": buses.registers,
    "wishbone": buses.wishbone,
    "axi-lite": buses.axi_lite,
}
_MEMORY = {name: name for name in ("address", "data", "write", "output")}
ARGUMENTS: dict[str, dict[str, str]] = {  # of a protocol: the role of the port that it names
    "start-done": {"start": "start", "done": "done", "load": "load"},
    "val-rdy": {},
    "word-memory": _MEMORY | {"start": "start", "done": "done"},
    "word-stream": {
        **{"output": "output", "val": "in_val", "ready": "in_rdy", "answer": "out_val"},
        **{"take": "out_rdy", "start": "start"},
    },
    "registers": _MEMORY | {"select": "select"},
    "wishbone": {},
    "axi-lite": {},
}
NBITS, NO_PORT = "nbits", '""'


@dataclass(frozen=True)
class Given:
    """Is what a command says of a core."""

    files: tuple[Path, ...]
    top: str
    role: str = "multiplier"
    adapter: str | None = None
    ports: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)
    includes: tuple[Path, ...] = ()
    clock: str | None = None
    reset: str | None = None


@dataclass(frozen=True)
class Written:
    """Tells of a folder: its entry, what was found of the core, the widths that it takes."""

    entry: Path
    found: Guess
    widths: tuple[int, int]
    notes: tuple[str, ...]


def write_foreign(folder: Path, given: Given) -> Written:
    """Write the folder; UserError if the core cannot be read or its ports cannot be told."""
    sources, found_headers = _files(given)
    made_folder(folder)
    try:
        for path in (*sources, *found_headers):
            if (folder / path.name).exists():
                raise UserError(f"--verilog: two files are called {path.name}; rename one")
            shutil.copy(path, folder)
        return _entry(folder, given, tuple(path.name for path in sources))
    except BaseException:
        shutil.rmtree(folder)
        raise


def _files(given: Given) -> tuple[list[Path], list[Path]]:
    """List sources and headers, those that lists name included."""
    sources: list[Path] = []
    includes = list(given.includes)
    for path in given.files:
        if path.suffix == ".f":
            _check(path)
            for line in path.read_text().splitlines():
                word = re.sub(r"//.*|#.*", "", line).strip()
                if word.startswith("+incdir+"):
                    includes.append(path.parent / word.removeprefix("+incdir+"))
                elif word:
                    sources.append(path.parent / word)
        else:
            sources.append(path)
    for path in sources:
        _check(path)
        if path.suffix not in (*VERILOG, *VHDL):
            known = ", ".join((*VERILOG, *VHDL))
            raise UserError(f"--verilog: {path} is no source; give files that end in {known}")
    for path in includes:
        if not path.is_dir():
            raise UserError(f"--include: {path} is no folder; give one that has included files")
    beside = {path.parent for path in sources} | set(includes)
    named = {path.resolve() for path in sources}
    text = "\n".join(path.read_text(errors="replace") for path in sources)
    asked = set(re.findall(r'`include\s+"(?:[^"]*/)?([^"/]+)"', text))
    headers = [
        path
        for place in sorted(beside)
        for path in sorted(place.iterdir())
        if path.suffix in (*HEADERS, *VERILOG) and path.resolve() not in named
        if path.suffix in HEADERS or path.name in asked
    ]
    return sources, headers


def _check(path: Path) -> None:
    if not path.is_file():
        raise UserError(f"--verilog: there is no file {path}; give the files of the core")


def _entry(folder: Path, given: Given, files: tuple[str, ...]) -> Written:
    """Elaborate the core as it is, tell its ports, and write the entry."""
    numbers = {
        name: int(value) if value.isdigit() else value
        for name, value in given.parameters.items()
        if NBITS not in value
    }
    try:
        core = elaborate("--verilog", folder, files, given.top, numbers, given.defines)
    except UserError as error:
        raise UserError(str(error).replace(f"{folder}/", "")) from None
    top = given.top or core.source_top
    operands = ROLES[given.role]
    found = guess(core.ports, operands, given.adapter, given.ports, given.clock, given.reset)
    own = core.ports[found.ports[operands[-1]]][1] if operands[-1] in found.ports else 0
    parameters = dict(given.parameters)
    if NBITS not in " ".join(parameters.values()):
        wide = [name for name, value in core.parameters.items() if value == own and own]
        if len(wide) == 1 and wide[0] not in parameters:
            parameters[wide[0]] = NBITS
    free = NBITS in " ".join(parameters.values())
    if not free and own and not LEAST_BITS <= own <= WIDEST:
        raise UserError(
            f"--verilog: operands of {own} bits; give a core of {LEAST_BITS} to {WIDEST}, or by "
            "--parameter NAME=nbits what sets its width"
        )
    widths = (LEAST_BITS, WIDEST) if free or not own else (own, own)
    entry = folder / "entry.py"
    word = core.ports[found.ports["data"]][1] if "data" in found.ports else 0
    entry.write_text(_text(folder.name, given, files, top, found, parameters, widths, word))
    used = {*found.clocks, found.reset.removeprefix("!"), *found.ports.values()}
    left = [name for name, (way, _) in core.ports.items() if way == "input" and name not in used]
    notes = [f"input {name} is 0 until the entry drives it" for name in left]
    return Written(entry, found, widths, (*core.notes, *notes))


def _text(
    name: str,
    given: Given,
    files: Sequence[str],
    top: str,
    found: Guess,
    parameters: Mapping[str, str],
    widths: tuple[int, int],
    word: int,
) -> str:
    """Write the entry."""
    maker, protocol = f"foreign_{given.role}", PROTOCOLS[found.adapter]
    clock = found.clocks[0] if len(found.clocks) == 1 else (found.clocks or "")
    set_to = ", ".join(f'"{key}": {_parameter(value)}' for key, value in parameters.items())
    lines = [
        f'"""The entry of {name}: a core of others, driven by {found.adapter}."""',
        "",
        "from pathlib import Path",
        "",
        "from eval.foreign.core import Core",
        f"from eval.foreign.designs import {maker}",
        f"from {protocol.__module__} import {protocol.__name__}",
        "",
        "CORE = Core(",
        "    Path(__file__).parent,",
        f"    files={_quoted(tuple(files))},",
        f"    top={_quoted(top)},",
        f"    clock={_quoted(clock)},",
        f"    reset={_quoted(found.reset)},  # low resets where ! is before the name",
    ]
    lines += [f"    parameters={{{set_to}}},"] if set_to else []
    lines += [f"    defines={_quoted(dict(given.defines))},"] if given.defines else []
    lines += [")", *_handshake(found, ROLES[given.role], word), f"DESIGNS = {maker}("]
    lines += [f"    {_quoted(name)},", "    CORE,", "    HANDSHAKE,"]
    if widths != (LEAST_BITS, WIDEST):
        lines.append(f"    widths={widths},")
    return "\n".join([*lines, ")"]) + "\n"


def _parameter(value: str) -> str:
    if NBITS in value:
        return f"lambda nbits: {value}"
    return value if value.isdigit() else _quoted(value)


def _handshake(found: Guess, operands: Sequence[str], word: int) -> list[str]:
    """Write the call of the protocol; what a port's name does not tell is to be edited."""
    ports, name = found.ports, PROTOCOLS[found.adapter].__name__
    given = {role: f"{_quoted(port)}" for role, port in ports.items()}
    pins = ", ".join(f'"{ports[each]}": "{each}"' for each in operands if each in ports)
    places = ", ".join(f'"{each}": {64 * i}' for i, each in enumerate(operands))
    shown: dict[str, str] = {}
    if found.adapter in ("start-done", "val-rdy"):
        shown |= {"operands": f"{{{pins}}}", "result": given["result"]}
    elif found.adapter == "word-stream":
        streams = ", ".join(f'"{each}": {_quoted(ports["data"])}' for each in operands)
        shown |= {"word": f"{word}", "operands": f"{{{streams}}}"}
    else:
        edit = "  # edit: the address of each first word"
        shown |= {"word": f"{word or 32}", "operands": f"{{{places}}},{edit}"}
        shown["result"] = f"{64 * len(operands)},  # edit"
    if found.adapter in ("registers", "wishbone", "axi-lite"):
        shown["control"] = "(0, 1),  # edit: the address, and what is written there to start"
        shown["status"] = f'"{ports.get("output", "read_data")}[0]",  # edit: the bit that is done'
        shown["status_at"] = "0,  # edit: where that bit is read"
    for argument, role in ARGUMENTS[found.adapter].items():
        if role in given:
            shown[argument] = given[role]
    if found.adapter == "val-rdy":
        shown["val"] = f"({given['in_val']}, {given.get('in_rdy', NO_PORT)})"
        shown["answer"] = f"({given['out_val']}, {given.get('out_rdy', NO_PORT)})"
    lines = [f"    {key}={text}" + ("" if "#" in text else ",") for key, text in shown.items()]
    return [f"HANDSHAKE = {name}(", *lines, ")"]


def _quoted(value: object) -> str:
    """Write texts in Python, in double quotes."""
    return repr(value).replace("'", '"')
