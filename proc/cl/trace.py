"""The line trace of the cycle-level processor: proc/rtl/trace.py's columns."""

from collections.abc import Callable

from proc.asm.disassembler import disassemble
from proc.cl import execute
from proc.cl.decoded import Decoded
from proc.cl.processor import Moves, ProcessorCL
from proc.isa import decode
from proc.retire import Trap
from proc.rtl.trace import DECODE_WIDTH, FETCH_WIDTH, NAME_WIDTH


class LineTrace:
    """Shows a line of each cycle of a processor, and of what stands beside it."""

    def __init__(
        self, processor: ProcessorCL, beside: Callable[[], str], show: Callable[[str], None]
    ) -> None:
        self.processor = processor
        self._beside, self._show = beside, show
        self._look_at_F()

    def show(self, moves: Moves) -> None:
        """Show the cycle in which that moves."""
        self._show(f"{self.processor.cycle:6}: {self.line(moves)} {self._beside()}")
        self._look_at_F()

    def _look_at_F(self) -> None:
        """Remember what F will have in the next cycle."""
        fetch = self.processor.fetch
        self._pc, self._waiting = fetch.pc, fetch.due is not None

    def line(self, moves: Moves) -> str:
        """Show F's pc|D's instruction|those of X|M|W; # waits, ~ is squashed, ! is none."""
        processor = self.processor
        d, x = processor.D, processor.X
        fetched, issued = f"{self._pc:08x}", ""
        if moves.redirect and self._waiting:
            fetched = "~"
        elif moves.F is None:
            fetched = "#"
        if d is not None:
            issued = disassemble(d.word, d.pc)
            if processor.target is not None:
                issued = "~"
            elif moves.D is None:
                issued = "#"
        fails = x is not None and moves.X is None and _fails(processor, x)
        stages = (
            (fetched, FETCH_WIDTH),
            (issued, DECODE_WIDTH),
            ("!" if fails else _name(x, moves.X is not None), NAME_WIDTH),
            (_name(processor.M, moves.M is not None), NAME_WIDTH),
            (_name(processor.W, True), NAME_WIDTH),
        )
        return "|".join(f"{text:{width}.{width}}" for text, width in stages)


def _name(stage: Decoded | None, moves: bool) -> str:
    if stage is None:
        return ""
    return stage.name if moves else "#"


def _fails(processor: ProcessorCL, x: Decoded) -> bool:
    """Tell whether the instruction, which stays in X, can never be executed."""
    if x.trap is not None:
        return True
    if x.is_memory:
        return x.detail(processor.regs)[0] is not None
    if x.leave is execute.jump:
        return bool(processor.regs[x.first] + decode(x.word).imm & 2)
    if x.leave is execute.branch:
        try:
            x.operation()
        except Trap:
            return True
    return False
