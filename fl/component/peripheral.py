"""The peripheral of fl/peripheral_map.py behind the ports of the hardware."""

from collections.abc import Callable, Generator

from pymtl3 import InPort, OutPort, update, update_ff

from fl.component.axi_lite import BusPorts, Channels
from fl.exponentiator import mod_exp
from fl.peripheral_map import LOADED, Fixed
from fl.peripheral_registers import Registers


class PeripheralPorts(BusPorts):
    """Has the ports of all peripherals: the bus, the interrupt line, a stream of random bytes."""

    def construct(s):
        super().construct()
        s.irq = OutPort()
        s.random_valid = InPort()
        s.random_ready = OutPort()
        s.random_byte = InPort(8)


class PeripheralFL(PeripheralPorts):
    """Answers on the bus as Registers do; an operation takes the cycles in which it draws.

    before(draws): cycles from a start to the first draw; after(base, exp, mod): from the last one
    to the end; at this level none.
    """

    def construct(
        s,
        nbits: int,
        compute: Callable[[int, int, int], tuple[int, int]] = mod_exp,
        fixed: Fixed = LOADED,
        design: str = "",
        before: Callable[[int], int] = lambda draws: 0,
        after: Callable[[int, int, int], int] = lambda base, exp, mod: 0,
    ):
        super().construct()
        s.registers = Registers(nbits, compute, fixed, design)
        s.channels = Channels()
        s.before, s.after = before, after
        s.running = None  # the operation, cycle by cycle
        s.draws = False

        @update_ff
        def serve():
            if s.reset:
                s.registers.reset()
                s.channels = Channels()
                s.running, s.draws = None, False
            else:
                byte = int(s.random_byte) if s.draws & s.random_valid else 0
                was_busy = s.registers.busy
                s.channels.edge(s, s.registers)
                if s.registers.busy and not was_busy:
                    s.running = s.operation()
                    byte = None
                if s.running is not None:
                    try:
                        s.draws = s.running.send(byte)
                    except StopIteration:
                        s.running, s.draws = None, False

        @update
        def ports():
            s.channels.drive(s)
            s.random_ready @= s.draws
            s.irq @= s.registers.irq

    def operation(s) -> Generator[bool, int, None]:
        """Yield in each cycle of an operation whether it draws; it is sent the byte, 0 if none."""
        count, drawn = s.registers.draws, []
        for _ in range(s.before(count)):
            yield False
        while len(drawn) < count:
            byte = yield True
            if byte:
                drawn.append(byte)
        operands = s.registers.prepare(drawn)
        for _ in range(s.after(*operands)):
            yield False
        s.registers.finish(*operands)

    def line_trace(s) -> str:
        """Show B while it is busy, and what the bus does."""
        return f"{'B' if s.registers.busy else ' '} {super().line_trace()}"
