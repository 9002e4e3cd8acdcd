"""The scripts of the flow's steps as modules, and the script that maps a design."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import flow
from flow.child import command
from flow.synthesis import candidate
from tests.flow.toys import LIBERTY

STEPS = Path(flow.__file__).parent / "steps"


def step_module(step: str) -> ModuleType:
    """The script of a step, which is no package."""
    spec = importlib.util.spec_from_file_location(f"flow_step_{step}", STEPS / step / f"{step}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def mapping_job(verilog: Path, recipe: str, out: Path, **more: object) -> dict[str, object]:
    """What the step is asked for, to map a design by a recipe, at 3 ns."""
    paths = {
        "verilog": verilog,
        "out": out,
        "liberty": LIBERTY,
        "cells": LIBERTY,
        "latest": LIBERTY,
    }
    job = {name: str(path) for name, path in paths.items()}
    return job | {"recipe": recipe, "period": 3.0, "seconds": 60.0} | more


def map_design(
    verilog: Path, recipe: str, out: Path, packages: Path | None = None, **more: object
) -> str:
    """Map a design by a recipe, at 3 ns, and return what yosys said; by a flow in a folder of
    packages, if one is given."""
    job = mapping_job(verilog, recipe, out, **more)
    script = Path(candidate.__file__)
    if packages:
        script = packages / script.relative_to(STEPS.parents[1])
    done = subprocess.run(
        command(script),
        input=json.dumps(job),
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | ({"PYTHONPATH": str(packages)} if packages else {}),
    )
    said = out.with_suffix(".log").read_text()
    assert json.loads(done.stdout)["code"] == 0, said
    return said
