"""Sources of a core of others, in Verilog, SystemVerilog or VHDL, read by yosys and ghdl."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.catalog.inputs import shorten
from eval.foreign.headers import with_headers
from eval.foreign.vhdl import ENTITY, VHDL, generics_of, verilog_of
from flow.elaborate import problems
from sim.build_cache import kept
from sim.closure import hash_data
from sim.errors import RunError, UserError
from sim.paths import ROOT, build_dir, unspaced

VERILOG = (".v", ".sv")
HEADERS = (".vh", ".svh", ".inc", ".h")
SECONDS = 600  # that a tool may take
# Of a width of 0, or less.
_NO_BITS = re.compile(r"(?:input|output) (?:reg )?(?:signed )?(\[-\d+:0\]) (\S+?)[,)]")
_MODULE = re.compile(r"^\s*module\s+(\w+)", re.M)
_INSTANCE = (
    r"(?<!module )\b(?<![.]){name} ?(?:# ?\(|\w+ ?\()|\bentity \w+\.{name}\b"
    r"|: ?{name} (?:generic|port) map"
)
_ASYNCHRONOUS = re.compile(r"always @\((\w+ [^,()]+), \w+ [^,()]+\)")  # as yosys writes it
# What a source reads while it is elaborated: included files, and contents of memories.
READS = re.compile(r'(?:`include\s+|\$readmem[hb]\s*\(\s*)"([^"]+)"')
_LATCH = re.compile(
    r"^Warning: Latch inferred for signal `(?:\$paramod(?:\$\w+)?)?\\?(\w+)\S*?\.\\(\S+)'"
    r" from process `.*?\$proc\$(\S+?):(\d+)\$\d+'",
    re.M,
)
_FROM_VHDL = "from_vhdl.v"  # what ghdl writes, which no user has seen
_ERROR = re.compile(r"^(?:(\S+?):(\d+)(?::\d+|\.\d+-\d+\.\d+)?: )?ERROR: ?(.*)$", re.M)


@dataclass(frozen=True)
class Elaborated:
    """Is a core in plain Verilog, without parameters: its ports by name, in bits, with direction.

    notes: what the tools say of it that forbids nothing. clocks: the inputs that clock registers.
    unread: the inputs that nothing reads.
    """

    top: str
    text: str
    ports: dict[str, tuple[str, int]]
    notes: tuple[str, ...]
    source_top: str
    parameters: dict[str, int]  # numbers that the top has, with their values
    clocks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def elaborate(
    argument: str,
    folder: Path,
    files: Sequence[str],
    top: str,
    parameters: Mapping[str, int | str],
    defines: Mapping[str, str],
) -> Elaborated:
    """Elaborate the top module of the files in a folder; UserError says what forbids it."""
    contents = {}
    for name in files:
        path = folder / name
        if path.suffix not in (*VERILOG, *VHDL):
            known = ", ".join((*VERILOG, *VHDL))
            raise UserError(f"{argument}: {name} is no source; give files that end in {known}")
        if not path.is_file():
            raise UserError(f"{argument}: there is no file {path}; name the files of the core")
        contents[name] = path.read_text(errors="replace")
    if not contents:
        raise UserError(f"{argument}: no file is named; give the files of the core")
    top = top or _only_top(argument, contents)
    own = [path.read_text() for path in sorted(Path(__file__).parent.glob("*.py"))]
    inputs = [[*contents.items()], _read_by(folder, contents), top]  # the files in their order
    key = hash_data([*inputs, dict(parameters), dict(defines), own])
    reader = _Reader(argument, unspaced(folder.absolute()), contents, top, parameters, defines)
    found = json.loads(kept(build_dir("foreign") / f"{key[:24]}.json", reader.made).read_text())
    ports = {name: (way, bits) for name, (way, bits) in found["ports"].items()}
    return Elaborated(
        **{"top": found["top"], "text": found["text"], "ports": ports, "source_top": top},
        notes=tuple(found["notes"]),
        parameters=found["parameters"],
        clocks=tuple(found["clocks"]),
        unread=tuple(found["unread"]),
    )


def _read_by(folder: Path, contents: Mapping[str, str]) -> dict[str, str]:
    """Return the other files of the folder that sources read, or may read, while they are
    elaborated."""
    beside = sorted(path for path in folder.iterdir() if path.suffix in (*VERILOG, *HEADERS))
    found = {path.name: path.read_text(errors="replace") for path in beside}
    waiting = [*contents.values(), *found.values()]
    while waiting:
        for name in READS.findall(waiting.pop()):
            path = folder / name
            if name not in found and path.is_file():
                found[name] = path.read_text(errors="replace")
                waiting.append(found[name])
    return found


def _only_top(argument: str, contents: Mapping[str, str]) -> str:
    """Find the one module that no other one instantiates."""
    whole = "\n".join(re.sub(r"//.*|--.*", "", text) for text in contents.values())
    names = list(dict.fromkeys([*_MODULE.findall(whole), *ENTITY.findall(whole)]))
    if not names:
        raise UserError(
            f"{argument}: no module or entity is in {', '.join(contents)}; name the core's files"
        )
    text = " ".join(whole.split())
    tops = [name for name in names if not re.search(_INSTANCE.format(name=name), text, re.I)]
    if len(tops) != 1:
        found = ", ".join(tops or names)
        raise UserError(f"--top: {argument} has several top modules; choose one of {found}")
    return tops[0]


@dataclass(frozen=True)
class _Reader:
    argument: str
    folder: Path
    contents: Mapping[str, str]
    top: str
    parameters: Mapping[str, int | str]
    defines: Mapping[str, str]

    def made(self, scratch: Path) -> Path:
        """Write what elaboration finds, in a scratch folder."""
        vhdl = [name for name in self.contents if Path(name).suffix in VHDL]
        verilog = [name for name in self.contents if Path(name).suffix in VERILOG]
        parameters, entities = dict(self.parameters), ""
        if vhdl:
            if verilog:
                raise UserError(
                    f"{self.argument}: {vhdl[0]} and {verilog[0]} are of two languages; "
                    "give a core of one"
                )
            paths = {name: self.folder / name for name in vhdl}
            text = verilog_of(self.argument, paths, self.top, self.parameters, scratch)
            (scratch / _FROM_VHDL).write_text(text)
            reads = [[f"read_verilog {scratch / _FROM_VHDL}"]]
            parameters, entities = {}, self.top.lower()
        else:
            self._check_top(verilog)
            reads = [self._reads(verilog, each) for each in ("", "-sv ")]
        values = {
            name: f'"{value}"' if isinstance(value, str) else value
            for name, value in parameters.items()
        }
        said = ""
        for read in reads:
            asked: dict[str, Any] = {"read": read, "top": entities or self.top}
            asked |= {"parameters": values, "prefix": "theirs_", "keep": False}
            done = run_elaboration(asked, scratch)
            said = done.stdout + done.stderr
            if not done.returncode or "syntax error" not in said:
                break
        if done.returncode:
            raise UserError(f"{self.argument}: {self._wrong(said)}")
        return self._found(scratch, said)

    def _reads(self, verilog: list[str], language: str) -> list[str]:
        defines = "".join(f"-D{name}={value} " for name, value in self.defines.items())
        return [
            f"read_verilog {'-sv ' if name.endswith('.sv') else language}{defines}"
            f'-I{self.folder} "{self.folder / name}"'
            for name in verilog
        ]

    def _check_top(self, verilog: list[str]) -> None:
        names = [found for name in verilog for found in _MODULE.findall(self.contents[name])]
        if self.top not in names:
            raise UserError(
                f"--top: no module {shorten(self.top)!r} is in {', '.join(verilog)}; "
                f"{'choose one of ' + ', '.join(names) if names else 'name the files of the core'}"
            )

    def _wrong(self, said: str) -> str:
        """Say in a line why yosys ended."""
        found = _ERROR.search(said)
        if not found:
            lines = [line for line in said.splitlines() if line.strip()]
            return f"yosys failed: {lines[-1] if lines else 'no word'}"
        place = _place(found[1], found[2]) if found[1] else ""
        text = found[3].replace("\\", "").strip()
        if match := re.search(
            r"Module [`']?(\S+?)'? referenced in module [`']?(\S+?)'? .*not part", text
        ):
            return (
                f"module {match[1]} is unknown, which {match[2]} has; add the file that has it, "
                "or, of a primitive of a vendor, one that describes it"
            )
        if match := re.search(r"Can't open include file `?([^'`]*)", text):
            return (
                f"{place}the file {match[1]} is not there; add it by --include or beside the core"
            )
        if match := re.search(r"Can't find object for defparam `(\w+)`", text):
            return f"{self.top} has no parameter {match[1]}; name one that it has"
        if match := re.search(r"Unimplemented compiler directive or undefined macro `(\w+)", text):
            return f"{place}the macro {match[1]} is not defined; give --define {match[1]}=VALUE"
        remedy = "mend it"
        if "syntax error" in text and ".sv" in place:
            remedy += ", or let sv2v translate it: yosys reads a part of SystemVerilog"
        return f"{place}{text.rstrip('.!')}; {remedy}"

    def _found(self, scratch: Path, said: str) -> Path:
        module = self._top_module(json.loads((scratch / "core.json").read_text()))
        ports = {
            name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()
        }
        text = with_headers((scratch / "core.v").read_text())
        for name, (way, _) in ports.items():
            if "." in name:
                raise UserError(
                    f"{self.argument}: port {name.split('.')[0]} is an interface; wrap the core in "
                    "a module whose ports are plain"
                )
            if way == "inout":
                raise UserError(
                    f"{self.argument}: port {name} is an inout; wrap the core in a module with an "
                    "input and an output in its place"
                )
        if none := _NO_BITS.search(text):
            asked = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
            raise UserError(
                f"{self.argument}: port {none[2]} has no bits: its range is {none[1]} with "
                f"{asked or 'what the core has'}; give a parameter that makes it wider"
            )
        if latch := _LATCH.search(said):
            raise UserError(
                f"{self.argument}: {_place(latch[3], latch[4])}signal {latch[2]} of {latch[1]} is "
                "a latch: some branch does not assign it; assign it in each"
            )
        if wrong := problems(said):
            raise UserError(f"{self.argument}: {wrong[0]}; mend it")
        if re.search(r"'[bh][0-9a-fxX_]*[zZ]", text):
            raise UserError(
                f"{self.argument}: the core drives a three-state signal (z); write a multiplexer"
            )
        made = scratch / "found.json"
        top = (scratch / "top.txt").read_text()
        text, resets = _ASYNCHRONOUS.subn(r"always @(\1)", text)
        notes = self._notes(said)
        if resets:
            notes.append("asynchronous resets are made synchronous")
        parameters = {
            name: int(value, 2)
            for name, value in module.get("parameter_default_values", {}).items()
            if re.fullmatch("[01]+", value)
        }
        texts = "\n".join(self.contents.values())
        given = {name: v for name, v in self.parameters.items() if isinstance(v, int)}
        parameters |= {n: given.get(n, v) for n, v in generics_of(texts, self.top).items()}
        found = {"top": top, "text": text, "ports": ports, "notes": notes}
        clocks = self._clocks(json.loads((scratch / "clocks.json").read_text()))
        unread = json.loads((scratch / "unread.json").read_text())
        found |= {"parameters": parameters, "clocks": clocks, "unread": unread}
        made.write_text(json.dumps(found))
        return made

    def _clocks(self, found: list[tuple[str, bool, bool]]) -> list[str]:
        """Check what clocks registers: inputs, at the rising edge."""
        for name, is_input, rising in found:
            if not is_input:
                raise UserError(
                    f"{self.argument}: registers are clocked by {name}, which is made inside the "
                    "core; let the clock reach them as it is, and enable them by a condition"
                )
            if not rising:
                raise UserError(
                    f"{self.argument}: registers take the falling edge of {name}; the flow knows "
                    "one edge, the rising one: write posedge, or rising_edge"
                )
        return [name for name, _, _ in found]

    def _top_module(self, found: dict[str, Any]) -> dict[str, Any]:
        for module in found["modules"].values():
            if int(module["attributes"].get("top", "0"), 2):
                return dict(module)
        raise RunError(f"{self.argument}: yosys found no top module")

    def _notes(self, said: str) -> list[str]:
        notes = []
        initial = sorted(
            {
                name
                for text in self.contents.values()
                for name in re.findall(r"^\s*initial\b\s*(?:begin\s*)?(\w+)\s*[<]?=", text, re.M)
            }
        )
        if initial:
            notes.append(
                f"initial values, of {', '.join(initial)}, are ignored: cells have none; reset them"
            )
        undriven = re.findall(r"^Warning: Wire (\S+) is used but has no driver", said, re.M)
        notes += [f"{name.replace(chr(92), '')} is used but has no driver" for name in undriven[:5]]
        return notes


def _place(file: str, line: str) -> str:
    """Say where something is in the user's files."""
    name = Path(file).name
    return "" if name == _FROM_VHDL else f"{name}, line {line}: "


def run_elaboration(asked: Mapping[str, Any], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run eval/foreign/elaborate.py in a folder; RunError if it does not end."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    try:
        return subprocess.run(
            [sys.executable, "-m", "eval.foreign.elaborate"],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            errors="replace",
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise RunError(f"yosys does not end with {asked['top']} in {SECONDS} s") from None


def plain_verilog(text: str, top: str) -> str:
    """Write SystemVerilog of ours in plain Verilog, which any simulator reads."""
    with tempfile.TemporaryDirectory(dir=build_dir("foreign")) as scratch:
        folder = unspaced(Path(scratch))
        (folder / "ours.v").write_text(text)
        asked = {"read": ["read_verilog -sv ours.v"], "top": top, "parameters": {}}
        done = run_elaboration({**asked, "prefix": f"{top}_", "keep": True}, folder)
        if done.returncode:
            raise RunError(f"yosys does not read {top}: {(done.stdout + done.stderr)[-300:]}")
        return (folder / "core.v").read_text()
