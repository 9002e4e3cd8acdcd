"""Replay a recording on a mapped netlist, and count the toggles of every net by window."""

from dataclasses import dataclass

import numpy as np

from flow.gates.simulator import Activity, Prepared
from flow.gates.timing import Timing
from flow.recording import Recording

ANY = 2


class Mismatch(Exception):
    """The netlist does not do what the RTL did."""


@dataclass(frozen=True)
class Simulated:
    """The windows of a simulation; when the last net settled in sampled cycles, ns after the edge;
    and how many output bits differed from the RTL's for passing on what was never written."""

    windows: list[Activity]
    latest: float
    strays: int


def simulate(timing: Timing, recording: Recording, samples: int = 0, seed: int = 1) -> Simulated:
    """Replay the recording; Mismatch tells the first output that differs from the RTL's.

    Registers start with pseudo-random bits. Of each window about `samples` cycles, evenly spread,
    are simulated with delays, too.
    """
    inputs = _port_bits(timing, recording, False)
    outputs = _port_bits(timing, recording, True)
    design = Prepared(timing, [net for net, *_ in inputs], [net for net, *_ in outputs])
    columns = [(port, bit) for _, port, bit in outputs]
    stimulus = recording.bits([(port, bit) for _, port, bit in inputs])
    bits = np.random.default_rng(seed).integers(0, 2, len(design.state_nets), np.uint8)
    windows = [
        Activity(name, *cycles, samples, timing.netlist.nets)
        for name, cycles in recording.windows.items()
    ]

    seen, latest = design.run(stimulus, bits, windows)
    expected = recording.expected(columns, ANY)
    wrong = (seen != expected) & (expected != ANY)
    strays = np.zeros_like(wrong)
    if wrong.any():
        # What differs with the opposite start was never written.
        other, _ = design.run(stimulus, 1 - bits, [])
        strays = wrong & (other != seen) & recording.may_stray(columns)
        wrong &= ~strays
    if wrong.any():
        cycle, column = np.argwhere(wrong)[0]
        raise Mismatch(recording.difference(int(cycle), *columns[column]))
    return Simulated(windows, latest, int(strays.sum()))


def _port_bits(timing: Timing, recording: Recording, output: bool) -> list[tuple[int, str, int]]:
    """List (net, port, bit) of all ports of a direction but the clock; Mismatch unless recorded."""
    ports = {
        name: port.nets
        for name, port in timing.netlist.ports.items()
        if port.output == output and port.nets != (timing.clock,)
    }
    recorded = {port.name for port in recording.ports if port.output == output}
    if missing := sorted(ports.keys() - recorded):
        raise Mismatch(f"the recording does not say what port {missing[0]} does")
    return [(net, name, bit) for name, nets in ports.items() for bit, net in enumerate(nets)]
