"""Writing the folder of a design of others: copies of its files, and an entry to be edited."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

from eval.foreign.guess import AXI_LITE, BARE, STEPS, WIDE, Guess, axi_prefix, guess
from eval.foreign.source import HEADERS, READS, VERILOG, Elaborated, elaborate
from eval.foreign.vhdl import VHDL
from eval.skeleton import steps as skeleton_steps
from eval.skeleton.copying import made_folder
from rtl.foreign import buses, protocols
from rtl.foreign.unit import EXPONENTIATOR, MULTIPLIER
from sim.errors import UserError

ROLES: dict[str, tuple[str, ...]] = {
    "multiplier": MULTIPLIER,
    "exponentiator": EXPONENTIATOR,
    BARE: (),
}
LEAST_BITS, WIDEST = 8, 4096
STEPS_SKELETON = Path(skeleton_steps.__file__)
PROTOCOLS = {
    "start-done": protocols.start_done,
    "val-rdy": protocols.val_rdy,
    "word-memory": protocols.word_memory,
    "word-stream": protocols.word_stream,
    "registers": buses.registers,
    "wishbone": buses.wishbone,
    AXI_LITE: buses.axi_lite,
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
    AXI_LITE: {},
}
MAPPED = ("registers", "wishbone", AXI_LITE)  # whose entry has a map of registers
SELECTS = 2  # bits of an address that only selects an operand
BUS_PORTS = {  # that the protocol of a bus drives
    "wishbone": re.compile(r"^wb_"),
    AXI_LITE: re.compile(r"_((a[rw]|[wrb])(valid|ready)|a[rw](addr|prot)|w(data|strb))$", re.I),
}
LONG = 60  # characters of operands on a line
UNKNOWN = 32  # bits of a core whose width nothing tells
MOST_LINES = 12  # of numbers that are quoted
R_OF_ITS_OWN = '("r2", lambda nbits: nbits + 2)'
SPARE_BITS = (  # what a comment of an entry says of Montgomery multipliers
    "A core that needs spare top bits, m < 2^(w - 2) of its w bits: make it wider by",
    "lambda nbits: nbits + 2 here and in radix, or else refuse other moduli by",
    "moduli=Taken(odd=True, spare=2), of rtl.foreign.taken, in the call below.",
)
SIZES = re.compile(r"bits|width|size|len|key|^n$|^k$", re.I)  # of parameters that are the width
NUMBER = re.compile(r"\d+")
NBITS, NO_PORT = "nbits", '""'
# Numbers with names that may be addresses, in Verilog and in VHDL.
PLACE = (
    r"\w*(?:ADDR|REG|PTR|CTRL|CONTROL|STATUS|OFFSET|DATA|START|READY|DONE|LEN|BASE|EXP|MOD|RES)\w*"
)
NUMBERS = re.compile(
    rf"^\s*(?:`define|localparam|parameter|constant)\s+(?:\[[^]]*\]\s*)?({PLACE})\s*"
    r"(?::[^:\n]*:=|=)?\s*(\d*\s*'[hdb][0-9a-f_]+|0x[0-9a-f]+|16#[0-9a-f]+#|x\"[0-9a-f]+\"|\d+)",
    re.M | re.I,
)


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
            _copy(path, folder)
        return _entry(folder, given, tuple(path.name for path in sources))
    except BaseException:
        shutil.rmtree(folder)
        raise


def _copy(path: Path, folder: Path) -> None:
    """Copy a file; what it includes is found beside it there."""
    shutil.copy(path, folder)
    if path.suffix in (*VERILOG, *HEADERS):
        text = path.read_text(errors="surrogateescape")
        beside = READS.sub(lambda reads: reads[0].replace(reads[1], Path(reads[1]).name), text)
        if beside != text:
            (folder / path.name).write_text(beside, errors="surrogateescape")


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
    headers = {
        path.resolve(): path
        for place in sorted(beside)
        for path in sorted(place.iterdir())
        if path.suffix in HEADERS and path.resolve() not in named
    }
    waiting = [*sources, *headers.values()]
    while waiting:
        source = waiting.pop()
        for asked in READS.findall(source.read_text(errors="replace")):
            for place in (source.parent, *sorted(beside)):
                path = place / asked
                if path.is_file() and path.resolve() not in {*named, *headers}:
                    headers[path.resolve()] = path
                    waiting.append(path)
    return sources, list(headers.values())


def _check(path: Path) -> None:
    if not path.is_file():
        raise UserError(f"--verilog: there is no file {path}; give the files of the core")


def _entry(folder: Path, given: Given, files: tuple[str, ...]) -> Written:
    """Elaborate the core as it is, tell its ports, and write the entry."""
    core = _elaborated(folder, given, files)
    top = given.top or core.source_top
    operands = ROLES[given.role]
    found = guess(
        core.ports, operands, given.adapter, given.ports, given.clock, given.reset, core.clocks
    )
    word = core.ports[data][1] if (data := found.ports.get("data", "")) else 0
    own = _own_width(core, found, operands, word)
    notes: list[str] = []
    parameters = dict(given.parameters)
    if NBITS not in " ".join(parameters.values()):
        wide = [
            name
            for name, value in core.parameters.items()
            if (value == own if own else SIZES.search(name) and value >= LEAST_BITS != word)
        ]
        if len(wide) == 1 and wide[0] not in parameters:
            parameters[wide[0]] = NBITS
        elif not own and (unknown := [name for name in core.parameters if name not in parameters]):
            notes.append(
                f"none of the parameters {', '.join(unknown)} is known to be the width of "
                "operands; if one sets it, give --parameter NAME=nbits"
            )
    free = NBITS in " ".join(parameters.values())
    if not free and own and not LEAST_BITS <= own <= WIDEST:
        raise UserError(
            f"--verilog: operands of {own} bits; give a core of {LEAST_BITS} to {WIDEST}, or by "
            "--parameter NAME=nbits what sets its width"
        )
    widths = (LEAST_BITS, WIDEST) if free or not own else (own, own)
    if found.adapter == BARE and not free:
        widths = 2 * (_widest(core, parameters),)
    entry = folder / "entry.py"
    entry.write_text(_text(folder, given, files, top, found, parameters, widths, core))
    if len(core.clocks) > 1:
        notes.append(f"{' and '.join(core.clocks)} are one clock: none is faster than the others")
    if found.adapter != BARE:
        inputs = [name for name, (way, _) in core.ports.items() if way == "input"]
        of_bus = BUS_PORTS.get(found.adapter)
        left = [name for name in inputs if name not in found.used]
        left = [name for name in left if not (of_bus and of_bus.search(name))]
        notes += [f"input {name} is 0 until the entry drives it" for name in left]
        notes += [
            f"nothing in the core reads {found.ports[each]}: no cycles are spent on this constant"
            for each in found.constants
            if found.ports.get(each) in core.unread
        ]
    if edits := entry.read_text().count("# edit"):
        notes.append(
            f"the names of the ports do not say everything: edit the {edits} lines of {entry.name} "
            "with # edit"
        )
    return Written(entry, found, widths, (*core.notes, *notes))


def _widest(core: Elaborated, parameters: Mapping[str, str]) -> int:
    """Choose the width of a synthesis-only core: a given parameter that is called a size, or else
    the widest port."""
    given = [
        int(value)
        for name, value in parameters.items()
        if SIZES.search(name) and NUMBER.fullmatch(value)
    ]
    sizes = given or [max(bits for _, bits in core.ports.values())]
    return next((size for size in sizes if LEAST_BITS <= size <= WIDEST), UNKNOWN)


def _elaborated(folder: Path, given: Given, files: tuple[str, ...]) -> Elaborated:
    """Read the core with the parameters that do not depend on its width."""
    values = {
        name: int(value) if NUMBER.fullmatch(value) else value
        for name, value in given.parameters.items()
        if not _of_width(name, value)
    }
    try:
        numbers = {name: value for name, value in values.items() if isinstance(value, int)}
        core = elaborate("--verilog", folder, files, given.top, numbers, given.defines)
        if numbers == values:
            return core
        _check_texts(core, {name: str(values[name]) for name in values.keys() - numbers.keys()})
        return elaborate("--verilog", folder, files, given.top, values, given.defines)
    except UserError as error:
        raise UserError(str(error).replace(f"{folder}/", "")) from None


def _of_width(name: str, value: str) -> bool:
    """Tell whether a parameter is reckoned from the width, in Python; UserError if it cannot be."""
    if NBITS not in value:
        return False
    for nbits in (LEAST_BITS, WIDEST):
        try:
            number = eval(value, {NBITS: nbits})
        except Exception as error:
            raise UserError(
                f"--parameter: {name}={value}: {error}; give Python with nbits and numbers, as "
                "nbits // 16"
            ) from None
        if type(number) is not int:
            raise UserError(
                f"--parameter: {name}={value} is {number!r} at {nbits} bits; give what is an "
                "integer, as nbits // 16"
            )
    return True


def _check_texts(core: Elaborated, texts: Mapping[str, str]) -> None:
    """Refuse a text for a parameter that is a number."""
    for name, value in texts.items():
        if name in core.parameters:
            raise UserError(
                f"--parameter: {name} is a number, {core.parameters[name]} in the core, not "
                f"{value!r}; give a number from 0 on, or Python with nbits"
            )


def _own_width(core: Elaborated, found: Guess, operands: Sequence[str], word: int) -> int:
    """Return the width that the core's operands have as it is, if its ports tell: they have ports
    of their own, or come whole on one bus."""
    if operands and operands[-1] in found.ports:
        return core.ports[found.ports[operands[-1]]][1]
    return word if found.adapter == "word-memory" and _whole(core, found) else 0


def _whole(core: Elaborated, found: Guess) -> bool:
    """Tell whether operands of a core with memories come whole: there is no address, or one that
    only selects the operand, and no parameter that a width could depend on."""
    port = found.ports.get("address")
    has_own = any("address" in ports for ports in found.own.values())
    selects = not port or core.ports[port][1] <= SELECTS
    return selects and not has_own and not core.parameters


def _text(
    folder: Path,
    given: Given,
    files: Sequence[str],
    top: str,
    found: Guess,
    parameters: Mapping[str, str],
    widths: tuple[int, int],
    core: Elaborated,
) -> str:
    """Write the entry."""
    name = folder.name
    handshake = []
    if found.adapter == STEPS:
        handshake = _steps(found, ROLES[given.role], core)
    elif found.adapter != BARE:
        handshake = _handshake(found, ROLES[given.role], core)
    word = core.ports[data][1] if (data := found.ports.get("data", "")) else 0
    maker = f"foreign_{given.role}"
    clock = found.clocks[0] if len(found.clocks) == 1 else (found.clocks or "")
    set_to = ", ".join(f'"{key}": {_parameter(value, word)}' for key, value in parameters.items())
    lines = [
        f'"""The entry of {name}: a core of others, {_driven(found)}."""',
        "",
        "from pathlib import Path",
        "",
        "from eval.foreign.core import Core",
        *_imports(found, maker),
        "",
        "CORE = Core(",
        "    Path(__file__).parent,",
        f"    files={_listed(files)},",
        f"    top={_quoted(top)},",
        f"    clock={_quoted(clock)},",
        f"    reset={_quoted(found.reset)},  # low resets where ! is before the name",
    ]
    if found.constants:
        lines += [f"    # {line}" for line in SPARE_BITS]
    lines += [f"    parameters={{{set_to}}},"] if set_to else []
    lines += [f"    defines={_quoted(dict(given.defines))},"] if given.defines else []
    lines += [f"    inverted={_quoted(found.inverted)},"] if found.inverted else []
    if found.adapter in MAPPED:
        handshake = [*_numbers(folder), *handshake]
    lines += [")", *handshake, f"DESIGNS = {maker}("]
    lines += [f"    {_quoted(name)},", "    CORE,", *[f"    {_called(found)},"] * bool(handshake)]
    if given.role == "multiplier" and found.constants:
        of_r = f"whole(nbits, {word})" if word > 1 else "nbits"
        lines.append(f"    radix=lambda nbits: {of_r},  # edit: r = a * b / 2^radix mod m")
    if widths != (LEAST_BITS, WIDEST):
        edit = "  # edit: the bits of its operands" * (found.adapter == BARE)
        lines.append(f"    widths={widths},{edit}")
    if any("whole(" in line for line in lines):
        lines.insert(lines.index("CORE = Core(") - 1, "from rtl.foreign.steps import whole")
    return "\n".join([*lines, ")"]) + "\n"


def _parameter(value: str, word: int) -> str:
    """Write a parameter; of a core that takes words, operands are of whole words."""
    if NBITS in value:
        whole = f"whole({NBITS}, {word})" if word > 1 else NBITS
        return f"lambda nbits: {re.sub(rf'{NBITS}', whole, value)}"
    return value if NUMBER.fullmatch(value) else _quoted(value)


def _listed(files: Sequence[str]) -> str:
    """Write names of files, one a line if they are many."""
    line = _quoted(tuple(files))
    each = "".join(f"        {_quoted(name)},\n" for name in files)
    return line if len(line) <= LONG else f"(\n{each}    )"


def _driven(found: Guess) -> str:
    return "bare" if found.adapter == BARE else f"driven by {found.adapter}"


def _called(found: Guess) -> str:
    """Name what drives the core in its entry."""
    return "handshake" if found.adapter == STEPS else "HANDSHAKE"


def _imports(found: Guess, maker: str) -> list[str]:
    """Write what an entry imports of designs and protocols."""
    if found.adapter == BARE:
        return [f"from eval.foreign.bare import {maker}"]
    if found.adapter == STEPS:
        return [
            f"from eval.foreign.designs import {maker}",
            "from rtl.foreign.steps import Do, Drive",
        ]
    protocol = PROTOCOLS[found.adapter]
    names = ["Registers"] if found.adapter in MAPPED else ["Words"] * bool(found.own)
    return [
        f"from eval.foreign.designs import {maker}",
        f"from {protocol.__module__} import {', '.join(sorted([*names, protocol.__name__]))}",
    ]


def _numbers(folder: Path) -> list[str]:
    """Quote what the files call an address, as comments."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in (*VERILOG, *HEADERS, *VHDL))
    found = {
        name: value.replace(" ", "")
        for path in paths
        for name, value in NUMBERS.findall(path.read_text(errors="replace"))
    }
    told = ", ".join(f"{name} {value}" for name, value in found.items())
    lines = wrap(f"Numbers of its files: {told}", 96)[:MOST_LINES]
    return [f"# {line}" for line in lines] if found else []


def _handshake(found: Guess, operands: Sequence[str], core: Elaborated) -> list[str]:
    """Write the call of the protocol; what a port's name does not tell is to be edited."""
    ports, name = found.ports, PROTOCOLS[found.adapter].__name__
    given = {role: f"{_quoted(port)}" for role, port in ports.items()}
    word = core.ports[ports["data"]][1] if "data" in ports else 0
    taken = [*operands, *found.constants]
    shown: dict[str, str] = {}
    if found.adapter in WIDE:
        pins = ", ".join(f'"{ports[each]}": "{each}"' for each in taken if each in ports)
        shown |= {"operands": f"{{{pins}}}", "result": given["result"]}
    elif found.adapter == "word-stream":
        streams = ", ".join(f'"{each}": {given["data"]}' for each in operands)
        shown |= {"word": f"{word}", "operands": f"{{{streams}}},  # edit: in the core's order"}
    elif found.adapter == "word-memory":
        shown |= {"word": f"{word}"} | _memories(found, taken, core)
    pins = ", ".join(f'"{ports[each]}": "{each}"' for each in found.constants if each in ports)
    if pins and found.adapter not in (*WIDE, *MAPPED):
        shown["pins"] = f"{{{pins}}}"
    if found.adapter in MAPPED:
        shown["of"] = _map(found, operands, word or 32, core)
    for argument, role in ARGUMENTS[found.adapter].items():
        if role in given:
            shown[argument] = given[role]
        elif role in ("address", "write", "start", "select"):
            shown[argument] = NO_PORT
    if found.adapter == "word-stream" and "start" not in given:
        del shown["start"]
    if found.adapter == "val-rdy":
        shown["val"] = f"({given['in_val']}, {given.get('in_rdy', NO_PORT)})"
        shown["answer"] = f"({given['out_val']}, {given.get('out_rdy', NO_PORT)})"
    if found.constants and found.adapter not in MAPPED:
        asked = ", ".join(f'"{each}": "{each}"' for each in found.constants)
        shown["constants"] = f"{{{asked}}}"
        if found.constants != ["m_inv"]:
            shown["constants"] += f",  # edit: of another R as {R_OF_ITS_OWN}"
        if "m_inv" in found.constants and found.adapter in WIDE:
            shown["digit"] = f"{core.ports[ports['m_inv']][1]}"
    if "of" in shown:
        shown = {"": shown.pop("of")} | shown
    if found.adapter == AXI_LITE and (prefix := axi_prefix(core.ports)) is not None:
        shown["prefix"] = _quoted(prefix)
        if f"{prefix}wstrb".lower() not in {port.lower() for port in core.ports}:
            shown["strobes"] = "False"
    lines = [
        f"    {key}{'=' * bool(key)}{text}" + ("" if "#" in text or text.endswith(",") else ",")
        for key, text in shown.items()
    ]
    return [f"HANDSHAKE = {name}(", *lines, ")"]


def _steps(found: Guess, operands: Sequence[str], core: Elaborated) -> list[str]:
    """Copy the skeleton of a protocol, with what the names of the ports tell."""
    ports = found.ports
    used = {*found.clocks, found.reset.removeprefix("!")}
    listed = [
        f"{way.capitalize()}s (bits): "
        + ", ".join(
            f"{name} ({bits})"
            for name, (kind, bits) in core.ports.items()
            if kind == way and name not in used
        )
        for way in ("input", "output")
    ]
    always = {ports[each]: each for each in (*operands, *found.constants) if each in ports}
    asked = ", ".join(f'"{each}": ("{each}", nbits)' for each in found.constants)
    text = STEPS_SKELETON.read_text()
    text = text[text.index("def handshake") :].replace("OPERANDS", ", ".join(operands))
    text = text.replace("OPERAND", operands[0])
    text = text.replace("# PORTS", "\n    # ".join(["", *wrap(". ".join(listed), 94)]).strip())
    text = text.replace("always={}", f"always={_quoted(always)}")
    text = text.replace("constants={}", f"constants={{{asked}}}")
    for role in ("start", "done", "result"):
        text = text.replace(f'"{role.upper()}"', _quoted(ports.get(role, role.upper())))
    return ["", "", *text.rstrip().splitlines(), "", ""]


def _memories(found: Guess, taken: Sequence[str], core: Elaborated) -> dict[str, str]:
    """Write where words go: to ports of each operand, to addresses, or one operand after another
    to the same port."""
    ports, own = found.ports, found.own
    data, address = ports.get("data", ""), ports.get("address", "")
    taken = [each for each in taken if each not in ports]
    result = own.get("result", {})
    output = result.get("data") or ports["output"]
    shown = {}
    if any(own.get(each) for each in taken):
        places = {each: _words(own.get(each, {})) for each in taken}
        edit = ""
    else:
        step = 1 if _whole(core, found) else 64
        places = {each: f"{step * i}" for i, each in enumerate(taken)}
        edit = "  # edit: the address of each first word" if step > 1 else "  # edit: the numbers"
        if not address:
            edit = "  # edit: in the order in which the core takes them"
    inside = ", ".join(f'"{each}": {place}' for each, place in places.items())
    shown["operands"] = f"{{{inside}}},{edit}"
    if len(inside) > LONG:
        listed = "".join(f'\n        "{each}": {place},' for each, place in places.items())
        shown["operands"] = f"{{{listed}\n    }},{edit}"
    if "address" in result:
        shown["result"] = f"{_words({k: v for k, v in result.items() if k != 'data'})},"
    elif _whole(core, found) or not address or core.ports[output][1] > core.ports[data][1]:
        shown["result"] = f"None,  # it stands on {output}"
    else:
        shown["result"] = f"{64 * len(taken)},  # edit"
    if "data" in result:
        shown["output"] = _quoted(output)
    return shown


def _words(own: Mapping[str, str]) -> str:
    return f"Words({', '.join(f'{kind}={_quoted(port)}' for kind, port in own.items())})"


def _map(found: Guess, operands: Sequence[str], word: int, core: Elaborated) -> str:
    """Write a map of registers, to be edited."""
    prefix = axi_prefix(core.ports)
    if found.adapter == AXI_LITE and prefix is not None:
        word = next(n for name, (_, n) in core.ports.items() if name.lower().endswith("wdata"))
    read = (
        "s_axi_rdata" if prefix is None else f"{prefix}{'RDATA' if prefix.isupper() else 'rdata'}"
    )
    output = found.ports.get("output", {"wishbone": "wb_dat_o"}.get(found.adapter, read))
    stride = 1 if found.adapter == "registers" else 4
    places = ", ".join(f'"{each}": {64 * i}' for i, each in enumerate(operands))
    lines = [
        f"word={word},",
        f"operands={{{places}}},  # edit: the address of each first word",
        f"result={64 * len(operands)},  # edit",
        "control=(0, 1),  # edit: the address, and what is written there to start",
        f'status="{output}[0]",  # edit: the bit that is done',
        "status_at=0,  # edit: where that bit is read",
        f"stride={stride},  # edit: to the next word's address; 0 where the core counts by itself",
    ]
    return "Registers(\n" + "".join(f"        {line}\n" for line in lines) + "    ),"


def _quoted(value: object) -> str:
    """Write texts in Python, in double quotes."""
    return repr(value).replace("'", '"')
