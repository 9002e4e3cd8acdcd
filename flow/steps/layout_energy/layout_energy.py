"""Say what operations take with the layout's wires, and took before: outputs/layout_energy.json."""

from flow.step import leave, run, taken


def main() -> None:
    """Put together what simulation and power have found of the layout's netlist."""
    power = taken("power")
    data = {
        "metrics": {f"layout_{name}": value for name, value in power["metrics"].items()},
        "operations": power["operations"],
        "outputs_compared": taken("simulation")["outputs_compared"],
        "before": taken("before")["operations"],
    }
    leave("layout_energy", data)


if __name__ == "__main__":
    run(main)
