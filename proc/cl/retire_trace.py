"""What each instruction did, as proc/rtl/retire_trace.py shows it: told in W."""

from collections import deque
from collections.abc import Callable

from proc.cl.decoded import Decoded
from proc.retire import Access, Retire
from proc.semantics import MEMORY


class RetireTrace:
    """Describes instructions as they leave X, and tells of each when it is complete."""

    def __init__(self, tell: Callable[[Retire], None]) -> None:
        self.tell = tell
        self._access: Access | None = None
        self._ahead: deque[Retire] = deque()  # in M and W

    def enter(self, x: Decoded, regs: list[int]) -> None:
        """See an instruction in X with its operands, before it does anything."""
        self._access = None
        if x.is_memory:
            size, _ = MEMORY[x.name]
            _, address = x.detail(regs)
            write = not x.late
            data = regs[x.second] & (1 << 8 * size) - 1 if write else 0
            self._access = Access(write, address, size, data)

    def leave_X(self, x: Decoded, regs: list[int]) -> None:
        """See that it has done its work."""
        if not x.hidden:
            rd = max(x.rd, 0)
            self._ahead.append(Retire(x.pc, x.word, rd, regs[rd], self._access))

    def answer(self, value: int) -> None:
        """See the answer that the instruction in M, the youngest, writes to its register."""
        late = self._ahead.pop()
        self._ahead.append(late._replace(value=value if late.rd else 0))

    def complete(self) -> None:
        """Tell of the oldest."""
        self.tell(self._ahead.popleft())
