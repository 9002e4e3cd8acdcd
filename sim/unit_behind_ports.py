"""A multiplier in hardware among parts at cycle level: its val/rdy ports behind method calls."""

from pymtl3 import M, U, update_ff, update_once

from cl.exp.clock import Clock
from cl.exp.shared_unit import SharedUnit


class UnitBehindPorts(SharedUnit):
    """Asks a unit in hardware (sim/unit_hardware.py), which is simulated by itself.

    In a cycle the answer that stands at its ports is seen, and taken if a part calls for it; then
    it says whether it has room, which may depend on that; then it is asked.
    """

    def construct(s, unit, askers: int, clock: Clock):
        super().construct(askers, clock)
        clock.never_rests = True
        s.hardware = None
        s.request, s.taken = None, False

        @update_once
        def see_answer():
            if s.hardware is None:  # not before all components are constructed
                s.hardware = unit.simulated()
            s.request, s.taken = None, False
            s.hardware.settle()

        @update_once
        def take_answer():
            s.hardware.take(s.taken)

        @update_once
        def ask_hardware():
            s.hardware.ask(s.request)

        @update_ff
        def edge():
            s.hardware.edge(bool(s.reset))
            if s.reset:
                s.owners.clear()

        s.add_constraints(
            *(U(see_answer) < M(answer) for answer in s.answer),
            *(M(answer) < U(take_answer) for answer in s.answer),
            *(U(take_answer) < M(ask) for ask in s.ask),
            *(M(ask) < U(ask_hardware) for ask in s.ask),
        )

    def has_room(s) -> bool:
        """Return whether a request is taken now."""
        return s.request is None and s.hardware.has_room

    def enter(s, *operands: int) -> None:
        """Ask the hardware in this cycle."""
        s.request = operands

    def is_complete(s) -> bool:
        """Return whether an answer stands that nobody has taken."""
        return s.hardware.is_complete and not s.taken

    def leave(s) -> int:
        """Take the answer that stands."""
        s.taken = True
        return s.hardware.product

    def line_trace(s) -> str:
        """Show the hardware."""
        return s.hardware.top.line_trace() if s.hardware else ""
