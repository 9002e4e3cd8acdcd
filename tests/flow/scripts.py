"""The scripts of the flow's steps as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import flow

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
