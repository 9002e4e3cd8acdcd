"""Records a private operation by CRT, of a design that makes it, for the flow to replay."""

from contextlib import closing

from cl.xcel import xcel_cycles
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.catalog.workloads import message_for
from eval.tasks.flow_run.ports import BETWEEN, DUMMY, IDLE, IDLE_CYCLES
from eval.tasks.flow_run.recording import _Accelerator
from eval.tasks.flow_run.sampling import Sampler
from eval.tasks.port import PORTS, WORD
from eval.tasks.private import PRIVATE, check_private, private_key
from eval.tasks.unit import simulated
from fl.crt import CrtKey
from fl.messages import XcelReq
from fl.xcel import BASE, GO, MOD, READ, WRITE, from_words, to_words, words
from fl.xcel_crt import key_requests, private_requests
from flow.recording import Recording
from sim.batch_stream import BatchEngine
from sim.errors import RunError
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
