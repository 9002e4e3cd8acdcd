"""Say what operations take with the layout's wires, and took before: outputs/layout_energy.json."""

import json
from pathlib import Path


def main() -> None:
    """Put together what the simulation and power of the layout's netlist have found."""
    simulation, power, before = (
        json.loads(Path(f"inputs/{name}.json").read_text())
        for name in ("simulation", "power", "before")
    )
    data = {
        "metrics": {f"layout_{name}": value for name, value in power["metrics"].items()},
        "operations": power["operations"],
        "outputs_compared": simulation["outputs_compared"],
        "before": before["operations"],
    }
    Path("outputs/layout_energy.json").write_text(json.dumps(data, indent=2) + "\n")


if __name__ == "__main__":
    main()
