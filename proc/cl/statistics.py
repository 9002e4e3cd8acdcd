"""The parts of a program that run with stats_en set, in cycles and instructions."""

from collections import deque

from proc.run.system_run import Window


class Statistics:
    """Follows stats_en in W, where an instruction that writes it takes effect."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self._since: tuple[int, int] | None = None  # its first cycle, instructions up to there
        self._ahead: deque[int] = deque()  # what is written in M and W

    def leave_X(self, value: int) -> None:
        """See an instruction leave X that writes the value."""
        self._ahead.append(value)

    def complete(self, cycle: int, completed: int) -> None:
        """See the oldest of them in W, with how many instructions are complete with it."""
        value = self._ahead.popleft()
        if value and self._since is None:
            self._since = cycle, completed
        elif not value and self._since is not None:
            first, before = self._since
            self.windows.append(Window(cycle - first, completed - 1 - before))
            self._since = None
