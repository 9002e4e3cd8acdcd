"""Replay the recording on the netlist: outputs/simulation.json, and toggles in activity.npz."""

import shutil

import numpy as np

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.simulate import simulate
from flow.gates.timing import Timing
from flow.gates.window_toggles import ARRAYS, cycles_of, window_row
from flow.layout_wires import layout_wires
from flow.netlist import read_netlist
from flow.recording import Recording
from flow.results.energy import Simulation
from flow.step import IN, OUT, POWER_LIBERTY, given_file, leave, step, taken
from sim.toolchain import compiler

WORK = 1_000_000_000  # nets x cycles of a window with delays: one to three minutes
Codes = dict[str, dict[int, int]]  # of states, by the register in the netlist


@step
def main(clock_port: str, sampled_cycles: int, start_seed: int, recording_sha256: str) -> None:
    """Simulate the netlist."""
    source = given_file("recording")
    shutil.copy(source, OUT / "recording.json")
    recording = Recording.from_json(source)
    given = read_netlist(IN / "flat.json")
    netlist = MappedNetlist(given, Library(POWER_LIBERTY))
    timing = Timing(netlist, clock_port, layout_wires(given))
    samples = max(sampled_cycles, WORK // netlist.nets) if sampled_cycles else 0
    found = simulate(timing, recording, samples, start_seed, taken("states", Codes))
    arrays = {
        f"{window}.{number}.{name}": getattr(piece, name)
        for window, pieces in found.windows.items()
        for number, piece in enumerate(pieces)
        for name in ARRAYS
    }
    np.savez_compressed(OUT / "activity.npz", **arrays)
    outputs = [port for port in recording.ports if port.output and port.name in netlist.ports]
    simulated = Simulation(
        windows={
            name: window_row(cycles_of(recording, name), pieces, netlist, timing.clocks)
            for name, pieces in found.windows.items()
        },
        cycles=recording.cycles,
        outputs_compared=sum(port.nbits for port in outputs),
        workload_sha256=recording_sha256,
        nets=netlist.nets,
        stray_bits=found.strays,
        latest_ns=round(found.latest, 4),
    )
    leave("simulation", simulated, tools={"g++": compiler().version.split(" for ")[0]})
