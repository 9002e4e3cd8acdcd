"""Exponentiations through the peripheral's bus: the answers with their cycles, both checked."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cl.peripheral import busy_cycles, operation_cycles
from eval.catalog.design import model_level
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.exponentiation import Answer, check_width, show_key
from fl.exponentiator import BAD_MODULUS, OK
from fl.peripheral_driver import Access, Procedure, operate, put
from fl.peripheral_map import EXPONENT_E, INTERRUPT_ENABLE, MODULUS
from fl.pkcs1 import PLAIN
from sim.axi_lite import BusMaster
from sim.errors import RunError, UserError
from sim.pins import BatchPins, PythonPins
from sim.waves import Waves


def check_peripheral(point: Point, level: str) -> None:
    """Raise UserError unless there is such a peripheral, at that level."""
    point.check_peripheral()
    if level == "verilog":
        raise UserError("--level: the peripheral is not imported; give batch, which runs the same")


def procedure(point: Point, request: Request) -> Procedure:
    """Load the modulus, unless it is fixed, and the exponent; raise the base to it."""
    nbits = point.nbits
    yield Access(INTERRUPT_ENABLE, 1)
    if not point.entry.moduli.only:
        yield from put(MODULUS, nbits, request.mod)
    yield from put(EXPONENT_E, nbits, request.exp)
    return (yield from operate(nbits, request.base.to_bytes(-(-nbits // 8)), kind=PLAIN))


def simulate_peripheral(
    point: Point,
    requests: Sequence[Request],
    level: str = "rtl",
    trace: Callable[[str], None] | None = None,
    vcd: Path | None = None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
    waves: tuple[int, int] | None = None,
    draw: Callable[[str], None] = print,
) -> list[Answer]:
    """Ask through the bus; cycles count from the first access to the last word's answer.

    The bus's signals in the cycles `waves`, from the first one to the last, are drawn line by line.
    """
    check_peripheral(point, level)
    component = point.entry.peripheral(model_level(level), point.nbits)
    pins = BatchPins(component, vcd) if level == "batch" else PythonPins(component, vcd)
    show_key(component, level, trace)
    master = BusMaster(pins, f"{point} peripheral", trace)
    watched = Waves(pins, *waves) if waves else None
    try:
        answers = [_answer(master, point, request, level, on_cycles) for request in requests]
        for line in watched.lines() if watched else ():
            draw(line)
        return answers
    finally:
        pins.close()


def _answer(
    master: BusMaster,
    point: Point,
    request: Request,
    level: str,
    on_cycles: Callable[[int], None],
) -> Answer:
    check_width(point, request)
    busy = busy_cycles(point.nbits, point.entry.cycles(point.nbits, **vars(request)))
    on_cycles(busy)
    start, before = master.cycle, master.accesses
    outcome = master.perform(procedure(point, request), 2 * busy + 1000)
    cycles = operation_cycles(master.accesses - before, busy)
    right = Answer(request.result, OK, cycles)
    found = Answer(
        int.from_bytes(outcome.output), BAD_MODULUS * outcome.error, master.cycle - start - 1
    )
    if level == "fl":
        right, found = (Answer(one.result, one.status, None) for one in (right, found))
    if found != right:
        raise RunError(
            f"{master.name} at level {level}: {request} was answered {found}, right is {right}"
        )
    return found
