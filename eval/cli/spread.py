"""`modexplorer spread`: how a design's cycles are spread over random messages."""

from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import NUMBER, Number, cli_command, nbits_option, option, tell

if TYPE_CHECKING:
    from eval.catalog.design import Design

MOST_MESSAGES = 1_000_000


@cli_command("spread mul-rem-001 --nbits 32 --messages 1000")
@click.argument("design")
@nbits_option
@option("--messages M", "Random messages.", Number(2, MOST_MESSAGES), default=1000)
@option("--seed S", "Draw the same messages for the same seed.", NUMBER, default=1)
def command(design: str, nbits: int, messages: int, seed: int, as_json: bool) -> None:
    """Find how DESIGN's cycles are spread over random messages under the workloads' key.

    Each message below the modulus is encrypted and decrypted again, by the formula of the design's
    cycles. `as the workload's` counts the messages that take as many cycles as the workload's own
    message, in both operations at once: how much the cycles of both tell of a message.
    """
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter

    point = Point(design, nbits)
    with Reporter(f"{point}, {messages} messages") as progress:
        progress.now("counting")
        found = spread(point.entry, nbits, messages, seed)
    answer = {"design": design, "nbits": nbits, "messages": messages, "seed": seed} | found
    lines = [
        "workload {0}  {workload} cycles; mean {mean:.1f}, deviation {deviation:.1f}, from {least} "
        "to {most}".format(workload, **cycles)
        for workload, cycles in found["workloads"].items()
    ]
    tell(answer, [*lines, f"as the workload's in both  {found['same']} of {messages}"], as_json)


def spread(design: "Design", nbits: int, messages: int, seed: int) -> dict[str, Any]:
    """Describe the cycles of random messages by workload, beside those of the workload's own, and
    count the messages whose cycles are the same as the workload's in all of them."""
    from eval.catalog.workloads import WORKLOADS, key_for

    key = (design.moduli.key or key_for)(nbits)
    cycles = design.at(nbits).latency

    def both(message: int) -> Iterator[int]:
        yield cycles(message, key.e, key.n)
        yield cycles(pow(message, key.e, key.n), key.d, key.n)

    rng = Random(seed)
    drawn = [tuple(both(rng.randrange(key.n))) for _ in range(messages)]
    own = tuple(both(WORKLOADS["e"].request(nbits, design.moduli.key).base))
    return {
        "workloads": {
            name: {
                "workload": own[number],
                "mean": fmean(of_all),
                "deviation": stdev(of_all),
                "least": min(of_all),
                "most": max(of_all),
            }
            for number, (name, of_all) in enumerate(
                zip(WORKLOADS, zip(*drawn, strict=True), strict=True)
            )
        },
        "same": sum(one == own for one in drawn),
    }
