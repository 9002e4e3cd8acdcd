"""Route the placed design: outputs/routes.json, outputs/route.json."""

import time
from importlib.metadata import version
from pathlib import Path

from flow.layout.design import Design
from flow.layout.repair import repair
from flow.layout.router import run_katana
from flow.layout.routes import load_routes, save_routes
from flow.results.layout import Routing
from flow.step import IN, OUT, leave, step

PLACED = IN / "placed.json"
RAW = Path("katana.json")


@step
def main() -> None:
    """Route the design, and repair what is too close."""
    seconds = {"katana": run_katana(PLACED, RAW)}
    design = Design.load(PLACED)
    stack = design.stack
    nets, complete = load_routes(RAW, design, stack)
    start = time.monotonic()
    counts = repair(stack, design, nets, lambda text: print(text, flush=True))
    seconds["repair"] = round(time.monotonic() - start, 1)
    save_routes(nets, OUT / "routes.json")
    found = Routing(len(nets), complete, *counts, seconds)
    leave("route", found, tools={"coriolis-eda": version("coriolis-eda")})
