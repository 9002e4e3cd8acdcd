"""The processor with interrupts: how these are joined with what it is without them."""

from pymtl3 import Component, InPort, OutPort, Wire, connect, update, update_ff
from pymtl3.dsl import Signal

from proc.rtl.control import Control
from proc.rtl.interrupt_issue import InterruptIssue
from proc.rtl.interrupts import Interrupts
from proc.rtl.processor import ProcessorRTL
from rtl.leaf.register import Register

ISSUED = ("interrupts", "returns", "accesses")


class InterruptibleControl(Control):
    """Controls as Control does; what D issues may be an interrupt."""

    def construct(s, reuse: bool):
        super().construct(reuse)
        s.pending = InPort()
        s.wakes = InPort()
        for name in ISSUED:
            setattr(s, name, OutPort())
        for name in ("pending", "wakes", "ready_X", *ISSUED):
            connect(getattr(s.issue, name), getattr(s, name))

    def make_issue(s, reuse: bool) -> Component:
        """Make an issue that knows interrupts."""
        return InterruptIssue(reuse)


class InterruptibleRTL(ProcessorRTL):
    """Runs as ProcessorRTL does, and takes machine mode's external interrupt while `irq` is set.

    An interrupt goes from D to W in the place of the instruction before which it is taken, which
    the trace shows there; it does not retire, and is not counted. `refused`: the access in M will
    never be answered; `current` shows that instruction then.
    """

    def construct(s, divider: str = "seed", trace: bool = True):
        s.irq = InPort()
        s.refused = InPort()
        s.interrupts = Interrupts()
        super().construct(divider, trace)

    def make_control(s, reuse: bool) -> Component:
        """Make a control that issues interrupts."""
        return InterruptibleControl(reuse)

    def connect_flow(s) -> tuple[Signal, Signal, Signal]:
        """Return these as the unit that has the registers of interrupts gives them."""
        unit = s.interrupts
        unit.irq //= s.irq
        for name in ("pending", "wakes", "go_D", "ready_X", "go_X", "go_M", *ISSUED):
            connect(getattr(unit, name), getattr(s.control, name))
        unit.word_D //= s.datapath.word_D
        unit.pc_D //= s.datapath.pc_D
        unit.fn_X //= s.control.control_X.fn
        unit.operand_X //= s.datapath.operand_X
        unit.mngr //= s.mngr2proc.msg
        unit.branch_target //= s.datapath.target
        return unit.counts, unit.target, unit.read_X

    def connect_retiring(s) -> Signal:
        """Return that of instructions alone."""
        s.retires = Wire()
        s.retires //= lambda: s.control.val_W & ~s.interrupts.hidden_W
        return s.retires

    def connect_current(s) -> None:
        """Show the instruction in M where that is to blame."""
        s.pc_M = Register(32)
        s.word_M = Register(32)
        s.address_M = Register(32)

        @update_ff
        def follow():
            if s.control.go_X:
                s.pc_M <<= s.tracer.current.pc
                s.word_M <<= s.tracer.current.word
                s.address_M <<= s.tracer.current.address

        @update
        def blame():
            s.current.pc @= s.tracer.current.pc
            s.current.word @= s.tracer.current.word
            s.current.address @= s.tracer.current.address
            if s.refused:
                s.current.pc @= s.pc_M
                s.current.word @= s.word_M
                s.current.address @= s.address_M
