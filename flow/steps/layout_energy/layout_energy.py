"""Say what operations take with the layout's wires, and took before: outputs/layout_energy.json."""

from flow.results.energy import Energy, Simulation
from flow.results.layout import LayoutEnergy
from flow.step import leave, step, taken


@step
def main() -> None:
    """Put together what simulation and power have found of the layout's netlist."""
    power, compared = taken("power", Energy), taken("simulation", Simulation).outputs_compared
    found = LayoutEnergy(power.operations, compared, taken("before", Energy).operations)
    metrics = {f"layout_{name}": value for name, value in power.metrics().items()}
    leave("layout_energy", found, metrics)
