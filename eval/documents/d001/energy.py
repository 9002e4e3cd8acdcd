"""Power and energy of calls on the processor beside document 001's table 3."""

from eval.table import Table, numbers, ratio, words
from eval.tasks.columns import WORKLOAD
from eval.tasks.flow_run.energy import METHOD, system_energies, to_power
from eval.tasks.flow_run.grids import Rows

OURS, DUMMY = "energy_with_glitches_nj", "dummy_energy_with_glitches_nj"


def _method(rows: Rows) -> str:
    shares = sorted(energy.clock_share for energy in system_energies(rows))
    return (
        METHOD.format(dummy="the same call returning a constant")
        + " Power: the mean over the whole call. The divider always takes 32 steps. The ratio is "
        f"that of the energies with glitches. Of the power without glitches the clock takes "
        f"{shares[0]:.0%} to {shares[-1]:.0%}: every register is clocked in every cycle; the "
        "document does not say whether its synthesis gates clocks."
    )


CALLS = Table(
    "Power and energy of a call on the processor, beside document 001's table 3",
    words({"system": "title"})
    + WORKLOAD
    + numbers(0, {"area\num2": "area_um2", "cycles": "cycles"})
    + numbers(2, {"power\nmW": "power_mw", "energy\nnJ": "energy_nj"})
    + numbers(2, {"with\nglitches\nnJ": OURS})
    + numbers(2, {"001:\nmW": "printed.power_mw", "001:\nnJ": "printed.energy_nj"})
    + numbers(2, {"ours /\n001": ratio(OURS, "printed.energy_nj")}),
    _method,
    rows=system_energies,
    commands=to_power,
)
# As it stands: energies of whole calls, and of the dummy call.
TABLE_3 = Table(
    "Table 3 of document 001: energies of whole calls and of the dummy call, nJ",
    words({"system": "title"})
    + WORKLOAD
    + numbers(2, {"001:\nenergy": lambda e: e.printed.energy_nj + e.printed.dummy_nj})
    + numbers(2, {"ours": lambda e: e.energy_with_glitches_nj + e.dummy_energy_with_glitches_nj})
    + numbers(2, {"001:\ndummy": "printed.dummy_nj", "ours": DUMMY})
    + numbers(2, {"001:\nnormalised": "printed.energy_nj", "ours": OURS}),
    "With glitches. The dummy call returns a constant, on the same system. Normalised: the "
    "difference.",
    rows=lambda rows: [energy for energy in system_energies(rows) if energy.system],
    commands=to_power,
)
