"""The values of all signals of a design at one moment, read from a VCD of that moment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

VARIABLE = re.compile(r"\s*\$var\s+\w+\s+\d+\s+(\S+)\s+(.+?)\s+\$end")
SCOPE = re.compile(r"\s*\$scope\s+\w+\s+(\S+)\s+\$end")
RANGE = re.compile(r"\s*\[\d+(:\d+)?\]$")
OUTSIDE = 2  # scopes: Verilator's own and the top module's


@dataclass(frozen=True)
class Signals:
    """Where each signal's value is among the values, by name: "instance.register" or
    "instance.memory[3]". Signals that are joined share one; places are those of the design."""

    places: dict[str, int]
    values: list[int]

    def __getitem__(self, name: str) -> int:
        return self.values[self.places[name]]


class SnapshotReader:
    """Reads VCDs of a design that have one moment each: all say first, and alike, what there is."""

    def __init__(self) -> None:
        self._said = ""
        self._codes: dict[str, int] = {}
        self._places: dict[str, int] = {}

    def read(self, path: Path) -> Signals:
        """Read the moment of a VCD."""
        said, _, moment = path.read_text().partition("$enddefinitions")
        if said != self._said:
            variables = list(_variables(said.splitlines()))
            codes = dict.fromkeys(code for _, code in variables)
            self._codes = {code: place for place, code in enumerate(codes)}
            self._places = {name: self._codes[code] for name, code in variables}
            self._said = said
        value_of = {}
        for line in moment.splitlines():
            text = line.strip()
            if text.startswith("b"):
                bits, code = text[1:].split()
                value_of[code] = int(bits, 2)
            elif text[:1] in ("0", "1"):
                value_of[text[1:]] = int(text[0])
        return Signals(self._places, [value_of[code] for code in self._codes])


def _variables(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """List each variable's name and code."""
    scopes: list[str] = []
    for line in lines:
        if scope := SCOPE.match(line):
            scopes.append(scope[1])
        elif "$upscope" in line:
            scopes.pop()
        elif (found := VARIABLE.match(line)) and len(scopes) >= OUTSIDE:
            code, name = found.groups()
            own = RANGE.sub("", name) if ":" in name else name
            yield ".".join([*scopes[OUTSIDE:], own.replace(" ", "")]), code
