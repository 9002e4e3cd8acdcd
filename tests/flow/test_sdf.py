"""Names in SDF files for simulators that find no escaped ones."""

import pytest

from flow.layout.sdf import plain_names, renamed, unconditional
from flow.netlist import Instance, Netlist, Port

pytestmark = pytest.mark.quick

TEXT = r"""  (INSTANCE)
    (INTERCONNECT a[5] u\.g\[1\].A1 (0.013::0.013) (0.006::0.006))
    (INTERCONNECT u\.g\[1\].Z _25_.A (0.013::0.013) (0.006::0.006))
  (INSTANCE u\.g\[1\])
  (INSTANCE _25_)
"""


def test_instances_get_plain_names() -> None:
    cells = [Instance(name, "BUF_X1", {}) for name in ("u.g[1]", "_25_", "cell_u_g_1__0")]
    names = plain_names(Netlist("Top", {}, cells, {"n": 2}))
    assert names == {
        "u.g[1]": "cell_u_g_1__0_",  # one that is taken gets a further underscore
        "_25_": "_25_",
        "cell_u_g_1__0": "cell_u_g_1__0",
    }
    assert (
        renamed(TEXT, names)
        == """  (INSTANCE)
    (INTERCONNECT a[5] cell_u_g_1__0_.A1 (0.013::0.013) (0.006::0.006))
    (INTERCONNECT cell_u_g_1__0_.Z _25_.A (0.013::0.013) (0.006::0.006))
  (INSTANCE cell_u_g_1__0_)
  (INSTANCE _25_)
"""
    )


@pytest.mark.parametrize("kind", ["port", "net", "cell"])
def test_a_plain_name_is_no_other_name(kind: str) -> None:
    cells, ports, nets = [Instance("u.g", "BUF_X1", {})], {}, {}
    taken = "cell_u_g_0"
    if kind == "port":
        ports[taken] = Port(False, (2,))
    elif kind == "net":
        nets[taken] = 2
    else:
        cells.append(Instance(taken, "BUF_X1", {}))
    assert plain_names(Netlist("Top", ports, cells, nets))["u.g"] == f"{taken}_"


XOR = """    (COND (B == 1'b1)
     (IOPATH A Z (0.029::0.033) (0.020::0.021)))
    (COND (B == 1'b0)
     (IOPATH A Z (0.053::0.054) (0.010::0.011)))
    (COND (A == 1'b1)
     (IOPATH B Z (0.033::0.036) (0.017::0.020)))
    (IOPATH C Z (0.001::0.002) (0.003::0.004))
"""


def test_delays_under_conditions_are_one() -> None:
    assert (
        unconditional(XOR)
        == """    (IOPATH A Z (0.029::0.054) (0.010::0.021))
    (IOPATH B Z (0.033::0.036) (0.017::0.020))
    (IOPATH C Z (0.001::0.002) (0.003::0.004))
"""
    )
