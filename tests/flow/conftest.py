"""What the tests of the flow share."""

import pytest

from flow.gates.liberty import Library
from flow.layout.technology import Stack, stack_of
from tests.flow.toys import LIBERTY


@pytest.fixture(scope="session")
def library() -> Library:
    """The kit's library, whose cells are read when they are asked for."""
    return Library(LIBERTY)


@pytest.fixture(scope="session")
def stack() -> Stack:
    """The kit's rules of layouts."""
    return stack_of()
