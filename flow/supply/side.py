"""Choose what stands at a cell's other pins, so that an edge goes through it as on a path."""

from itertools import product

from flow.gates.cells import Cell
from flow.gates.logic import Logic
from flow.supply.path import Stage
from sim.errors import RunError


def side_inputs(cell: Cell, stage: Stage) -> dict[str, int]:
    """Tell 0 or 1 for each other input of a gate."""
    function = Logic(cell.pins[stage.leaves].function)
    others = [pin for pin in cell.inputs if pin != stage.enters]
    for bits in product((0, 1), repeat=len(others)):
        side = dict(zip(others, bits, strict=True))
        after = function.value({**side, stage.enters: int(stage.enters_rising)})
        before = function.value({**side, stage.enters: int(not stage.enters_rising)})
        if (before, after) == (not stage.leaves_rising, stage.leaves_rising):
            return side
    raise RunError(f"{stage.master}: no edge at {stage.enters} makes this one at {stage.leaves}")


def register_data(cell: Cell, stage: Stage) -> tuple[str, bool, dict[str, int]]:
    """Tell which input of a register is its data, what that is before an edge of its clock that
    makes the path's at its output, and 0 or 1 for each other input."""
    following = Logic(cell.next_state)
    becomes = stage.leaves_rising == (cell.pins[stage.leaves].function == cell.states[0])
    for pin in following.pins:
        others = [one for one in cell.inputs if one not in (pin, cell.clock_pin)]
        for bits in product((0, 1), repeat=len(others)):
            side = dict(zip(others, bits, strict=True))
            known = {**side, **dict.fromkeys(cell.states, 0)}
            low, high = (following.value({**known, pin: value}) for value in (0, 1))
            if low != high:
                return pin, becomes != bool(high), side
    raise RunError(f"{stage.master}: no input of this register decides what it keeps")
