"""What the functional processor has beside its registers: counters that are large, a device."""

import pytest

from fl.axi_lite import OKAY
from proc import csr
from proc.asm.assembler import assemble
from proc.bus_map import WINDOW
from proc.fl.bus_processor import BusProcessorFL
from proc.fl.csr import CsrFile
from proc.fl.xcel_port import NullXcel
from proc.manager import Manager
from proc.retire import Stopped

pytestmark = pytest.mark.quick

LOW = (csr.MCYCLE, csr.MINSTRET, csr.CYCLE, csr.INSTRET)
HIGH = (csr.MCYCLEH, csr.MINSTRETH, csr.CYCLEH, csr.INSTRETH)


def test_both_halves_of_the_counters():
    csrs = CsrFile(Manager(), NullXcel(), core_id=0)
    retired = 0x5_8000_0007
    assert [csrs.read(number, retired) for number in LOW] == [0x80000007] * 4
    assert [csrs.read(number, retired) for number in HIGH] == [5] * 4
    assert [csrs.read(number, 1 << 32) for number in LOW] == [0] * 4
    assert [csrs.read(number, (1 << 32) - 1) for number in HIGH] == [0] * 4
    assert [csrs.read(number, (1 << 64) + 3) for number in HIGH] == [0] * 4  # they wrap


class Noting:
    """A device that notes what is written."""

    irq = False

    def __init__(self) -> None:
        self.written: list[tuple[int, int, int]] = []

    def read(self, address: int) -> tuple[int, int]:
        return 0x83_82_81_80 + (address << 24), OKAY

    def write(self, address: int, data: int, strobes: int) -> int:
        self.written.append((address, data, strobes))
        return OKAY


def test_a_program_that_sleeps_for_good_is_stopped():
    """With the interrupt off, or without a line that is ever set."""
    for text in ("wfi", "csrwi mstatus, 8\nli a0, 1 << 11\ncsrw mie, a0\nwfi"):
        processor = BusProcessorFL(assemble(text), device=Noting())
        with pytest.raises(Stopped, match="waits for an interrupt that never comes; pc 0x000002"):
            processor.run(limit=10)


# Of 0x89abcdef to the window's third word: what stands on the bus.
STORES = {
    "sw a0, 8(s0)": (8, 0x89ABCDEF, 0b1111),
    "sh a0, 8(s0)": (8, 0xCDEFCDEF, 0b0011),
    "sh a0, 10(s0)": (8, 0xCDEFCDEF, 0b1100),
    "sb a0, 8(s0)": (8, 0xEFEFEFEF, 0b0001),
    "sb a0, 9(s0)": (8, 0xEFEFEFEF, 0b0010),
    "sb a0, 10(s0)": (8, 0xEFEFEFEF, 0b0100),
    "sb a0, 11(s0)": (8, 0xEFEFEFEF, 0b1000),
}
LOADS = {
    "lw a1, 4(s0)": 0x87828180,
    "lh a1, 4(s0)": 0xFFFF8180,
    "lhu a1, 6(s0)": 0x8782,
    "lb a1, 5(s0)": 0xFFFFFF81,
    "lbu a1, 7(s0)": 0x87,
}


def after(access: str) -> tuple[Noting, int]:
    """The device and a1 after an access."""
    image = assemble(f"li s0, {WINDOW}\nli a0, 0x89abcdef\n{access}")
    device = Noting()
    processor = BusProcessorFL(image, device=device)
    while processor.pc < max(segment.address + len(segment.data) for segment in image.segments):
        processor.step()
    return device, processor.regs[11]


@pytest.mark.parametrize("access", STORES)
def test_what_a_device_is_written(access: str):
    device, _ = after(access)
    assert device.written == [STORES[access]]


@pytest.mark.parametrize("access", LOADS)
def test_what_is_read_of_a_device(access: str):
    assert after(access)[1] == LOADS[access]
