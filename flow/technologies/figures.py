"""Write a Liberty file of a corner's figures, which a package holds in a tenth of the space.

The figures are JSON, compressed: `head` has attributes of the library, `templates` the variables of
its tables, `cells` its cells. A table is its axes and its values, a leakage its state and value.
"""

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SUFFIX = ".json.xz"
GROUPS = ("timing", "internal_power")
POINTS = "1, 2, 3, 4, 5, 6, 7"  # of templates, for abc; each table has its own
CONDITIONS = ("process", "temperature", "voltage")
PLAIN = ("delay_model", "direction", "clock_gating_integrated_cell", "timing_sense", "timing_type")


def liberty(path: Path) -> str:
    """Write the Liberty text of a file of figures."""
    said = json.loads(lzma.decompress(path.read_bytes()))
    number, unit = said["capacitive_load_unit"]
    lines = [f"library ({said['library']}) {{", *_attributes(said["head"], 1)]
    lines.append(f"  capacitive_load_unit ({number:g}, {unit});")
    nominal = " ".join(f"{name} : {said['head'][f'nom_{name}']};" for name in CONDITIONS)
    # Without these OpenSTA takes the voltage to be 0 where it reckons power.
    lines.append(f"  operating_conditions (nominal) {{ {nominal} }}")
    lines.append("  default_operating_conditions : nominal;")
    for name, variables in said["templates"].items():
        lines.append(f"  {_opening(name)}")
        for i, variable in enumerate(variables, 1):
            lines += [f"    variable_{i} : {variable};", f'    index_{i} ("{POINTS}");']
        lines.append("  }")
    for name, cell in said["cells"].items():
        lines += [f"  cell ({name}) {{", *_cell(cell), "  }"]
    return "\n".join([*lines, "}", ""])


def _cell(cell: Mapping[str, Any]) -> Iterator[str]:
    yield from _attributes({k: v for k, v in cell.items() if not isinstance(v, dict | list)}, 2)
    for when, value in cell.get("leakage_power", ()):
        condition = f'when : "{when}"; ' if when else ""
        yield f"    leakage_power () {{ {condition}value : {value}; }}"
    if "ff" in cell:
        names, following, clock = cell["ff"]
        yield (
            f'    ff ({_quoted(names)}) {{ next_state : "{following}"; clocked_on : "{clock}"; }}'
        )
    if "statetable" in cell:
        names, rows = cell["statetable"]
        *inputs, state = names.split()
        yield f'    statetable ("{" ".join(inputs)}", "{state}") {{ table : "{rows}"; }}'
    for name, pin in cell["pins"].items():
        yield f"    pin ({name}) {{"
        yield from _attributes({k: v for k, v in pin.items() if k not in GROUPS}, 3)
        for kind in GROUPS:
            for group in pin.get(kind, ()):
                yield f"      {kind} () {{"
                yield from _attributes({k: v for k, v in group.items() if isinstance(v, str)}, 4)
                for table, numbers in group.items():
                    if not isinstance(numbers, str):
                        yield from _table(table, numbers)
                yield "      }"
        yield "    }"


def _attributes(said: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, value in said.items():
        text = f'"{value}"' if isinstance(value, str) and name not in PLAIN else value
        yield f"{'  ' * depth}{name} : {text};"


def _table(name: str, numbers: Sequence[Any]) -> Iterator[str]:
    *axes, values = numbers
    yield f"        {_opening(name)}"
    for i, axis in enumerate(axes, 1):
        yield f'          index_{i} ("{_row(axis)}");'
    rows = values if isinstance(values[0], list) else [values]
    said = ", ".join(f'"{_row(row)}"' for row in rows)
    yield f"          values ({said});"
    yield "        }"


def _opening(name: str) -> str:
    kind, _, of = name.partition(" ")
    return f"{kind} ({of}) {{"


def _row(numbers: Sequence[float]) -> str:
    return ", ".join(map(repr, numbers))


def _quoted(names: str) -> str:
    return ", ".join(f'"{name}"' for name in names.split())
