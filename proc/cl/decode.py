"""From a word at pc to what the pipeline keeps of it."""

from collections.abc import Callable
from typing import Any

from proc import csr
from proc.cl import execute
from proc.cl.decoded import Decoded
from proc.fl.operations import bind
from proc.isa import F3_FENCE_I, Instruction, decode
from proc.retire import Cause, Trap
from proc.semantics import BRANCH, MASK, MEMORY

MISALIGNED = {"load": Cause.MISALIGNED_LOAD, "store": Cause.MISALIGNED_STORE}


def decoded(state: Any, pc: int, word: int) -> Decoded:
    """Return what a word does that was read at pc, on the state that proc/fl's operations have."""
    ins = decode(word)
    made = Decoded(pc, word, ins.name if ins else "illegal", execute.compute)
    made.use_registers()
    try:
        if ins is None:
            raise Trap(Cause.ILLEGAL, pc, word)
        made.operation = bind(state, pc, ins)
        _FORMS.get(ins.spec.kind, _plain)(made, ins)
    except Trap as trap:
        made.leave, made.trap = execute.trap, trap
    return made


def _plain(made: Decoded, ins: Instruction) -> None:
    """Leave it as it is."""


def _division(made: Decoded, ins: Instruction) -> None:
    made.leave, made.is_division = execute.divide, True


def _branch(made: Decoded, ins: Instruction) -> None:
    taken, first, second = BRANCH[ins.name], ins.rs1, ins.rs2
    made.leave = execute.branch
    made.detail = lambda regs: ins.imm == 4 and taken(regs[first], regs[second])


def _jump(made: Decoded, ins: Instruction) -> None:
    if ins.name == "jalr":
        made.leave = execute.jump
        return
    made.jumps_to = target = made.pc + ins.imm & MASK
    if target & 3:
        made.jumps_to = None
        raise Trap(Cause.MISALIGNED_TARGET, made.pc, made.word, target)


def _access(made: Decoded, ins: Instruction) -> None:
    base, offset, odd = ins.rs1, ins.imm, MEMORY[ins.name][0] - 1
    cause = MISALIGNED[ins.spec.kind]

    def detail(regs: list[int]) -> tuple[Cause | None, int]:
        address = regs[base] + offset & MASK
        return cause if address & odd else None, address

    made.leave, made.detail, made.is_memory = execute.access, detail, True
    made.late = ins.spec.kind == "load"


def _fence(made: Decoded, ins: Instruction) -> None:
    if made.word >> 12 & 7 == F3_FENCE_I:
        made.leave = execute.wait_for_M


def _csr(made: Decoded, ins: Instruction) -> None:
    number = ins.imm
    if csr.is_xcel(number):
        _, writes = csr.access(made.word >> 12 & 7, ins.rd, ins.rs1)
        made.leave, made.late, made.is_xcel = execute.ask_accelerator, True, True
        made.detail = execute.request_of(made, number, writes)
    elif number == csr.MNGR2PROC:
        made.leave = execute.get
    elif number == csr.PROC2MNGR:
        made.leave = execute.put
    made.sets_stats = number == csr.STATS_EN
    made.accesses = number in csr.INTERRUPTS


def _interrupt(made: Decoded, ins: Instruction) -> None:
    if ins.name == "mret":
        made.leave, made.returns = execute.wait_for_M, True
    else:
        made.operation, made.sleeps = made.go_on, True


_FORMS: dict[str, Callable[[Decoded, Instruction], None]] = {
    **{"div": _division, "branch": _branch, "jump": _jump, "load": _access, "store": _access},
    **{"fence": _fence, "csr": _csr, "interrupt": _interrupt},
}
