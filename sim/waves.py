"""A bus's signals cycle by cycle, as text."""

from collections.abc import Iterator

from fl.axi_lite import INPUTS, OUTPUTS, PREFIX
from sim.axi_protocol import PAYLOADS, REQUESTS
from sim.pins import Pins

CHANNELS = {**REQUESTS, **PAYLOADS}
WIDTHS = {**INPUTS, **OUTPUTS}
CYCLES_A_LINE = 8
CELL = 9  # characters of a cycle: a word, and a space
HIGH, LOW = "\u2594", "\u2581"


class Waves:
    """Keeps the bus's signals of cycles first to last, counted from now on, as the clock rises."""

    def __init__(self, pins: Pins, first: int, last: int) -> None:
        self.first, self.last, self.cycle = first, last, 0
        self.values: dict[str, list[int]] = {name: [] for name in (*names(), "irq")}
        self._pins, self._edge = pins, pins.edge
        pins.edge = self._watch

    def _watch(self) -> None:
        if self.first <= self.cycle <= self.last:
            for name, values in self.values.items():
                values.append(self._pins.value(name if name == "irq" else PREFIX + name))
        self.cycle += 1
        self._edge()

    def lines(self) -> Iterator[str]:
        """Draw bits high or low, and what a channel carries in the cycles in which it is valid."""
        for begin in range(0, len(self.values["irq"]), CYCLES_A_LINE):
            shown = range(begin, min(begin + CYCLES_A_LINE, len(self.values["irq"])))
            cells = (f"{self.first + cycle:<{CELL}}" for cycle in shown)
            yield f"{'cycle':8}{''.join(cells)}".rstrip()
            for name in self.values:
                yield f"{name:8}{''.join(self._cell(name, cycle) for cycle in shown)}".rstrip()

    def _cell(self, name: str, cycle: int) -> str:
        value = self.values[name][cycle]
        carrier = next((channel for channel, names in CHANNELS.items() if name in names), None)
        if carrier is None:
            return (HIGH if value else LOW) * CELL
        if not self.values[f"{carrier}valid"][cycle]:
            return "." + " " * (CELL - 1)
        return f"{value:0{-(-WIDTHS[name] // 4)}x}".ljust(CELL)


def names() -> Iterator[str]:
    """Go through the signals, channel by channel."""
    for channel, payload in CHANNELS.items():
        yield from (f"{channel}valid", f"{channel}ready", *payload)
