"""What the tests of the flow share."""

import pytest

from flow.gates.liberty import Library
from flow.layout.design import Design
from flow.layout.technology import Stack, stack_of
from tests.flow import made_up_library
from tests.flow.toys import LIBERTY


@pytest.fixture(scope="session")
def library() -> Library:
    """The kit's library, whose cells are read when they are asked for."""
    return Library(LIBERTY)


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The library of planes, whose figures are worked out by hand."""
    return made_up_library.library(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def stack() -> Stack:
    """The kit's rules of layouts."""
    return stack_of()


@pytest.fixture
def strapless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cores without straps, where these are not what a test is about."""
    monkeypatch.setattr(Design, "strap_sites", lambda self: [])
