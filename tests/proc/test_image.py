"""Images: programs that just fit a memory, and those that just do not."""

import pytest

from proc.programs.image import LARGEST_MEMORY, Image, Segment
from sim.errors import UserError

pytestmark = pytest.mark.quick


def image(address: int, data: bytes, zeros: int = 0) -> Image:
    return Image((Segment(address, data, zeros=zeros),))


@pytest.mark.parametrize(("data", "zeros"), [(b"1234", 0), (b"", 4), (b"1", 3)])
def test_a_program_up_to_the_last_byte_fits(data: bytes, zeros: int) -> None:
    memory = image(0x7C, data, zeros).memory(0x80)
    assert bytes(memory) == bytes(0x7C) + data + bytes(zeros)
    with pytest.raises(UserError, match=r"bytes 0x7d..0x80 do not fit in a memory of 0x80 bytes"):
        image(0x7D, data, zeros).memory(0x80)


@pytest.mark.parametrize(
    ("end", "advice"), [(LARGEST_MEMORY, "give more memory"), (LARGEST_MEMORY + 1, "link it lower")]
)
def test_what_would_help(end: int, advice: str) -> None:
    with pytest.raises(UserError, match=advice):
        image(end - 4, b"1234").check_fits(0x80)


@pytest.mark.parametrize("size", [-4, 0, 2, 6])
def test_no_memory(size: int) -> None:
    with pytest.raises(UserError, match="give a positive multiple of 4 bytes"):
        image(0, b"").check_fits(size)


def test_the_least_memory() -> None:
    assert image(0, b"\x01\x02\x03\x84").words(4) == [0x84030201]
