"""What a step depends on, as one hash: it runs again only if that has changed."""

import hashlib
import shutil
import subprocess
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from flow import opensta
from sim.closure import hash_data
from sim.stages import stages

FLOW = Path(__file__).parent
TOOLS = ("pyosys", "coloquinte", "coriolis-eda", "klayout")
DECIDES = ("name", "parameters", "commands", "preconditions", "postconditions", "edges_i")


def hash_files(folder: Path, files: Iterable[Path]) -> str:
    """Hash the names of files within the folder, and their contents."""
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def step_hash(step: Path) -> str:
    """Hash the code of the stage that a step's folder belongs to; the files of a kit."""
    source = step.resolve()
    if not source.is_relative_to(FLOW.resolve()):
        return hash_files(step, step.rglob("*"))  # the kit
    return stages().digest([stages().owner(source)])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def tool_versions() -> dict[str, str]:
    """Find the versions of the tools that decide a result."""
    versions = {name: _version(name) for name in TOOLS}
    try:
        versions["opensta"] = opensta.version() if shutil.which("sta") else "not installed"
    except (OSError, subprocess.SubprocessError) as error:
        versions["opensta"] = f"does not run: {error}"
    return versions


def step_digest(config: dict[str, Any], upstream: dict[str, str], tools: dict[str, str]) -> str:
    """Hash what a step depends on: its parameters, commands, folder, tools, and what earlier steps
    have left for it.

    `config` is the configure.yml that mflowgen wrote for the build; `upstream` has a hash for each
    of these steps, by their build folders.
    """
    source = Path(config["source"])
    before = {edge["step"] for edges in config["edges_i"].values() for edge in edges}
    return hash_data(
        {
            "config": {key: config.get(key) for key in DECIDES},
            "code": step_hash(source),
            "tools": tools,
            "before": {name: upstream[name] for name in before},
        }
    )
