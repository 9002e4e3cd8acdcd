"""The FL processor with the project's accelerators: the register map, and components."""

import pytest

from eval.catalog import find
from fl.component.xcel import XcelFL
from fl.xcel import STATUS_KEPT, Registers
from proc.asm.assembler import assemble
from proc.fl.processor import ProcessorFL
from proc.fl.xcel_port import NullXcel
from proc.programs.build import APP, build, build_benchmark
from proc.programs.elf import load_elf
from proc.run.skipping_system import XcelAtOnce
from proc.run.xcel_models import ComponentXcel
from sim.errors import RunError
from tests.golden.xcel import NullXcelFL, Plain
from tests.proc.test_app import TESTS

BASE, EXPONENT, MODULUS = 0x0123456789ABCDEF, 0x100000003, 0xFFFFFFFFFFFFFFC5
MODELS = {
    "registers": lambda nbits: XcelAtOnce(Registers(Plain(nbits))),
    "component": lambda nbits: ComponentXcel(XcelFL(Plain(nbits))),
    "keeping": lambda nbits: XcelAtOnce(Registers(find("array-4-kept").at(nbits))),
}


@pytest.mark.parametrize("model", MODELS)
def test_benchmark(model: str):
    processor = ProcessorFL(load_elf(build_benchmark("xcel")), xcel=MODELS[model](32))
    assert processor.run(limit=10_000) == 0


@pytest.mark.parametrize("model", MODELS)
def test_driver_of_two_words(model: str):
    defines = {"WORDS": 2, "KEPT": STATUS_KEPT * (model == "keeping")}
    for name, operands in (("RESULT", (BASE, EXPONENT)), ("AGAIN", (EXPONENT, BASE))):
        result = pow(*operands, MODULUS)
        defines |= {f"{name}_0": result & 0xFFFFFFFF, f"{name}_1": result >> 32}
    elf = build([TESTS / "test_xcel.c", APP / "xcel.c"], defines)
    processor = ProcessorFL(load_elf(elf), xcel=MODELS[model](64))
    processor.run(limit=10_000)
    assert processor.manager.reason == "exit code 0"


NULL_XCELS = {"plain": NullXcel, "component": lambda: ComponentXcel(NullXcelFL())}


@pytest.mark.quick
@pytest.mark.parametrize("xcel", NULL_XCELS)
def test_null_accelerator(xcel: str):
    text = "csrwi xr0, 5\ncsrwi xr1, 6\ncsrr a0, xr0\ncsrr a1, xr1\nli a2, 0x20000\ncsrw 0x7c0, a2"
    processor = ProcessorFL(assemble(text), xcel=NULL_XCELS[xcel]())
    processor.run(limit=10)
    assert processor.regs[10:12] == [5, 0]


class BusyXcel(XcelFL):
    """Is busy with a computation for longer than anybody waits."""

    def busy_cycles(s, data: int) -> int:
        return 10**9


@pytest.mark.quick
def test_an_accelerator_that_is_busy_for_ever():
    busy = ComponentXcel(BusyXcel(Plain(32)), 50)
    processor = ProcessorFL(assemble("csrwi xr0, 1\ncsrr a0, xr4"), xcel=busy)
    with pytest.raises(RunError, match="BusyXcel: reading xr4: no answer in 50 cycles"):
        processor.run(limit=10)
