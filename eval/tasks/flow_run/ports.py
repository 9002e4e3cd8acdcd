"""The ports of a design in RTL simulation, written down cycle by cycle."""

from collections.abc import Iterable

from flow.recording import RecordedPort
from sim.batch import BatchModel
from sim.translate import Port
from sim.verilate import stored_bytes

IDLE_CYCLES = 200
BETWEEN = 8  # idle cycles before each window
IDLE, DUMMY = "idle", "dummy"
PATIENCE = 1_000_000  # cycles without an answer


class Ports:
    """Collects the values of a design's ports, cycle by cycle."""

    def __init__(self, ports: Iterable[Port]) -> None:
        self.ports = [port for port in ports if port.name != "clk"]
        self.values: dict[str, list[int]] = {port.name: [] for port in self.ports}

    @property
    def cycle(self) -> int:
        """The number of cycles so far."""
        return len(self.values["reset"])

    def append(self, now: dict[str, int]) -> None:
        """Write the next cycle down; ports that are not named are 0."""
        for name, values in self.values.items():
            values.append(now.get(name, 0))

    def recorded(self) -> tuple[RecordedPort, ...]:
        """Return all cycles; a message counts while it is valid."""
        found = []
        for port in self.ports:
            interface, _, field = port.name.rpartition("__")
            output = port.direction == "output"
            valid = f"{interface}__val" if output and field == "msg" else None
            # A program may save a register to memory that it has never written.
            stray = port.name == "dmem__req__msg"
            found.append(
                RecordedPort(port.name, output, port.nbits, self.values[port.name], valid, stray)
            )
        return tuple(found)

    def append_all(self, model: BatchModel, records: bytes) -> None:
        """Add the cycles that a simulation has recorded."""
        place = 0
        for name, (_, port) in model.ports.items():
            size = stored_bytes(port)
            if name in self.values:
                self.values[name] += [
                    int.from_bytes(records[at : at + size], "little")
                    for at in range(place, len(records), model.record_bytes)
                ]
            place += size
