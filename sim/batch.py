"""A Verilated design in this process: ports by name, a clock, and the calls of a C++ loop."""

import ctypes
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pymtl3 import Component

from sim.registers import DesignRegister
from sim.signals import Signals, SnapshotReader
from sim.transfers import RESET_CYCLES, shown
from sim.translate import Port, Translation, port_name, translate
from sim.verilate import build_library, stored_bytes


class BatchModel:
    """Runs one instance of a design. A loop of one's own calls `lib` with `handle` as a Sim*.

    The loop (C++, includes batch_shim.h) reaches an interface named in `interfaces` as
    functions: {"mem": "imem.req"} gives it mem_val(model), mem_rdy(model), mem_msg(model).
    Only with `signals` does `snapshot` know what is inside; a loop sees the `registers`.
    """

    def __init__(
        self,
        design: Component | Translation,
        loop_source: Path | None = None,
        interfaces: Mapping[str, str] | None = None,
        vcd: Path | None = None,
        signals: bool = False,
        registers: Sequence[DesignRegister] = (),
    ) -> None:
        self.design = design if isinstance(design, Translation) else translate(design)
        library = build_library(
            self.design, loop_source, interfaces or {}, signals or vcd is not None, registers
        )
        self.ports = {p.name: (i, p) for i, p in enumerate(self.design.ports)}
        self.record_bytes = sum(map(stored_bytes, self.design.ports))
        self.lib = ctypes.CDLL(str(library))
        self.lib.sim_new.restype = ctypes.c_void_p
        self.lib.sim_cycle.restype = ctypes.c_uint64
        if vcd is not None:
            vcd.parent.mkdir(parents=True, exist_ok=True)
        self._snapshots = SnapshotReader()
        self._sim = ctypes.c_void_p(self.lib.sim_new(str(vcd or "").encode()))
        self._delete = weakref.finalize(self, self.lib.sim_delete, self._sim)

    @property
    def handle(self) -> ctypes.c_void_p:
        """Return the Sim*, for functions of `lib`."""
        if not self._delete.alive:
            raise ValueError(f"{self.design.top}: the model is closed")
        return self._sim

    @property
    def cycle(self) -> int:
        """Return how many clock edges there were, those in reset included."""
        return int(self.lib.sim_cycle(self.handle))

    def poke(self, port: str, value: int) -> None:
        """Set an input (xcel.req.val or xcel__req__val); outputs follow with the next settle."""
        number, found = self._port(port)
        if found.direction != "input" or not 0 <= value < 1 << found.nbits:
            raise ValueError(f"{port} is an {found.direction} of {found.nbits} bits: {value:#x}")
        self.lib.sim_poke(self.handle, number, value.to_bytes(stored_bytes(found), "little"))

    def peek(self, port: str) -> int:
        """Return the value of a port as of the last settle or step."""
        number, found = self._port(port)
        buffer = ctypes.create_string_buffer(stored_bytes(found))
        self.lib.sim_peek(self.handle, number, buffer)
        return int.from_bytes(buffer.raw, "little")

    def settle(self) -> None:
        """Let the outputs follow the inputs."""
        self.lib.sim_settle(self.handle)

    def step(self, cycles: int = 1) -> None:
        """Pass clock edges with the inputs as they are, then settle."""
        self.lib.sim_step(self.handle, ctypes.c_uint64(cycles))

    def reset(self) -> None:
        """Hold reset for some cycles, every other input at 0."""
        for name, (_, port) in self.ports.items():
            if port.direction == "input" and name != "clk":
                self.poke(name, 0)
        self.poke("reset", 1)
        self.step(RESET_CYCLES)
        self.poke("reset", 0)
        self.settle()

    def snapshot(self) -> Signals:
        """Return every signal as it is now; registers are as after the last clock edge."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "now.vcd"
            if not self.lib.sim_snapshot(self.handle, str(path).encode()):
                raise ValueError(f"{self.design.top}: the model was built without its signals")
            return self._snapshots.read(path)

    def describe(self, record: bytes) -> str:
        """Return a line of the ports' values, from what Sim::record wrote."""
        words = []
        for name, (_, port) in self.ports.items():
            size = stored_bytes(port)
            value, record = int.from_bytes(record[:size], "little"), record[size:]
            if name not in ("clk", "reset"):
                words.append(f"{name.replace('__', '.')}={shown(value).removeprefix('0x')}")
        return " ".join(words)

    def close(self) -> None:
        """Delete the instance and finish its VCD; a second call does nothing."""
        self._delete()

    def _port(self, name: str) -> tuple[int, Port]:
        try:
            return self.ports[port_name(name)]
        except KeyError:
            known = ", ".join(self.ports)
            raise ValueError(f"{self.design.top} has no port {name}; ports: {known}") from None
