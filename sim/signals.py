"""The values of all signals of a design at one moment, read from a VCD of that moment."""

import re
from collections.abc import Iterator
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


def read_snapshot(path: Path) -> Signals:
    """Read the first moment of a VCD."""
    with path.open() as file:
        variables = list(_variables(file))
        value_of = {}
        for line in file:
            text = line.strip()
            if text.startswith("b"):
                bits, code = text[1:].split()
                value_of[code] = int(bits, 2)
            elif text[:1] in ("0", "1"):
                value_of[text[1:]] = int(text[0])
    codes = {code: place for place, code in enumerate(dict.fromkeys(code for _, code in variables))}
    return Signals({name: codes[code] for name, code in variables}, [value_of[c] for c in codes])


def _variables(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """List each variable's name and code, and leave off where the values begin."""
    scopes: list[str] = []
    for line in lines:
        if "$enddefinitions" in line:
            return
        if scope := SCOPE.match(line):
            scopes.append(scope[1])
        elif "$upscope" in line:
            scopes.pop()
        elif (found := VARIABLE.match(line)) and len(scopes) >= OUTSIDE:
            code, name = found.groups()
            own = RANGE.sub("", name) if ":" in name else name
            yield ".".join([*scopes[OUTSIDE:], own.replace(" ", "")]), code
