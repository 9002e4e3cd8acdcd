"""Replay the recording on the netlist: outputs/simulation.json, and toggles in activity.npz."""

import os
import shutil
import sys

import numpy as np

from flow.gates.clocks import Clocks
from flow.gates.liberty import LibertyError, Library
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.gates.simulate import Activity, Mismatch, simulate
from flow.gates.timing import Timing
from flow.netlist import read_netlist
from flow.recording import Recording
from flow.step import IN, LIBERTY, OUT, given_file, leave, taken
from sim.toolchain import compiler

ARRAYS = ("toggles", "high", "sampled_toggles", "delayed_toggles")


def window_row(cycles: int, pieces: list[Activity], netlist: MappedNetlist, clocks: Clocks) -> dict:
    """Say what all nets but clocks did in the pieces of a window, and, if some clocks are gated, in
    how many of all cycles a register is clocked, on average."""
    toggles, before, after = (
        np.sum([getattr(piece, what) for piece in pieces], axis=0)
        for what in ("toggles", "sampled_toggles", "delayed_toggles")
    )
    data = np.ones(len(toggles), bool)
    data[clocks.gated] = False
    before, after = int(before[data].sum()), int(after[data].sum())
    row = {
        "cycles": cycles,
        "pieces": [{"cycles": piece.cycles, "sampled": piece.sampled} for piece in pieces],
        "toggles": int(toggles[data].sum()),
        "sampled_cycles": sum(piece.sampled for piece in pieces),
        "sampled_toggles": before,
        "delayed_toggles": after,
        "toggle_factor": round(after / before, 3) if before else 1.0,
    }
    if len(clocks.gated):
        replayed = sum(piece.cycles for piece in pieces)
        row["clocked"] = round(clocked_share(toggles, replayed, netlist, clocks), 4)
    return row


def clocked_share(
    toggles: np.ndarray, cycles: int, netlist: MappedNetlist, clocks: Clocks
) -> float:
    """Tell in which share of all cycles a register is clocked, on average over the registers."""
    registers = sum(len(kind.cells) for kind in netlist.registers())
    behind = netlist.loads[clocks.gated]
    pulses = behind @ toggles[clocks.gated] / 2
    return float(registers - behind.sum() + pulses / cycles) / registers


def state_codes() -> dict[str, dict[int, int]]:
    """Read how the registers of state machines are coded."""
    return {
        register: {int(rtl): code for rtl, code in codes.items()}
        for register, codes in taken("states").items()
    }


def cycles_of(recording: Recording, window: str) -> int:
    """Tell how long a window is, whether all of it was recorded or pieces."""
    if window in recording.sampled:
        return recording.sampled[window].cycles
    begin, end = recording.windows[window]
    return end - begin


def main() -> None:
    """Simulate the netlist; exit 1 with the first output that is wrong."""
    env = os.environ
    source = given_file("recording")
    shutil.copy(source, OUT / "recording.json")
    recording = Recording.from_json(source)
    try:
        flat = read_netlist(IN / "flat.json")
        netlist = MappedNetlist(flat, Library(LIBERTY))
        timing = Timing(netlist, env["clock_port"])
        samples, seed = int(env["sampled_cycles"]), int(env["start_seed"])
        found = simulate(timing, recording, samples, seed, state_codes())
    except (LibertyError, NetlistError) as error:
        sys.exit(f"ERROR: {error}")
    except Mismatch as error:
        sys.exit(f"ERROR: the netlist does not do what the RTL does: {error}")
    windows = {activity.name: [activity] for activity in found.windows} | found.sampled
    arrays = {
        f"{window}.{number}.{name}": getattr(piece, name)
        for window, pieces in windows.items()
        for number, piece in enumerate(pieces)
        for name in ARRAYS
    }
    np.savez_compressed(OUT / "activity.npz", **arrays)
    outputs = [port for port in recording.ports if port.output and port.name in netlist.ports]
    data = {
        "metrics": {},
        "windows": {
            name: window_row(cycles_of(recording, name), pieces, netlist, timing.clocks)
            for name, pieces in windows.items()
        },
        "cycles": recording.cycles,
        "outputs_compared": sum(port.nbits for port in outputs),
        "workload_sha256": env["recording_sha256"],
        "nets": netlist.nets,
        "stray_bits": found.strays,
        "latest_ns": round(found.latest, 4),
        "tools": {"g++": compiler().version.split(" for ")[0]},
    }
    leave("simulation", data)


if __name__ == "__main__":
    main()
