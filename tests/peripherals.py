"""Peripherals of the catalog behind a bus, alone or in step with one at another level."""

from collections.abc import Iterator
from functools import cache
from random import Random

from pymtl3 import Component

from eval.catalog import find
from eval.contract.check import Mismatch
from fl.axi_lite import PREFIX
from fl.peripheral_map import LOADED, Fixed
from sim.axi_lite import BusMaster
from sim.pins import BatchPins, Pins, PythonPins
from tests.harness import model_level

CONTROLS = ("awready", "wready", "bvalid", "arready", "rvalid")
PAYLOADS = {"bvalid": ("bresp",), "rvalid": ("rdata", "rresp")}


class Lockstep:
    """Two peripherals as one: every output is the same in every cycle that is none of a reset."""

    def __init__(self, first: Pins, second: Pins) -> None:
        self.both = (first, second)
        self.value = first.value
        self.line_trace = first.line_trace
        self.resets = True

    def drive(self, name: str, value: int) -> None:
        if name == "reset":
            self.resets = bool(value)
        for pins in self.both:
            pins.drive(name, value)

    def settle(self) -> None:
        for pins in self.both:
            pins.settle()
        if self.resets:
            return
        for name in CONTROLS:
            if self._same(PREFIX + name):
                for payload in PAYLOADS.get(name, ()):
                    self._same(PREFIX + payload)
        self._same("irq")
        self._same("random_ready")

    def edge(self) -> None:
        for pins in self.both:
            pins.edge()

    def close(self) -> None:
        """Release the second; the first is the process's."""
        self.both[1].close()

    def _same(self, name: str) -> int:
        first, second = (pins.value(name) for pins in self.both)
        if first != second:
            raise Mismatch(f"{name} is {second:#x}, not {first:#x}")
        return first


def pins_of(component: Component, level: str) -> Pins:
    """A component's pins at a level."""
    return BatchPins(component) if level == "batch" else PythonPins(component)


@cache
def peripheral_pins(name: str, nbits: int, level: str, fixed: Fixed = LOADED) -> Pins:
    """A peripheral of the catalog."""
    return pins_of(find(name).peripheral(model_level(level), nbits, fixed), level)


@cache
def bus(name: str, nbits: int, level: str, fixed: Fixed = LOADED) -> BusMaster:
    """A master of a peripheral of the catalog."""
    return BusMaster(peripheral_pins(name, nbits, level, fixed), f"{name}-{nbits} ({level})")


def bus_in_step(
    component: Component, name: str, nbits: int, level: str = "rtl", fixed: Fixed = LOADED
) -> BusMaster:
    """A master of a component and of the catalog's cycle-level peripheral; to be closed."""
    pins = Lockstep(peripheral_pins(name, nbits, "cl", fixed), pins_of(component, level))
    return BusMaster(pins, f"{name}-{nbits} ({level})")


def random_bytes(seed: object) -> Iterator[int]:
    """Bytes, one in eight of them 0."""
    rng = Random(f"bytes {seed}")
    while True:
        yield rng.choice((0, *(rng.randrange(256) for _ in range(7))))
