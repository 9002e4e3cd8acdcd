"""Variants with units or control of their own keep the contract, too."""

import pytest

from eval.catalog import find
from eval.contract.design import PARTS, Check


@pytest.mark.parametrize("level", ["cl", "batch"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["mul-rem-001", "mmm-004-printed", "mont-ladder"])
def test_the_contract(name, part, level):
    cases, stalled = Check(part, 8, level).run(find(name))
    assert cases > 50
    assert stalled
