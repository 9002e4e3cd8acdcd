"""The solver of cross-sections against closed forms: plates, strips, a thick wire."""

import math

import pytest

from flow.layout.field import EPSILON_0, Box, charges

pytestmark = pytest.mark.quick


def elliptic(k: float) -> float:
    """The complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-14:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / 2 / a


def strip(k: float) -> float:
    """What a strip in the middle between two planes has, in permittivities, by conformal maps."""
    return 4 * elliptic(k) / elliptic(math.sqrt(1 - k * k))


def test_plates_by_area_over_distance() -> None:
    """Two widths of a plate differ by what has no edge: the permittivity over the distance."""
    wide, wider = (charges([Box(-w / 2, 0.1, w / 2, 0.1, 200)], [1], 2.5)[0] for w in (20.0, 30.0))
    assert (wider - wide) / 10 == pytest.approx(2.5 * 8.854e-3 / 0.1, rel=4e-3)


@pytest.mark.parametrize("width", [0.05, 0.14, 0.6])
def test_a_strip_between_planes(width: float) -> None:
    apart = 0.5
    boxes = [Box(-width / 2, apart / 2, width / 2, apart / 2, 32), Box(-5, apart, 5, apart, 160)]
    own, plane = charges(boxes, [1, 0], 3.9)
    exact = 3.9 * EPSILON_0 * strip(math.tanh(math.pi * width / 2 / apart))
    assert own == pytest.approx(exact, rel=2e-3)
    assert plane == pytest.approx(-own / 2, rel=2e-3)  # as much as the plane below


@pytest.mark.parametrize("space", [0.07, 0.3])
def test_two_strips_between_planes(space: float) -> None:
    """Both at 1 V, then one at 1 V and one at -1 V."""
    width, apart = 0.14, 0.5
    at = [(-space / 2 - width, -space / 2), (space / 2, space / 2 + width)]
    boxes = [Box(low, apart / 2, high, apart / 2, 32) for low, high in at]
    boxes.append(Box(-5, apart, 5, apart, 160))
    one, both = (math.tanh(math.pi * w / 2 / apart) for w in (width, width + space))
    for other, k in ((1, one * both), (-1, one / both)):
        assert charges(boxes, [1, other, 0], 1)[0] == pytest.approx(EPSILON_0 * strip(k), rel=3e-3)


def test_a_thick_wire_by_a_fitted_formula() -> None:
    """1.15 w/h + 2.80 (t/h)^0.222, which is good to 6 % (Sakurai and Tamaru)."""
    for width, thick, high in ((0.07, 0.14, 0.12), (0.14, 0.28, 0.29), (0.5, 0.14, 0.5)):
        fitted = 1.15 * width / high + 2.80 * (thick / high) ** 0.222
        [own] = charges([Box(0, high, width, high + thick)], [1], 1)
        assert own / EPSILON_0 == pytest.approx(fitted, rel=0.06)


def test_what_two_have_between_them_is_the_same_from_both() -> None:
    boxes = [Box(0, 0.2, 0.1, 0.5), Box(0.3, 0.1, 0.9, 0.3)]
    assert charges(boxes, [1, 0], 1)[1] == pytest.approx(charges(boxes, [0, 1], 1)[0], rel=5e-3)
