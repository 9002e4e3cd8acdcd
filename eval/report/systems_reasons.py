"""Why the systems' figures differ from document 001's, in sentences made of measured numbers."""

from eval.catalog.processor import NAIVE, NULL, PRINTED_AREAS, TABLE_1, WORD, System
from eval.catalog.workloads import WORKLOADS
from eval.study.results import StudyResult
from eval.tasks.execution import Execution
from eval.tasks.measure import Hardening

STEPS = 32  # of a division with the seed divider
MONTGOMERY = TABLE_1[1]


def system_reasons(found: StudyResult) -> list[str]:
    """Sentences on what was measured."""
    return [*_naive(found), *_montgomery(found), *_accelerators(found), *_areas(found)]


def products(workload: str) -> int:
    """Modular products of a right-to-left exponentiation: a square a bit, a product a one."""
    exponent = WORKLOADS[workload].request(WORD).exp
    return exponent.bit_length() + exponent.bit_count()


def _windows(found: StudyResult, system: System, divider: str) -> dict[str, dict[str, int]]:
    """Cycles, instructions and divisions of each workload; empty if not measured."""
    task = Execution(system.on(divider), system.variant)
    return found.executions.get(task, {}).get("normalised", {})


def _naive(found: StudyResult) -> list[str]:
    seed, fast = (_windows(found, NAIVE, divider) for divider in ("seed", "fast"))
    if not seed or not fast:
        return []
    ours, count, printed = seed["e"], products("e"), NAIVE.cycles_e
    dividing = STEPS * ours["divisions"]
    of_ours, of_printed = ((cycles - dividing) / count for cycles in (ours["cycles"], printed))
    return [
        f"Naive C: an encryption is {count} products, {ours['instructions']} instructions, "
        f"{ours['divisions']} of them divisions: the compiler's library makes each 64-bit "
        f"remainder of {ours['divisions'] // count} divisions of 32 bits. With the seed divider "
        f"these take {STEPS} steps each, {dividing} of the {ours['cycles']} cycles. The document "
        f"prints {printed} cycles and no counts of instructions; if its program divides as often "
        f"and as slowly, all else takes {of_printed:.0f} cycles a product there and {of_ours:.0f} "
        f"here: {ours['instructions'] / count:.0f} instructions, and waiting for jumps and "
        "operands.",
        "The fast divider skips leading zeros, and gives the remainder at once after the quotient "
        "of the same operands, which is what the library asks for: "
        f"{fast['e']['cycles']} and {fast['d']['cycles']} cycles for the same instructions.",
    ]


def _montgomery(found: StudyResult) -> list[str]:
    ours = _windows(found, MONTGOMERY, "seed")
    if not ours:
        return []
    printed_step, printed_rest = _line(MONTGOMERY.cycles_e, MONTGOMERY.cycles_d)
    step, rest = _line(ours["e"]["cycles"], ours["d"]["cycles"])
    return [
        f"Montgomery C: between its encryption and decryption the document's takes "
        f"{printed_step:.0f} cycles a product, which leaves {printed_rest:.0f} for the way into "
        f"and out of the Montgomery domain; ours takes {step:.0f} and {rest:.0f}. Ours is "
        f"{ours['e']['instructions']} instructions with {ours['e']['divisions']} division: R^2 "
        "mod n comes from one remainder and five squarings, only the base is converted, and a "
        "product takes three multiplications and no loop."
    ]


def _line(encryption: int, decryption: int) -> tuple[float, float]:
    """Cycles a product, and those that do not depend on the exponent."""
    step = (decryption - encryption) / (products("d") - products("e"))
    return step, encryption - step * products("e")


def _accelerators(found: StudyResult) -> list[str]:
    lines = []
    for system in found.study.systems:
        ours = _windows(found, system, "seed")
        if system.attached != NULL and ours:
            lines.append(
                f"{system.title[0].upper()}{system.title[1:]}: the call takes "
                f"{ours['e']['instructions']} instructions more than one that returns a constant "
                f"(the document's {system.cycles_e} cycles hold them too); all other cycles of "
                f"{ours['e']['cycles']} and {ours['d']['cycles']} are the accelerator's, so the "
                "divider of the processor does not matter."
            )
    return lines


def _areas(found: StudyResult) -> list[str]:
    areas = {
        processor.attached: found.processors[task]["metrics"]["area_um2"]
        for processor in found.study.processors
        if (task := Hardening(processor, "system", found.study.clock_ns)) in found.processors
    }
    if NULL not in areas:
        return []
    bare, printed = areas[NULL], PRINTED_AREAS[NULL]
    lines = [
        f"Processor with a null accelerator: {bare:.1f} um2, {_change(bare, printed)} than the "
        f"printed {printed:.1f}, which is that of a layout."
    ]
    lines += [
        f"{name} adds {area - bare:.1f} um2 to it, {_change(area - bare, added)} than the "
        f"{added:.1f} by which the document's grows."
        for name, area in areas.items()
        if (added := PRINTED_AREAS.get(name, printed) - printed) > 0
    ]
    return lines


def _change(ours: float, printed: float) -> str:
    """ "3.2 % smaller", say."""
    change = 100 * (ours / printed - 1)
    return f"{abs(change):.1f} % {'larger' if change > 0 else 'smaller'}"
