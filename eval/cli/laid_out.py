"""What commands have in common that take a unit of a design, or its layout."""

import functools
from collections.abc import Callable
from typing import Any

import click

from eval.cli.options import NUMBER, flag, option, tech_options
from flow.request import Request


def unit_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add a design and which of its units, clock and technology, gated clocks and the share of the
    core that is cells; the command gets the first two as `target` and `unit`, as
    `OfLayout.of_command` takes all of them."""

    @click.argument("design")
    @option("--nbits N", "Width of the design in bits.", NUMBER)
    @option(
        "--unit UNIT",
        "Of a design: accelerator (the whole, if not given), multiplier (one modular multiplier by "
        "itself), peripheral (the exponentiator on a bus) or core (of others, without an adapter).",
    )
    @option("--divider NAME", "Of the processor: seed (always 32 steps, if not given) or fast.")
    @flag("--gated", Request.help("gated"))
    @option("--fill PERCENT", Request.help("utilisation"), NUMBER)
    @tech_options
    @functools.wraps(command)
    def run(
        design: str, nbits: int | None, unit: str | None, divider: str | None, **named: Any
    ) -> None:
        from eval.catalog.processor import Processor, on_bus, target_of, unit_of

        target = target_of(design, nbits, divider)
        if unit == "peripheral" and isinstance(target, Processor):
            target = on_bus(target)
        command(target=target, unit=unit_of(target, unit), **named)

    return run
