"""Prove from a cell's state table in the library, in all cases, that it gates a clock.

A register behind such a cell sees one rising edge in the cycles that begin with enable at 1, and no
edge in the others: so it is a register that takes its input if enable is 1, which is what the
simulation and the proof of equivalence put in its place. Enable must be steady when the clock
rises; timing checks that.
"""

from itertools import product

from flow.gates.groups import Group
from flow.gates.logic import Logic

LEVELS = {"L": (0,), "H": (1,), "-": (0, 1)}
KEEP = "N"
ROLES = ("clock", "enable", "out")


class GateError(Exception):
    """A cell that the library calls a clock gate is none that can be simulated."""


def enable_pin(group: Group) -> str:
    """Find the enable of a cell that the library calls a clock gate; GateError unless it is one."""
    pins = {g.name: g.attributes for g in group.all("pin")}
    roles = {
        role: name
        for name, attributes in pins.items()
        for role in ROLES
        if attributes.get(f"clock_gate_{role}_pin") == "true"
    }
    inputs = {name for name, pin in pins.items() if pin.get("direction") == "input"}
    tables = list(group.all("statetable"))
    if set(roles) != set(ROLES) or inputs != {roles["clock"], roles["enable"]} or not tables:
        raise GateError("a clock gate of other pins is not simulated")
    [table], function = tables, pins[roles["out"]].get("state_function", "0")
    names, rows = table.name.split(), table.attributes["table"]
    if why := why_not_a_gate(names, rows, roles["clock"], roles["enable"], function):
        raise GateError(why)
    return roles["enable"]


def why_not_a_gate(
    names: list[str], table: str, clock: str, enable: str, function: str
) -> str | None:
    """Say what is wrong with a gate of this state table and output function; None if nothing is.

    `names` are those of the table's inputs and, last, of the state.
    """
    if sorted(names[:-1]) != sorted((clock, enable)):
        return "its state depends on other pins than clock and enable"
    state, output = names[-1], Logic(function)
    try:
        following = _following(names, table)
    except (KeyError, ValueError):
        return "its state table is not understood"

    def settled(clocked: int, enabled: int, stored: int) -> int:
        values = {clock: clocked, enable: enabled}
        return following[(*(values[name] for name in names[:-1]), stored)]

    def value(clocked: int, enabled: int, stored: int) -> int:
        return output.value({clock: clocked, enable: enabled, state: stored})

    for enabled, stored, later in product((0, 1), repeat=3):
        low = settled(0, enabled, stored)
        if value(0, enabled, low):
            return "its output may be 1 while the clock is 0"
        high = settled(1, enabled, low)
        if value(1, enabled, high) != enabled:
            return "its output does not rise with the clock just if enable is 1"
        if value(1, later, settled(1, later, high)) != enabled:
            return "its output may change while the clock is 1"
    return None


def _following(names: list[str], table: str) -> dict[tuple[int, ...], int]:
    """Tell which state follows for all values of the inputs and the state; ValueError or KeyError
    if the table leaves it open, or says it with other symbols than levels."""
    found: dict[tuple[int, ...], int] = {}
    for row in table.replace("\\", " ").split(","):
        inputs, now, then = (part.split() for part in row.split(":"))
        for values in product(*(LEVELS[symbol] for symbol in (*inputs, *now))):
            [following] = (values[-1],) if then == [KEEP] else LEVELS[then[0]]
            found.setdefault(values, following)
    if len(found) != 1 << len(names) or any(len(values) != len(names) for values in found):
        raise ValueError("not each state has one that follows")
    return found
