"""Documents 002 and 003, made for long keys: their tables beside ours, and what of them holds."""

from collections.abc import Iterator

from cl.digit_serial import loading_cycles, printed_cycles, serial_products
from cl.systolic import array_cycles
from eval.catalog.point import Point
from eval.catalog.workloads import key_for
from eval.printed import document_002, document_003
from eval.study.results import StudyResult
from eval.tasks.fpga.task import OnFpga
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.simulation import Simulation
from eval.tasks.unit import MULTIPLIER
from fl.systolic import printed_words, sound_words

DIGIT = 16  # of the printed array
ARRAYS = ("systolic-printed", "systolic-16", "systolic-given")
SERIAL = "serial-pz-{}"


def cycles_of(found: StudyResult, point: Point, workload: str) -> int | None:
    """Return the simulated cycles of a workload on a point's exponentiator, if there are any."""
    result = found.results.get(Simulation(point, workload))
    return result and result.metrics.get(f"cycles_{workload}")


def array_grid(found: StudyResult) -> Grid | None:
    """Show the cycles of document 002's exponentiations beside those of ours that were simulated;
    None if none was."""
    lines = []
    for nbits, printed in document_002.EXPONENTIATION_CYCLES.items():
        ours = [cycles_of(found, Point(name, nbits), "d") for name in ARRAYS]
        counts = [printed_words(nbits, DIGIT), sound_words(nbits, DIGIT)]
        products = [array_cycles(count, count) + 2 for count in counts]
        if any(ours):
            cells = (nbits, document_002.PRODUCT_CYCLES[nbits], *products, printed, *ours)
            commands = (Simulation(Point(name, nbits), "d").command for name in ARRAYS)
            lines.append(line(*cells, commands=tuple(commands)))
    return grid(
        "Document 002's array: cycles of a product and of an exponentiation",
        (
            numbers(0, "bits", "product\n002")
            + numbers(0, "ours,\ns = n/16", "a word\nmore", "exponen-\ntiation 002")
            + numbers(0, "printed\nwords", "a word\nmore", "R, R^2\ngiven")
        ),
        lines,
        "Ours simulated (level batch), each result compared with pow: with the printed words for "
        "moduli of at most n - 2 bits, with a word more for all, and with a word more for one "
        "modulus whose R and R^2 are given, as in the document. Beyond (2n + 2) products ours take "
        "a cycle to hand over, and the way to R and R^2.",
    )


def table_4_grid(found: StudyResult) -> Grid | None:
    """Show document 002's table 4 with our array at its end; None if that was not mapped."""
    nbits = 1024
    task = OnFpga(Point("systolic-printed", nbits), "artix7", MULTIPLIER)
    if not (ours := found.results.get(task)):
        return None
    printed = [
        line(row.of, row.mhz, row.cycles, row.time_us, row.luts, row.ffs, row.dsp)
        for row in document_002.TABLE_4
    ]
    counts = (ours.metrics[name] for name in ("luts", "ffs", "dsp"))
    cycles = document_002.PRODUCT_CYCLES[nbits]
    own = line("ours, Artix-7", None, cycles, None, *counts, commands=(task.command,))
    return grid(
        f"Document 002's table 4: a product of {nbits} bits in radix 2^{DIGIT}",
        (
            words("by")
            + numbers(0, "MHz", "cycles")
            + numbers(2, "time\nus")
            + numbers(0, "LUT", "FF", "DSP")
        ),
        [*printed, own],
        "Ours: systolic-printed, mapped by yosys, not placed, so that it has no frequency.",
    )


def serial_grid(found: StudyResult) -> Grid | None:
    """Show document 003's figure 17.4 beside what was simulated; None if nothing was."""
    nbits, mod = document_003.NBITS, key_for(document_003.NBITS).n
    products = serial_products(document_003.EXPONENT, nbits, with_z=True)
    lines = []
    for row in document_003.ROWS:
        point = Point(SERIAL.format(row.word_bits), nbits)
        if not (ours := cycles_of(found, point, "e")):
            continue
        right = printed_cycles(nbits, row.word_bits, products)
        loading = loading_cycles(nbits, row.word_bits, mod)
        time_ms = right * row.period_ns / 1e6
        cells = (
            *(row.word_bits, row.cycles, right, loading, ours, row.period_ns, row.time_ms, time_ms),
            *(row.area_time, row.slices * time_ms),
        )
        lines.append(line(*cells, commands=(Simulation(point, "e").command,)))
    return grid(
        "Document 003's figure 17.4: an encryption of 1024 bits, e = 65537",
        (
            numbers(0, "S", "cycles\n003", "by its\nformula", "loading\nand R^2", "ours,\nin all")
            + numbers(2, "period\nns, 003", "time ms\n003", "cycles x\nperiod")
            + numbers(0, "slices x\nms, 003", "right")
        ),
        lines,
        "Ours simulated (level batch), each result compared with pow; in all = by its formula + "
        "loading and R^2, which the document leaves out. Right: its slices x cycles x period.",
    )


def reasons_long_keys(found: StudyResult) -> list[str]:
    """Say which claims of documents 002 and 003 hold, in studies that have their tables."""
    return [*_of_002(found), *_of_003(found)]


def _of_002(found: StudyResult) -> Iterator[str]:
    nbits = 1024
    ours = cycles_of(found, Point("systolic-16", nbits), "d")
    if not ours:
        return
    before, printed = document_002.CYCLES_BEFORE, document_002.EXPONENTIATION_CYCLES[nbits]
    yield (
        f"Document 002 saves {before - printed} of {before} cycles at {nbits} bits. That holds "
        f"for moduli of at most {nbits - 2} bits, with R and R^2 at hand. A modulus of all bits "
        f"needs a word more, or a sum loses its top bit; ours, which also finds R and R^2, takes "
        f"{ours}: {before - ours} less."
    )
    own = document_002.OWN
    faster = [
        f"{row.of} {row.time_us:.2f}" for row in document_002.TABLE_4 if row.time_us < own.time_us
    ]
    yield (
        f"Document 002 calls its multiplier faster. By cycles x period of its own table 4 it takes "
        f"{own.time_us:.2f} us a product, and these take less: {', '.join(faster)}."
    )


def _of_003(found: StudyResult) -> Iterator[str]:
    if not serial_grid(found):
        return
    swapped = [row.word_bits for row in document_003.ROWS if row.word_bits in (64, 128)]
    yield (
        f"Document 003's cycles for S = {swapped[0]} and {swapped[1]} stand in each other's row: "
        "its times are those of the right ones, and so are our hardware's cycles."
    )
    limits = {row.word_bits: row for row in document_003.ROWS if row.limits != "adder"}
    for bits, row in limits.items():
        memory, adder, _ = row.parts_ns
        yield (
            f"Document 003 says that the adder limits the period. At S = {bits} its own figure "
            f"17.3 says otherwise: the {row.limits} takes {memory} ns, the adder {adder}."
        )
    last = document_003.ROWS[-1]
    time_ms = last.cycles * last.period_ns / 1e6
    yield (
        f"At S = {last.word_bits} document 003 prints {last.time_ms} ms and {last.area_time} "
        f"slices x ms; its cycles x period are {time_ms:.2f} ms and {last.slices * time_ms:.0f}."
    )
