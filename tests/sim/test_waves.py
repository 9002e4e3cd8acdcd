"""What the bus did as text."""

import pytest

from sim.waves import CYCLES_A_LINE, Waves

pytestmark = pytest.mark.quick


class Counting:
    """Pins whose signals follow from the number of the cycle."""

    def __init__(self) -> None:
        self.cycle = 0

    def value(self, name: str) -> int:
        if name.endswith("valid"):
            return self.cycle % 2
        return self.cycle if name.endswith(("addr", "data")) else self.cycle % 3 == 0

    def edge(self) -> None:
        self.cycle += 1


def lines_of(first: int, last: int, cycles: int) -> list[str]:
    pins = Counting()
    waves = Waves(pins, first, last)
    for _ in range(cycles):
        pins.edge()
    assert pins.cycle == cycles
    return list(waves.lines())


def row(name: str, lines: list[str]) -> list[str]:
    """What stands in each cycle, of a signal; a high one is 1."""
    [found] = [line for line in lines if line.split()[0] == name]
    text = found[8:]
    return [text[at : at + 9].strip() for at in range(0, len(text), 9)]


def test_bits_and_what_is_carried():
    lines = lines_of(3, 6, 10)
    assert row("cycle", lines) == ["3", "4", "5", "6"]
    assert [set(cell) for cell in row("irq", lines)] == [{"▔"}, {"▁"}, {"▁"}, {"▔"}]
    assert row("awaddr", lines) == ["03", ".", "05", "."]
    assert row("rdata", lines) == ["00000003", ".", "00000005", "."]


def test_lines_are_broken_and_end_with_the_run():
    lines = lines_of(0, 40, CYCLES_A_LINE + 2)
    heads = [line.split()[1:] for line in lines if line.startswith("cycle")]
    assert [len(head) for head in heads] == [CYCLES_A_LINE, 2]
    signals = [line.split()[0] for line in lines]
    assert signals[: len(lines) // 2] == signals[len(lines) // 2 :]
    assert max(map(len, lines)) <= 80
    assert lines_of(20, 30, 10) == []
