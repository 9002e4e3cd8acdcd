"""Which situations of the pipeline a run reaches, noted before each clock edge.

consumer and operand, "from X, M, W or file"    of an instruction that moves to X; and
operand, "from X, M or W", producer
"F waits", "D waits", "X waits", "M waits"      for what
"branch", "redirect", "squashed", "interrupt", "error", and what the other stages do
"""

from collections.abc import Callable, Iterator

from pymtl3 import Component

from proc import csr
from proc.isa import Instruction, decode

Bin = tuple[str, ...]
STAGES = ("file", "X", "M", "W")  # by the number of a source


def kind_of(word: int) -> str:
    """What an instruction is to those that wait for it, or for which it waits."""
    found: Instruction | None = decode(word)
    if found is None:
        return "illegal"
    kind = found.spec.kind
    if kind == "csr":  # an accelerator's register, or another
        return "xcel" if csr.is_xcel(found.imm) else "csr"
    if found.name in ("lui", "auipc"):
        return "upper"
    return found.name if kind in ("jump", "fence", "trap", "interrupt") else kind


class PipelineBins:
    """Notes the situations of an InterruptibleRTL under a component."""

    def __init__(self, top: Component, edge: Callable[[], None]) -> None:
        self.top, self.processor, self._edge = top, top.processor, edge
        # In the processor without them there are no interrupts.
        self.unit = getattr(self.processor, "interrupts", None)
        self.found: set[Bin] = set()

    def edge(self) -> None:
        """Note the cycle's situations, then pass the clock's edge."""
        if not self.top.reset:
            self.found.update(self._cycle())
        self._edge()

    def _cycle(self) -> Iterator[Bin]:
        control, tracer, unit = self.processor.control, self.processor.tracer, self.unit
        words = [int(stage.word) for stage in (tracer.in_X, tracer.in_M, tracer.in_W)]
        hidden = (unit.enters_X, unit.hidden_M, unit.hidden_W) if unit else (0, 0, 0)
        self.in_X, self.in_M, self.in_W = (
            "interrupt" if hides else kind_of(word)
            for word, hides in zip(words, hidden, strict=True)
        )
        yield from self._fetch()
        if control.val_D:
            yield from self._issue()
        if control.val_X:
            yield from self._execute()
        if control.val_M and not control.go_M:
            yield "M waits", self.in_M

    def _fetch(self) -> Iterator[Bin]:
        fetch, control = self.processor.fetch, self.processor.control
        if fetch.arrived and not fetch.rdy:
            yield "F waits", "for D"
        if fetch.waiting and not fetch.arrived:
            yield "F waits", "for memory"
        if fetch.imem.req.val and not fetch.imem.req.rdy:
            yield "F waits", "to ask"
        if control.redirect:
            by = f"{self.in_X} in X" if control.redirect_X else "jal in D"
            where = "asks" if not fetch.waiting else "arrived" if fetch.arrived else "asked"
            yield "redirect", by, "drops" if fetch.drop else where
            if control.redirect_X:
                yield "redirect", by, "D full" if control.val_D else "D empty"

    def _issue(self) -> Iterator[Bin]:
        control, issue = self.processor.control, self.processor.control.issue
        inner = issue.issue if self.unit else issue
        kind, moves = kind_of(int(control.word_D)), bool(control.go_D)
        # What is squashed, or replaced by an interrupt, waits for nothing.
        if control.redirect_X:
            yield "squashed", kind
            if self.unit and issue.pending:
                yield "interrupt", "behind a jump"
            return
        if self.unit and issue.interrupts:
            yield ("interrupt", "takes the place of", kind) if moves else ("interrupt", "waits")
            return
        if moves and inner.reuse:
            yield "division", "answer used again"
        for operand, read, source in (
            ("rs1", control.control_D.reads_rs1, control.from_1),
            ("rs2", control.control_D.reads_rs2, control.from_2),
        ):
            if read:
                stage = STAGES[int(source)]
                made = {"file": "", "X": self.in_X, "M": self.in_M, "W": self.in_W}[stage]
                if moves:
                    yield f"{kind} {operand}", f"from {stage}"
                    yield operand, f"from {stage}", made
                else:
                    yield "D waits", f"{operand} from {stage}"
        if moves:
            return
        if inner.in_X and issue.late_X:
            yield "D waits", f"for {self.in_X} in X"
        if inner.in_M and not issue.go_M:
            yield "D waits", f"for {self.in_M} in M"
        if self.unit and issue.access_X:
            yield "D waits", "behind an interrupt register"
        if self.unit and issue.waits and not issue.wakes:
            yield "D waits", "wfi"
        if not control.ready_X:
            yield "D waits", "for room in X"
            if kind == "jal":
                yield "jal", "waits"

    def _execute(self) -> Iterator[Bin]:
        control = self.processor.control
        word, room = control.control_X, "M free" if control.ready_M else "M full"
        if control.error_X:
            ahead = ("M" if control.val_M else "") + ("W" if control.val_W else "")
            yield "error", f"behind {ahead or 'nothing'}"
            return
        for why, waits in (
            ("for memory", control.mem_X & ~control.dmem_req_rdy),
            ("for the accelerator", word.xcel & ~control.xcel_req_rdy),
            ("for the divider", control.div_val & ~control.div_done),
            ("for M to be empty", word.fence_i & control.val_M),
            ("for a message", word.mngr_get & ~control.mngr_get_val),
            ("to tell a message", word.mngr_put & ~control.mngr_put_rdy),
        ):
            if waits:
                yield "X waits", why
        if not control.ready_M:
            yield "X waits", "for room in M", self.in_X
        if self.in_X == "branch":
            yield "branch", "taken" if control.taken_X else "not taken", room
