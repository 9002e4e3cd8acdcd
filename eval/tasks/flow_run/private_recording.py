"""The energy of a private operation by CRT, of a design that makes it: what gate-level simulation
replays, and what the flow makes of that.

    python -m eval.tasks.flow_run.private_recording array-crt-16 1024 3
"""

import sys
from contextlib import closing
from functools import partial

from cl.xcel import xcel_cycles
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.catalog.workloads import message_for
from eval.tasks.flow_run.ports import BETWEEN, DUMMY, IDLE, IDLE_CYCLES
from eval.tasks.flow_run.recording import _Accelerator
from eval.tasks.flow_run.sampling import Sampler
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.port import PORTS, WORD
from eval.tasks.private import PRIVATE, check_private, private_key
from eval.tasks.unit import ACCELERATOR, OnStep, simulated, translation
from fl.crt import CrtKey
from fl.messages import XcelReq
from fl.xcel import BASE, GO, MOD, READ, WRITE, from_words, to_words, words
from fl.xcel_crt import key_requests, private_requests
from flow.recording import Recording
from flow.results.energy import Operation
from flow.results.run import read_results
from flow.run import run_flow
from sim.batch_stream import BatchEngine
from sim.errors import RunError
from sim.paths import build_dir
from sim.transfers import RESET_CYCLES, pack

WHOLE = 2_000  # cycles of an operation that is replayed whole


def record_private(point: Point, whole: int = WHOLE) -> Recording:
    """Leave it idle, push a key and a message without a go, then with one. The energy of an
    operation is that of the second less the first, of pieces if it takes more cycles."""
    check_private(point)
    nbits, key = point.nbits, private_key(point.nbits)
    message = message_for(key)
    cipher = pow(message, key.e, key.n)
    pushes = key_requests(nbits, CrtKey.of(key))
    for register, operand in ((MOD, key.n), (BASE, cipher)):
        pushes += [(WRITE, register, word) for word in to_words(operand, nbits)]
    asked = [*pushes, *private_requests(nbits)]
    latency = point.entry.at(nbits).private_latency(key.e, key.n)
    cycles = xcel_cycles(nbits, latency) - 3 * words(nbits) + len(pushes)
    in_pieces = cycles > whole
    engine = BatchEngine(simulated(point), *PORTS, None, str(point), in_pieces)
    with closing(engine):
        accelerator = _Accelerator(engine.model)
        accelerator.poke(reset=1, xcel__resp__rdy=1)
        reset = accelerator.steps(RESET_CYCLES)
        accelerator.poke(reset=0)
        accelerator.steps(BETWEEN)
        windows, sampled, places = {IDLE: accelerator.steps(IDLE_CYCLES)}, {}, {}
        windows[DUMMY], _ = accelerator.send([*pushes, (READ, GO, 0)])
        if in_pieces:
            accelerator.steps(1)
            sampler = Sampler(engine)
            places = sampler.places
            packed = [pack(XcelReq(*one)) for one in asked]
            sampled[PRIVATE], recorded, transfers = sampler.sample(
                packed, cycles, accelerator.ports.cycle
            )
            accelerator.ports.append_all(engine.model, recorded)
            answers = [transfer.response & WORD for transfer in transfers]
        else:
            accelerator.steps(BETWEEN)
            windows[PRIVATE], answers = accelerator.send(asked)
            accelerator.steps(1)
    found = from_words(answers[-1 - words(nbits) : -1])
    if (found, answers[-1]) != (message, 0):
        raise RunError(
            f"{point} workload {PRIVATE}, recorded: answered {shorten(found)}, status "
            f"{answers[-1]}, right is {shorten(message)}"
        )
    operations = {PRIVATE: DUMMY}
    return Recording(accelerator.ports.recorded(), windows, (reset,), operations, sampled, places)


def private_energy(point: Point, clock_ns: float, on_step: OnStep) -> Operation:
    """Map the accelerator for a clock, simulate the netlist, and return the operation's energy."""
    on_step("recording the private operation")
    recording = record_private(point)
    run = FlowRun(point, ACCELERATOR, clock_ns, POWER)
    done = translation(point, ACCELERATOR)
    found = run_flow(
        f"{run.folder}-{PRIVATE}",
        done.text,
        done.top,
        build_dir("flow"),
        clock_period=clock_ns,
        to=POWER,
        recording=recording,
        flatten=done.flattened,
        carry_save=done.carry_save,
        on_step=lambda step, event: on_step(f"{step} {event}"),
        wait=True,
    )
    power = read_results(found).steps.power
    assert power
    return power.operations[PRIVATE]


if __name__ == "__main__":
    design, nbits, clock = sys.argv[1:]
    say = partial(print, file=sys.stderr)
    print(private_energy(Point(design, int(nbits)), float(clock), say))
