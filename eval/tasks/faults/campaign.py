"""A fault campaign at RTL: every bit of every register in every cycle, or a sample of these."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from eval.tasks.faults.models import FLIP
from eval.tasks.faults.operation import CHECK, CORRECT, EXPLOITABLE, OUTCOMES, PRIVATE, Signing
from eval.tasks.faults.tried import BY_E, NO_CHECK, OWN, Tried, drawn
from eval.tasks.port import PORTS, messages
from eval.tasks.unit import ACCELERATOR, translation
from sim.errors import RunError
from sim.faults import Fault, FaultInjector, Seen

CYCLES_A_CALL = 1 << 22  # between calls the progress is told


class Campaign(Tried):
    """Counts what came of faults by register, too, and the bits of the exponent that are told.

    register_bits, cycles: of the design, and of the operation without a fault.
    only_as_base: results that could be exploited, if the check did not refuse the base itself.
    """

    cycles: int
    register_bits: int
    registers: dict[str, dict[str, int]]
    exponent_bits_told: list[int]
    only_as_base: int

    @property
    def effort(self) -> int:
        """Return the cycles."""
        return self.cycles


def run_campaign(
    signing: Signing,
    most: int,
    seed: int,
    say: Callable[[str], None] = lambda step: None,
    model: str = FLIP,
) -> Campaign:
    """Try all faults of a model, or as many as `most`, drawn by the seed: a bit is flipped in a
    cycle, or stuck at 0 or 1 from it on."""
    point, check = signing.point, BY_E if signing.checked else NO_CHECK
    if signing.operation == PRIVATE:
        check = OWN if getattr(point.entry.at(point.nbits), "checks", True) else NO_CHECK
    say(f"check {check}: preparing the simulation")
    design = translation(point, ACCELERATOR)
    sent = messages(signing.messages)
    injector = FaultInjector(design, *PORTS, sent, signing.echo, signing.limit)
    try:
        [unharmed] = injector.run([None])
        if signing.outcome(unharmed)[0] != CORRECT or unharmed.cycles is None:
            raise RunError(f"{point}: is wrong without a fault; see `modexplorer check`")
        held = (None,) if model == FLIP else (0, 1)
        population = injector.bits * unharmed.cycles * len(held)
        count = min(most, population)
        names = [one.name for one in injector.registers]
        registers = {name: Counter[str]() for name in names}
        told: set[int] = set()
        only_as_base = 0
        chosen, done = _faults(injector, drawn(population, most, seed), held), 0
        while chunk := list(islice(chosen, max(1, CYCLES_A_CALL // unharmed.cycles))):
            say(f"check {check}: {done} of {count} faults")
            for fault, seen in zip(chunk, injector.run(chunk), strict=True):
                name, bit = _outcome(signing, seen, unharmed)
                registers[names[fault.register]][name] += 1
                told |= set() if bit is None else {bit}
                if name == CHECK and signing.outcome(seen, refuses_base=False)[0] == EXPLOITABLE:
                    only_as_base += 1
            done += len(chunk)
    finally:
        injector.close()
    outcomes = sum(registers.values(), Counter[str]())
    return Campaign(
        *(check, population, outcomes.total(), {name: outcomes[name] for name in OUTCOMES}),
        *(unharmed.cycles, injector.bits),
        {name: dict(counts) for name, counts in registers.items()},
        sorted(told),
        only_as_base,
    )


def _outcome(signing: Signing, seen: Seen, unharmed: Seen) -> tuple[str, int | None]:
    """Class what came; most faults change nothing, which is soon seen."""
    if seen.cycles is not None and seen.responses == unharmed.responses:
        return CORRECT, None
    return signing.outcome(seen)


def _faults(
    injector: FaultInjector, numbers: Sequence[int], held: tuple[int | None, ...]
) -> Iterator[Fault]:
    """Go through faults by number, in the order of their cycles."""
    places = [injector.bit(number) for number in range(injector.bits)]
    for number in numbers:
        cycle, rest = divmod(number, injector.bits * len(held))
        bit, value = divmod(rest, len(held))
        yield Fault(*places[bit], cycle, held[value])
