"""The peripheral's Verilog under a bus master that nobody here wrote: cocotbext-axi's."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import cocotb_tools.config
import find_libpython
import pytest

from eval.catalog import DESIGNS
from sim.build_cache import kept
from sim.paths import build_dir
from sim.toolchain import compiler, run_tool, verilator
from sim.translate import Translation, translate
from sim.verilate import runtime
from tests.masters.peripheral import NBITS
from tests.places import ROOT

TOP = "Peripheral"
TIME_LIMIT = 900  # seconds, after which a simulation hangs
FOR_MASTERS = ("verilated_vpi.cpp", "verilated_dpi.cpp")  # besides what all libraries have
DEFINES = ("VM_TRACE=0", "VM_COVERAGE=0", "VM_SC=0")


def simulator(design: Translation) -> Path:
    """The design as a program that cocotb drives, built once."""
    libraries = cocotb_tools.config.libs_dir
    main = cocotb_tools.config.share_dir / "lib" / "verilator" / "verilator.cpp"

    def build(work: Path) -> Path:
        tool = verilator()
        (work / "top.v").write_text(design.text)
        flags = ["--cc", "--vpi", "--public-flat-rw", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
        names = ["--top-module", TOP, "--prefix", "Vtop", "--Mdir", "obj"]
        times = ["--timescale", "1ns/1ps"]
        run_tool([tool.path, *flags, *names, *times, "top.v"], work, tool.env)
        generated = sorted((work / "obj").glob("*.cpp"))
        (work / "all.cpp").write_text("".join(f'#include "{path}"\n' for path in generated))
        include = tool.root / "include"
        run_tool(
            [
                *(compiler().path, "-std=c++17", "-O0", "-w", "-pthread"),
                *(f"-D{name}" for name in DEFINES),
                *(f"-I{path}" for path in (work / "obj", include, include / "vltstd")),
                *(
                    "all.cpp",
                    main,
                    *(include / name for name in FOR_MASTERS),
                    *runtime(trace=False),
                ),
                *(f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lcocotbvpi_verilator"),
                *("-o", "model"),
            ],
            work,
        )
        return work / "model"

    tools = f"{verilator().version} {version('cocotb')}"
    name = f"{TOP}-{design.digest}-{tools}".replace(" ", "_")
    return kept(build_dir("cocotb") / name, build)


def run(folder: Path, design: Translation, transactions: int, lengths: int) -> None:
    """Run the tests of tests/masters/peripheral.py; AssertionError if one fails."""
    python = [find_libpython.find_libpython(), cocotb_tools.config.pygpi_entry_point()]
    environment = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
        "PYGPI_PYTHON_BIN": sys.executable,
        "GPI_USERS": ";".join(map(str, python)),
        "COCOTB_TOPLEVEL": TOP,
        "COCOTB_TEST_MODULES": "tests.masters.peripheral",
        "COCOTB_RESULTS_FILE": str(folder / "results.xml"),
        "COCOTB_TRUST_INERTIAL_WRITES": "1",
        "TOPLEVEL_LANG": "verilog",
        "TRANSACTIONS": str(transactions),
        "LENGTHS": str(lengths),
    }
    done = subprocess.run(
        [simulator(design)],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "PASS=3 FAIL=0" in done.stdout, done.stdout[-4000:]


def peripheral() -> Translation:
    return translate(DESIGNS["mont-best"].peripheral("rtl", NBITS), TOP)


def test_masters(tmp_path):
    run(tmp_path, peripheral(), 200, 1)


@pytest.mark.long
def test_masters_for_long(tmp_path):
    run(tmp_path, peripheral(), 4000, 3)
