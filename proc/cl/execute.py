"""Stage X: what each kind of instruction waits for, and what it does when it moves to M.

Each function is the `leave` of such instructions. Stage M takes an instruction in this cycle when
it is called. It returns whether the instruction moves on.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from fl.xcel import READ, WRITE
from proc.cl.decoded import Decoded
from proc.cl.ports import NEVER
from proc.retire import Trap
from proc.run.system_run import CYCLES_TO_RETIRE, starved

if TYPE_CHECKING:
    from proc.cl.processor import ProcessorCL


def compute(processor: "ProcessorCL", x: Decoded) -> bool:
    """Do all that there is to do, at once."""
    x.operation()
    return True


def divide(processor: "ProcessorCL", x: Decoded) -> bool:
    """Wait for the divider."""
    divider = processor.divider
    if processor.cycle < divider.done:
        return False
    divider.leave()
    x.operation()
    return True


def branch(processor: "ProcessorCL", x: Decoded) -> bool:
    """Go on at the target, also where that is the next instruction; detail: taken(regs)."""
    try:
        target = x.operation()
    except Trap as trap:
        return processor.refuse(trap)
    if target != x.go_on() or x.detail(processor.regs):
        processor.target = target
    return True


def jump(processor: "ProcessorCL", x: Decoded) -> bool:
    """Go on where jalr says."""
    try:
        processor.target = x.operation()
    except Trap as trap:
        return processor.refuse(trap)
    return True


def wait_for_M(processor: "ProcessorCL", x: Decoded) -> bool:
    """Go on behind it, or elsewhere if D has said so, once all that is ahead has left M."""
    if processor.M is not None:
        return False
    processor.target = x.go_on() if processor.resumes is None else processor.resumes
    processor.resumes = None
    return True


def access(processor: "ProcessorCL", x: Decoded) -> bool:
    """Perform a load or store that the memory takes; the answer comes in M."""
    port = processor.dmem
    misaligned, address = x.detail(processor.regs)
    if misaligned:
        return processor.refuse(Trap(misaligned, x.pc, x.word, address))
    if not port.ready:
        return False
    processor.due = processor.cycle + port.latency
    if processor.closed:
        processor.due = NEVER
    elif not processor.access_elsewhere(x, address):
        if x.late:
            processor.access_memory(x)
        else:
            processor.stores = x
    return True


def ask_accelerator(processor: "ProcessorCL", x: Decoded) -> bool:
    """Send a request to the accelerator; detail: its type, its register, and data(regs)."""
    if not processor.xcel.ready:
        return False
    type_, register, data = x.detail
    processor.xcel.send(type_, register, data(processor.regs))
    processor.due = NEVER
    return True


def get(processor: "ProcessorCL", x: Decoded) -> bool:
    """Take a word of the manager."""
    if not processor.manager.inputs:
        if not processor.closed:
            processor.end(0, starved())
        return False
    if processor.get.ready and not processor.closed:
        x.operation()
    return processor.get.ready


def put(processor: "ProcessorCL", x: Decoded) -> bool:
    """Give the manager a word."""
    if not processor.put.ready or processor.closed:
        return False
    x.operation()
    if processor.manager.done:
        processor.end(CYCLES_TO_RETIRE)
    return True


def trap(processor: "ProcessorCL", x: Decoded) -> bool:
    """Never go on."""
    return processor.refuse(x.trap)


def request_of(
    x: Decoded, number: int, writes: bool
) -> tuple[int, int, Callable[[list[int]], int]]:
    """Return the type and the register of an accelerator's CSR, and what makes the data."""
    source, immediate = x.word >> 15 & 31, x.word >> 14 & 1
    if immediate:
        return (WRITE if writes else READ), number & 31, lambda regs: source
    return (WRITE if writes else READ), number & 31, lambda regs: regs[source]
