"""Power and energy of calls on the processor beside document 001's table 3."""

from typing import Any

from eval.documents.tables import table
from eval.tasks.flow_run.energy import METHOD, SystemEnergy, system_energies, to_power
from eval.tasks.flow_run.grids import Rows


def _method(rows: Rows) -> dict[str, Any]:
    shares = sorted(energy.clock_share for energy in system_energies(rows))
    method = METHOD.format(dummy="the same call returning a constant")
    return {"method": method, "least": shares[0], "most": shares[-1]}


CALLS = table("001", "ENERGIES", _method, rows=system_energies, commands=to_power)


def _whole(energy: SystemEnergy) -> float:
    return energy.energy_with_glitches_nj + energy.dummy_energy_with_glitches_nj


TABLE_3 = table(
    "001",
    "TABLE_3",
    got={
        "printed_whole": lambda energy: energy.printed.energy_nj + energy.printed.dummy_nj,
        "our_whole": _whole,
    },
    rows=lambda rows: [energy for energy in system_energies(rows) if energy.system],
    commands=to_power,
)
