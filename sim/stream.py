"""Run a val/rdy unit at any level: one driver, the same transfers to the cycle everywhere.

In every cycle a request is offered if its wait is over, the sink is ready if its wait is
over, the unit settles, what changes hands is noted, the clock rises. Cycle 0 is the first
one after reset. At levels fl, cl and rtl the component runs in PyMTL3's simulator, at
`verilog` its translation runs behind PyMTL3's Verilator import, at `batch` behind a C++ loop.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pymtl3 import Component

from sim.handshake import HandshakeError
from sim.transfers import (
    LEVELS,
    NO_STALLS,
    STALLS,
    SimulationTimeout,
    SpuriousResponse,
    Stalls,
    Transfer,
    random_stalls,
)
from sim.translate import Translation

if TYPE_CHECKING:
    from sim.batch_stream import BatchEngine
    from sim.python import PythonEngine

__all__ = [
    "LEVELS",
    "NO_STALLS",
    "STALLS",
    "HandshakeError",
    "SimulationTimeout",
    "SpuriousResponse",
    "Stalls",
    "StreamRunner",
    "Transfer",
    "random_stalls",
]


class StreamRunner:
    """Runs one component at one level, prepared once and reset before every run.

    `recv` and `send` are its val/rdy interfaces, dotted (xcel.req); `name` is for messages;
    `vcd` is a file for the waves. Level batch also takes a Translation, such as a netlist.
    """

    def __init__(
        self,
        component: Component | Translation,
        level: str,
        recv: str = "recv",
        send: str = "send",
        vcd: Path | str | None = None,
        name: str | None = None,
    ) -> None:
        if level not in LEVELS:
            raise ValueError(f"level {level!r}: one of {', '.join(LEVELS)}")
        self.level = level
        translated = isinstance(component, Translation)
        if translated and level != "batch":
            raise ValueError(f"{component.top} is Verilog text: only level batch takes it")
        own_name = component.top if translated else type(component).__name__
        self.name = f"{name or own_name} ({level})"
        wave = None if vcd is None else Path(vcd).absolute()
        if level == "verilog":
            from sim.importer import import_verilog

            component = import_verilog(component)
        self.engine = _engine(level)(component, recv, send, wave, self.name)

    def run(
        self,
        requests: Sequence[Any],
        stalls: Stalls = NO_STALLS,
        max_cycles: int | None = None,
        trace: Callable[[str], None] | None = None,
    ) -> list[Transfer]:
        """Reset, send every request (packed ints or messages), return a transfer for each.

        Raises SimulationTimeout when max_cycles (of the whole run; a million if not given,
        200 million at level batch) pass first, SpuriousResponse for a response too many,
        HandshakeError where a stream's rule (sim/handshake.py) is broken, ValueError for an empty
        list. `trace` gets a line per cycle.
        """
        limit = self.engine.DEFAULT_MAX_CYCLES if max_cycles is None else max_cycles
        return self.engine.run(requests, stalls, limit, trace)

    def reset(self) -> None:
        """Reset the component; every run does this first by itself."""
        self.engine.reset()

    def close(self) -> None:
        """Release the simulation; the runner cannot be used afterwards."""
        self.engine.close()

    def __enter__(self) -> "StreamRunner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _engine(level: str) -> "type[BatchEngine | PythonEngine]":
    """Import what runs components at a level, and nothing of the other levels."""
    if level == "batch":
        from sim.batch_stream import BatchEngine

        return BatchEngine
    from sim.python import PythonEngine

    return PythonEngine
