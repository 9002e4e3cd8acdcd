"""Merge inputs/<step>.json into outputs/results.json: metrics, tools, and each step's own."""

import hashlib
import json
from importlib.metadata import version
from typing import Any

from flow.step import IN, LIBERTY, step, write_json
from flow.technologies.technology import beside


def merge(steps: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Make one result of all steps; two of them may not claim the same metric."""
    metrics: dict[str, Any] = {}
    tools = {"mflowgen": version("mflowgen")}
    for name, data in steps.items():
        if twice := metrics.keys() & data["metrics"].keys():
            raise ValueError(f"step {name}: metrics already given: {', '.join(sorted(twice))}")
        metrics |= data["metrics"]
        tools |= data.get("tools", {})
    details = {
        name: {key: value for key, value in data.items() if key not in ("metrics", "tools")}
        for name, data in steps.items()
    }
    return {"metrics": metrics, "tools": tools, "steps": details}


@step
def main(design_name: str, clock_period: float = 0.0) -> None:
    """Merge whatever the graph has connected to this step."""
    # mflowgen keeps a hidden stamp beside each input.
    files = sorted(p for p in IN.glob("*.json") if not p.name.startswith("."))
    result: dict[str, Any] = {"top": design_name}
    result |= merge({path.stem: json.loads(path.read_text()) for path in files})
    if LIBERTY.exists():  # an FPGA has no kit, and nobody asks it for a clock
        result["clock_period_ns"] = clock_period
        result["kit"] = {
            "name": beside(LIBERTY).called,
            "liberty_sha256": hashlib.sha256(LIBERTY.read_bytes()).hexdigest(),
        }
    write_json("results", result)
