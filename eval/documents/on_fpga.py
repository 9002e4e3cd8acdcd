"""The documents' figures of FPGAs beside ours."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from eval.catalog.point import Point
from eval.documents.published import Published, published
from eval.table import Row, Table, numbers, ratio, words
from eval.tasks.fpga.section import HEADINGS
from eval.tasks.fpga.task import FpgaResult, OnFpga
from eval.tasks.section import measured
from eval.tasks.unit import EXPONENTIATOR, MULTIPLIER
from flow.results.record import Metrics

SLICES = "slices"
WORDS = HEADINGS | {SLICES: "slices"}


class Beside(NamedTuple):
    """A printed figure and our unit beside it."""

    figure: Published
    ours: OnFpga


@cache
def beside() -> tuple[Beside, ...]:
    """Set our unit beside each figure of an FPGA: the multiplier or the exponentiator."""
    return tuple(
        Beside(figure, OnFpga(Point(figure.design, figure.nbits), figure.device, unit))
        for figure in published()
        if figure.device
        for unit in [MULTIPLIER if figure.of == MULTIPLIER else EXPONENTIATOR]
    )


def tasks_to(nbits: int) -> tuple[OnFpga, ...]:
    """List our units beside the documents' figures of at most so many bits, each once."""
    return tuple(dict.fromkeys(row.ours for row in beside() if row.figure.nbits <= nbits))


def in_unit(resource: str, metrics: Metrics) -> int:
    """Convert our figure to the document's unit."""
    if resource == SLICES:
        return -(-max(metrics["luts"], metrics["ffs"]) // 2)
    return metrics[resource]


def _printed(rows: Mapping[OnFpga, FpgaResult | None]) -> Iterator[Row]:
    """Go through the documents' figures of which ours was measured."""
    found = measured(rows)
    for figure, task in beside():
        if task in found:
            ours = in_unit(figure.what, found[task].metrics)
            yield Row(task, found[task], figure=figure, ours=ours)


BESIDE = Table(
    "The documents' FPGA figures beside ours",
    words({"printed in": "figure.source", "design": "figure.of"})
    + numbers(0, {"bits": "figure.nbits"})
    + words({"of": lambda row: WORDS[row.figure.what]})
    + numbers(0, {"docu-\nment": "figure.value"})
    + words({"ours": "point.design"})
    + numbers(0, {"ours,\nyosys": "ours"})
    + numbers(2, {"ratio": ratio("ours", "figure.value")})
    + words({"algo-\nrithm": "figure.algorithm"}),
    "The documents' counts are of the vendors' tools, after placing; ours are mapped by "
    "yosys for the same family. Algorithm: radix is a unit of document 002's radix 2^16 that "
    "takes the words of a step in one cycle, with two multipliers for each, where the array "
    "takes them one after the other with one. Slices of a Virtex-E: "
    "two tables and two registers make one, so at least half of the larger count. The "
    "documents' frequencies have no counterpart: ours are not placed on these families.",
    rows=_printed,
)
