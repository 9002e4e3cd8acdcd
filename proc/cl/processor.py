"""The processor at cycle level: proc/rtl's five stages as a timing model over the interpreter.

An instruction does its work when it leaves X, by proc/fl's operations: program order, since all
that reaches X is executed. What stands in D, X, M and W, and what makes it wait, are the RTL's.
"""

from collections.abc import Callable
from typing import NamedTuple

from proc.cl.csr import TimedCsrFile
from proc.cl.decoded import Decoded
from proc.cl.fetch import Fetch
from proc.cl.interpreter import Interpreter
from proc.cl.ports import NEVER, NullXcelPort, Port, XcelPort
from proc.cl.retire_trace import RetireTrace
from proc.cl.signed_divider import SignedDivider
from proc.cl.statistics import Statistics
from proc.fl.interrupts import Interrupts
from proc.manager import Manager
from proc.programs.image import DEFAULT_MEMORY, Image
from proc.retire import Trap


class Moves(NamedTuple):
    """Tells what leaves each stage in a cycle, and whether the program goes on elsewhere."""

    F: Decoded | None
    D: Decoded | None
    X: Decoded | None
    M: Decoded | None
    redirect: bool


class ProcessorCL(Interpreter):
    """Runs RV32IM + Zicsr cycle by cycle from reset on; cycle is the one that comes next.

    imem, dmem, get, put: whether its ports may transfer in the next cycle.
    """

    def __init__(
        self,
        image: Image,
        manager: Manager,
        divider: str = "seed",
        memory_size: int = DEFAULT_MEMORY,
        latency: int = 1,
        xcel: XcelPort | None = None,
        interrupts: Interrupts | None = None,
    ) -> None:
        csrs = TimedCsrFile(manager, interrupts, lambda: self.cycle)
        super().__init__(image.memory(memory_size), csrs)
        self.manager = manager
        self.divider = SignedDivider(divider)
        self.xcel = xcel or NullXcelPort()
        self.imem, self.dmem, self.get, self.put = (Port(latency) for _ in range(4))
        self.fetch = Fetch(image.entry, self.imem, self.read)

        self.cycle = 0
        self.D: Decoded | None = None
        self.X: Decoded | None = None
        self.M: Decoded | None = None
        self.W: Decoded | None = None
        self.due = 0  # when what M waits for comes
        self.stores: Decoded | None = None  # what does so once F has read what it asks for
        self.target: int | None = None  # where the instruction that leaves X goes on
        self.resumes: int | None = None  # where mret, or an interrupt, in X goes on

        self.statistics = Statistics()
        self.completed = 0
        self.last: Decoded | None = None  # the last one completed
        self.ends = NEVER  # the last cycle of the run
        self.error: Exception | None = None
        self.trace: RetireTrace | None = None
        self.on_cycle: Callable[[Moves], None] | None = None

    @property
    def closed(self) -> bool:
        """Return whether the run is over, and nothing is transferred any more."""
        return self.ends != NEVER

    def step(self) -> None:
        """Pass a cycle."""
        cycle, d, x, m, w = self.cycle, self.D, self.X, self.M, self.W
        if w is not None:
            self.complete(w)
        ready_M = m is None or self.due <= cycle or self.answered(m)
        self.target = None
        from_X = from_D = None
        if x is not None and ready_M and self.leave_X(x):
            from_X = x
        target = self.target
        if d is not None and target is None and (x is None or from_X is not None):
            from_D = self.issue(d, x, None if ready_M else m)
            if from_D is not None and from_D.jumps_to is not None:
                target = from_D.jumps_to
        to_D = self.fetch.step(cycle, d is None or from_D is not None, target)
        if self.stores is not None:
            self.access_memory(self.stores)
            self.stores = None
        if self.on_cycle is not None:
            self.on_cycle(Moves(to_D, from_D, from_X, m if ready_M else None, target is not None))

        self.W = m if ready_M else None
        if ready_M:
            self.M = from_X
        if x is None or from_X is not None:
            self.X = from_D
        if self.target is not None:
            self.D = None
        elif d is None or from_D is not None:
            self.D = to_D
        self.cycle = cycle + 1

    def leave_X(self, x: Decoded) -> bool:
        """Let the instruction in X do its work, and return whether it moves to M."""
        self.due = 0
        if self.trace is not None:
            self.trace.enter(x, self.regs)
        if not x.leave(self, x):
            return False
        self.retired += not x.hidden
        if x.sets_stats:
            self.statistics.leave_X(self.csrs.stats)
        if self.trace is not None:
            self.trace.leave_X(x, self.regs)
        return True

    def issue(self, d: Decoded, x: Decoded | None, stalled: Decoded | None) -> Decoded | None:
        """Return what goes from D to X, which takes it, or None if an operand is not there yet.

        x leaves X in this cycle, and `stalled` is in M and stays there; if it does, X is empty.
        """
        if self.operand_late(d, x, stalled):
            return None
        if d.is_division:
            first, second = self.regs[d.first], self.regs[d.second]
            self.divider.enter(d, self.cycle + 1, first, second)
        else:
            self.divider.pass_by(d)
        return d

    def operand_late(self, d: Decoded, x: Decoded | None, stalled: Decoded | None) -> bool:
        """Return whether D must wait for what a port answers to an instruction ahead."""
        ahead = x if x is not None and x.late else stalled
        return ahead is not None and (ahead.rd == d.first or ahead.rd == d.second)

    def answered(self, m: Decoded) -> bool:
        """Return whether what M waits for has come, and write the register that it is for."""
        if not m.is_xcel or self.xcel.answer is None:
            return False
        self.write_late(m, self.xcel.answer)
        return True

    def write_late(self, m: Decoded, value: int) -> None:
        """Write the answer of a port to the register that it is for."""
        self.regs[m.rd] = value
        if self.trace is not None:
            self.trace.answer(value)

    def access_memory(self, x: Decoded) -> None:
        """Let a load or store that leaves X do its work; the run ends if that is outside."""
        try:
            x.operation()
        except Trap as trap:
            self.due = NEVER
            self.end(1, trap)

    def access_elsewhere(self, x: Decoded, address: int) -> bool:
        """Send an access elsewhere than to memory, and return whether it goes there."""
        return False

    def complete(self, w: Decoded) -> None:
        """Complete the instruction in W."""
        if w.hidden:
            return
        self.completed += 1
        self.last = w
        if w.sets_stats:
            self.statistics.complete(self.cycle, self.completed)
        if self.trace is not None:
            self.trace.complete()

    def refuse(self, trap: Trap | None) -> bool:
        """Keep an instruction in X that cannot be executed; the run ends once it is the oldest."""
        if self.M is None and self.W is None and not self.closed:
            self.end(0, trap)
        return False

    def end(self, cycles: int, error: Exception | None = None) -> None:
        """End the run so many cycles later."""
        self.ends, self.error = self.cycle + cycles, error
        self.fetch.last = self.cycle
