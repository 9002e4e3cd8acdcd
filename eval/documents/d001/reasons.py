"""Why the systems' figures differ from document 001's, in sentences made of measured numbers."""

from collections.abc import Iterator

from eval.catalog.processor import NULL, SYSTEM, WORD
from eval.catalog.workloads import WORKLOADS
from eval.documents.systems import printed, printed_areas, printed_call
from eval.study.results import StudyResult
from eval.tasks.execution import Call, Execution
from eval.tasks.execution_section import call_of
from eval.tasks.flow_run.grids import plain
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.systems import MONTGOMERY, NAIVE, SYSTEMS, System

STEPS = 32  # of a division with the seed divider


def system_reasons(found: StudyResult) -> list[str]:
    """Say why the systems that were measured differ from the document's."""
    return [*_naive(found), *_montgomery(found), *_accelerators(found), *_areas(found)]


def products(workload: str) -> int:
    """Count the products of a right-to-left exponentiation: a square per bit, a product per one."""
    exponent = WORKLOADS[workload].request(WORD).exp
    return exponent.bit_length() + exponent.bit_count()


def _calls(found: StudyResult, system: System, divider: str) -> dict[str, Call]:
    """Find what a call on a system takes, by workload; empty if it was not measured."""
    rows = found.of(Execution)
    return {w: call for w in WORKLOADS if (call := call_of(rows, system, divider, w))}


def _naive(found: StudyResult) -> Iterator[str]:
    seed, fast = (_calls(found, NAIVE, divider) for divider in ("seed", "fast"))
    if not seed or not fast:
        return
    ours, count, theirs = seed["e"], products("e"), printed_call(NAIVE, "e").cycles
    dividing = STEPS * ours.divisions
    of_ours, of_printed = ((cycles - dividing) / count for cycles in (ours.cycles, theirs))
    yield (
        f"Naive C: an encryption is {count} products, {ours.instructions} instructions, "
        f"{ours.divisions} of them divisions: the compiler's library makes each 64-bit "
        f"remainder of {ours.divisions // count} divisions of 32 bits. With the seed divider "
        f"these take {STEPS} steps each, {dividing} of the {ours.cycles} cycles. The document "
        f"prints {theirs} cycles and no counts of instructions; if its program divides as often "
        f"and as slowly, all else takes {of_printed:.0f} cycles per product there and "
        f"{of_ours:.0f} here: {ours.instructions / count:.0f} instructions, and waiting for jumps "
        "and operands."
    )
    yield (
        "The fast divider skips leading zeros, and gives the remainder at once after the quotient "
        "of the same operands, which is what the library asks for: "
        f"{fast['e'].cycles} and {fast['d'].cycles} cycles for the same instructions."
    )


def _montgomery(found: StudyResult) -> Iterator[str]:
    ours = _calls(found, MONTGOMERY, "seed")
    if not ours:
        return
    (printed_step, printed_rest), (step, rest) = (
        _line(calls["e"].cycles, calls["d"].cycles) for calls in (printed(MONTGOMERY).calls, ours)
    )
    yield (
        f"Montgomery C: between its encryption and decryption the document's takes "
        f"{printed_step:.0f} cycles per product, which leaves {printed_rest:.0f} for the way into "
        f"and out of the Montgomery domain; ours takes {step:.0f} and {rest:.0f}. Ours is "
        f"{ours['e'].instructions} instructions with {ours['e'].divisions} division: R^2 "
        "mod n comes from one remainder and five squarings, only the base is converted, and a "
        "product takes three multiplications and no loop."
    )


def _line(encryption: int, decryption: int) -> tuple[float, float]:
    """Find the cycles per product, and those that do not depend on the exponent."""
    step = (decryption - encryption) / (products("d") - products("e"))
    return step, encryption - step * products("e")


def _accelerators(found: StudyResult) -> Iterator[str]:
    for system in SYSTEMS:
        ours = _calls(found, system, "seed")
        if system.attached != NULL and ours:
            yield (
                f"{system.title[0].upper()}{system.title[1:]}: the call takes "
                f"{ours['e'].instructions} instructions more than one that returns a constant "
                f"(the document's {printed_call(system, 'e').cycles} cycles hold them too); all "
                f"other cycles of {ours['e'].cycles} and {ours['d'].cycles} are the accelerator's, "
                "so the divider of the processor does not matter."
            )


def _areas(found: StudyResult) -> Iterator[str]:
    areas = {
        task.point.attached: result.metrics["area_um2"]
        for task, result in reversed(plain(found.of(FlowRun)).items())
        if task.unit == SYSTEM
    }
    if NULL not in areas:
        return
    bare, theirs = areas[NULL], printed_areas()[NULL]
    yield (
        f"Processor with a null accelerator: {bare:.1f} um2, {_change(bare, theirs)} than the "
        f"printed {theirs:.1f}, which is that of a layout."
    )
    for name, area in areas.items():
        if (added := printed_areas().get(name, theirs) - theirs) > 0:
            yield (
                f"{name} adds {area - bare:.1f} um2 to it, {_change(area - bare, added)} than the "
                f"{added:.1f} by which the document's grows."
            )


def _change(ours: float, printed: float) -> str:
    """Say by how much ours differs: "3.2 % smaller", for instance."""
    change = 100 * (ours / printed - 1)
    return f"{abs(change):.1f} % {'larger' if change > 0 else 'smaller'}"
