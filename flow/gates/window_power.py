"""Compute power and energy of the windows of a recording, and of the operations among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from flow.gates.power import COMPONENTS, Nets, PowerModel
from flow.netlist import Netlist
from flow.results.energy import ModulePower, Operation, Pieces, Power, Sampled, Window

MW = 1e-3  # of a fJ in a ns
NJ = 1e-6  # of a fJ
ARRAYS = ("toggles", "high", "sampled_toggles", "delayed_toggles")
TWICE = 2  # the standard error: one energy in twenty is further off
PORTS = "(inputs of the design)"  # nets that nothing inside drives


class Modules:
    """The module that each cell of the netlist belongs to."""

    def __init__(self, netlist: Netlist, owners: Mapping[str, tuple[str, str]]) -> None:
        top = ("", netlist.top)
        names = [owners.get(cell.name, top)[1] for cell in netlist.instances]
        self.names, self.numbers = np.unique(np.array(names, object), return_inverse=True)

    def sums(self, cells: np.ndarray) -> np.ndarray:
        """Sum up what the cells of each module have."""
        return np.bincount(self.numbers, cells, len(self.names))


@dataclass(frozen=True)
class Piece:
    """What the nets did in a stretch of so many cycles, `sampled` of them with delays."""

    cycles: int
    sampled: int
    toggles: np.ndarray
    high: np.ndarray
    sampled_toggles: np.ndarray
    delayed_toggles: np.ndarray


def with_total(values: Mapping[str, float]) -> dict[str, float]:
    """Make plain figures of these, with their sum as `total`."""
    found = {name: float(value) for name, value in values.items()}
    return found | {"total": sum(found.values())}


def window_power(
    model: PowerModel, modules: Modules, nets: Nets, period: float
) -> tuple[Power, list[ModulePower]]:
    """Compute the mW of the whole by component, and rows for its modules, the largest first."""
    found = model.energies(nets)
    scale = MW / (nets.cycles * period)
    ports = float(found.pop("ports")) * scale
    whole = {name: found[name].sum() * scale for name in COMPONENTS}
    whole["switching"] += ports
    by_module = {name: modules.sums(found[name]) * scale for name in COMPONENTS}
    rows = [
        ModulePower(module=name, **with_total({part: by_module[part][i] for part in COMPONENTS}))
        for i, name in enumerate(modules.names)
    ]
    if ports:
        parts = dict.fromkeys(COMPONENTS, 0.0) | {"switching": ports}
        rows.append(ModulePower(module=PORTS, **with_total(parts)))
    return Power(**with_total(whole)), sorted(rows, key=lambda row: -row.total)


def window(
    model: PowerModel,
    modules: Modules,
    pieces: Sequence[Piece],
    cycles: int,
    period: float,
    toggle_factor: float = 1.0,
) -> Window:
    """Compute the power and energy of a window of so many cycles from what its pieces did; with
    more than one, `pieces` has the error of the energies, twice the standard error of a mean."""
    power, rows, with_glitches = piece_power(model, modules, summed(pieces), period)
    energy_of_power = cycles * period / MW * NJ
    energy = energy_all = power.total * energy_of_power
    sampled = spread = None
    if with_glitches:
        before, after = with_glitches
        sampled = Sampled(sum(piece.sampled for piece in pieces), toggle_factor, before, after)
        energy_all += (after - before) * energy_of_power
    if len(pieces) > 1:
        each = []
        for piece in pieces:
            plain, _, glitches = piece_power(model, modules, piece, period)
            assert glitches, "pieces without sampled cycles have no error"
            before, after = glitches
            each.append((plain.total, plain.total + after - before))
        errors = TWICE * np.std(each, axis=0, ddof=1) / len(each) ** 0.5 * energy_of_power
        spread = Pieces(len(pieces), sum(piece.cycles for piece in pieces), *map(float, errors))
    return Window(cycles, power, energy, energy_all, rows, sampled, spread)


def summed(pieces: Sequence[Piece]) -> Piece:
    """Add up what pieces did."""
    return Piece(*(sum(getattr(piece, what.name) for piece in pieces) for what in fields(Piece)))


def piece_power(
    model: PowerModel, modules: Modules, piece: Piece, period: float
) -> tuple[Power, list[ModulePower], tuple[float, float] | None]:
    """Compute the power of a piece and by module, and that of its sampled cycles without and with
    delays, if it has any."""
    cycles, sampled, high = piece.cycles, piece.sampled, piece.high / piece.cycles
    power, rows = window_power(model, modules, Nets(cycles, piece.toggles, high), period)
    if not sampled:
        return power, rows, None
    before, after = (
        window_power(model, modules, Nets(sampled, toggles, high), period)[0]
        for toggles in (piece.sampled_toggles, piece.delayed_toggles)
    )
    return power, rows, (before.total, after.total)


def operations(dummies: Mapping[str, str], windows: Mapping[str, Window]) -> dict[str, Operation]:
    """Tell the cycles and nJ of each operation, those of its dummy call subtracted."""
    found = {}
    for name, of_dummy in dummies.items():
        own, dummy = windows[name], windows[of_dummy]
        found[name] = Operation(
            cycles=own.cycles - dummy.cycles,
            power_mw=own.power_mw.total,
            energy_nj=own.energy_nj - dummy.energy_nj,
            energy_with_glitches_nj=own.energy_with_glitches_nj - dummy.energy_with_glitches_nj,
            dummy_energy_nj=dummy.energy_nj,
            dummy_energy_with_glitches_nj=dummy.energy_with_glitches_nj,
            energy_error_nj=own.pieces.energy_with_glitches_error_nj if own.pieces else None,
        )
    return found
