"""Compute power and energy of the windows of a recording, and of the operations among them."""

import numpy as np

from flow.gates.power import COMPONENTS, Nets, PowerModel
from flow.netlist import Netlist
from flow.recording import Recording

MW = 1e-3  # of a fJ in a ns
NJ = 1e-6  # of a fJ
ARRAYS = ("toggles", "high", "sampled_toggles", "delayed_toggles")
TWICE = 2  # the standard error: one energy in twenty is further off
PORTS = "(inputs of the design)"  # nets that nothing inside drives


class Modules:
    """The module that each cell of the netlist belongs to."""

    def __init__(self, netlist: Netlist, owners: dict[str, list[str]]) -> None:
        top = ("", netlist.top)
        names = [owners.get(cell.name, top)[1] for cell in netlist.instances]
        self.names, self.numbers = np.unique(np.array(names, object), return_inverse=True)

    def sums(self, cells: np.ndarray) -> np.ndarray:
        """Sum up what the cells of each module have."""
        return np.bincount(self.numbers, cells, len(self.names))


def rounded(values: dict[str, float]) -> dict[str, float]:
    """Make plain figures of these, with their sum as `total`."""
    found = {name: float(value) for name, value in values.items()}
    return found | {"total": sum(found.values())}


def window_power(
    model: PowerModel, modules: Modules, nets: Nets, period: float
) -> tuple[dict[str, float], list[dict]]:
    """Compute the mW of the whole by component, and rows for its modules, the largest first."""
    found = model.energies(nets)
    scale = MW / (nets.cycles * period)
    ports = float(found.pop("ports")) * scale
    whole = {name: found[name].sum() * scale for name in COMPONENTS}
    whole["switching"] += ports
    by_module = {name: modules.sums(found[name]) * scale for name in COMPONENTS}
    rows = [
        {"module": name} | rounded({part: by_module[part][i] for part in COMPONENTS})
        for i, name in enumerate(modules.names)
    ]
    if ports:
        parts = dict.fromkeys(COMPONENTS, 0.0) | {"switching": ports}
        rows.append({"module": PORTS} | rounded(parts))
    return rounded(whole), sorted(rows, key=lambda row: -row["total"])


def window(
    model: PowerModel, modules: Modules, pieces: list[dict], cycles: int, period: float
) -> dict:
    """Compute the power and energy of a window of so many cycles from what its pieces did; with
    more than one, `pieces` has the error of the energies, twice the standard error of a mean."""
    power, rows, with_glitches = piece_power(model, modules, summed(pieces), period)
    energy_of_power = cycles * period / MW * NJ
    found = {"cycles": cycles, "power_mw": power, "modules": rows}
    found["energy_nj"] = power["total"] * energy_of_power
    found["energy_with_glitches_nj"] = found["energy_nj"]
    if with_glitches:
        before, after = with_glitches
        found["sampled"] = {
            "cycles": sum(piece["sampled"] for piece in pieces),
            "power_mw": before,
            "power_with_glitches_mw": after,
        }
        found["energy_with_glitches_nj"] += (after - before) * energy_of_power
    if len(pieces) > 1:
        each = []
        for piece in pieces:
            plain, _, (before, after) = piece_power(model, modules, piece, period)
            each.append((plain["total"], plain["total"] + after - before))
        errors = TWICE * np.std(each, axis=0, ddof=1) / len(each) ** 0.5 * energy_of_power
        found["pieces"] = {
            "count": len(pieces),
            "cycles": sum(piece["cycles"] for piece in pieces),
            "energy_error_nj": float(errors[0]),
            "energy_with_glitches_error_nj": float(errors[1]),
        }
    return found


def summed(pieces: list[dict]) -> dict:
    """Add up what pieces did."""
    return {what: sum(piece[what] for piece in pieces) for what in pieces[0]}


def piece_power(
    model: PowerModel, modules: Modules, piece: dict, period: float
) -> tuple[dict[str, float], list[dict], tuple[float, float] | None]:
    """Compute the power of a piece and by module, and that of its sampled cycles without and with
    delays, if it has any."""
    cycles, sampled = piece["cycles"], piece["sampled"]
    high = piece["high"] / cycles
    power, rows = window_power(model, modules, Nets(cycles, piece["toggles"], high), period)
    if not sampled:
        return power, rows, None
    before, after = (
        window_power(model, modules, Nets(sampled, piece[f"{what}_toggles"], high), period)[0]
        for what in ("sampled", "delayed")
    )
    return power, rows, (before["total"], after["total"])


def operations(recording: Recording, windows: dict[str, dict]) -> dict[str, dict]:
    """Tell the cycles and nJ of each operation, those of the dummy call subtracted."""
    found = {}
    for name, dummy in recording.operations.items():
        found[name] = {
            "cycles": windows[name]["cycles"] - windows[dummy]["cycles"],
            "power_mw": windows[name]["power_mw"]["total"],
        }
        for key in ("energy_nj", "energy_with_glitches_nj"):
            found[name][key] = windows[name][key] - windows[dummy][key]
            found[name][f"dummy_{key}"] = windows[dummy][key]
        if "pieces" in windows[name]:
            error = windows[name]["pieces"]["energy_with_glitches_error_nj"]
            found[name]["energy_error_nj"] = error
    return found
