"""The scripts of the flow's steps as modules."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import flow
from tests.flow.toys import LIBERTY

STEPS = Path(flow.__file__).parent / "steps"
# The scripts of a step import each other by name, as in their own folder.
sys.path.append(str(STEPS / "synthesis"))


def step_module(step: str, name: str) -> ModuleType:
    """A script of a step, which is no package."""
    spec = importlib.util.spec_from_file_location(f"flow_step_{name}", STEPS / step / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def mapping_job(verilog: Path, recipe: str, out: Path, **more: object) -> dict[str, object]:
    """What the step is asked for, to map a design by a recipe, at 3 ns."""
    paths = {"verilog": verilog, "out": out, "liberty": LIBERTY, "cells": LIBERTY}
    job = {name: str(path) for name, path in paths.items()}
    return job | {"recipe": recipe, "period": 3.0, "seconds": 60.0} | more


def map_design(
    verilog: Path, recipe: str, out: Path, scripts: Path = STEPS / "synthesis", **more: object
) -> str:
    """Map a design by a recipe, at 3 ns, and return what yosys said."""
    job = mapping_job(verilog, recipe, out, **more)
    done = subprocess.run(
        [sys.executable, scripts / "candidate.py"],
        input=json.dumps(job),
        check=True,
        capture_output=True,
        text=True,
    )
    said = out.with_suffix(".log").read_text()
    assert json.loads(done.stdout)["code"] == 0, said
    return said
