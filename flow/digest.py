"""What a step depends on, as one hash: it runs again if and only if that has changed."""

import ast
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from flow import opensta

FLOW = Path(__file__).parent
TOOLS = ("mflowgen", "pyosys", "coloquinte", "coriolis-eda", "klayout")
DECIDES = ("name", "parameters", "commands", "preconditions", "postconditions", "edges_i")


def hash_files(folder: Path, files: Iterable[Path]) -> str:
    """Hash the names of files within the folder, and their contents."""
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def hash_data(data: object) -> str:
    """Hash anything that JSON can hold."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def flow_hash() -> str:
    """Hash this package: the graph, the steps and their scripts, but not what only people read."""
    return hash_files(FLOW, (path for path in FLOW.rglob("*") if path.suffix != ".md"))


def imports(script: Path) -> set[Path]:
    """Find the modules of this package that a script imports itself."""
    names = set()
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    modules = (FLOW.parent / f"{name.replace('.', '/')}.py" for name in names)
    return {module for module in modules if module.is_relative_to(FLOW) and module.is_file()}


@cache
def used_files(step: Path) -> set[Path]:
    """Find what the scripts in a step's folder use of this package: the modules that they import,
    what those import, and what lies beside a module under its name, such as opensta.tcl."""
    waiting, modules = list(step.glob("*.py")), set()
    while waiting:
        new = imports(waiting.pop()) - modules
        modules |= new
        waiting += new
    return {file for module in modules for file in module.parent.glob(f"{module.stem}.*")}


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


def step_digest(config: dict, upstream: dict[str, str], tools: dict[str, str]) -> str:
    """Hash what a step depends on: its parameters, commands, folder, tools and the steps before it.

    `config` is the configure.yml that mflowgen wrote for the build; `upstream` has the hashes of
    earlier steps by their build folders.
    """
    source = Path(config["source"])
    before = {edge["step"] for edges in config["edges_i"].values() for edge in edges}
    return hash_data(
        {
            "config": {key: config.get(key) for key in DECIDES},
            "folder": hash_files(source, source.rglob("*")),
            "used": hash_files(FLOW, used_files(source)),
            "tools": tools,
            "before": {name: upstream[name] for name in before},
        }
    )
