"""Tell Coriolis about the kit: layers, vias, routing tracks, and Katana's settings.

The wheel's own FreePDK45 set-up cannot be imported, so everything comes from the technology's
rules. Lengths go in as micrometres. Coriolis draws nothing, and so is told no layers of GDS.
"""

import tomllib
from operator import attrgetter
from pathlib import Path
from typing import Any

from coriolis import CRL, Cfg
from coriolis.Anabatic import StyleFlags
from coriolis.helpers import u
from coriolis.helpers.overlay import CfgCache
from coriolis.helpers.technology import createBL, createVia, setEnclosures
from coriolis.Hurricane import BasicLayer, DataBase, DbU, Library, Technology

from flow.layout.lef import UNITS_PER_UM
from flow.layout.technology import Stack

GAUGE = "kit"
# What Katana does not settle in so many steps it seldom settles in many more: repair does.
EVENTS_PER_NET = 60
TOLD = tomllib.loads(Path(__file__).with_name("katana.toml").read_text())


def settings(stack: Stack) -> dict[str, Any]:
    """List Katana's settings."""
    return {
        **TOLD["settings"],
        **stack.rules.routing.settings,
        "anabatic.routingGauge": GAUGE,
        "anabatic.cellGauge": cell_gauge(stack),
        "anabatic.topRoutingLayer": stack.metals[-1],
        "anabatic.routingStyle": StyleFlags.HV,
    }


def cell_gauge(stack: Stack) -> str:
    """Name the gauge of cells."""
    return f"LEF.{stack.cells.site}"


def um(units: int) -> float:
    """Convert a length of ours to micrometres."""
    return units / UNITS_PER_UM


def via_name(stack: Stack, cut: str) -> str:
    """Name the via of a cut as we do in Coriolis."""
    lower = stack.cuts.index(cut) + 1
    return f"VIA{lower}{lower + 1}"


def make_technology(stack: Stack) -> Technology:
    """Make the layers and vias."""
    database = DataBase.create()
    CRL.System.get()
    technology = Technology.create(database, "kit")
    grid = stack.rules.routing.grid_um
    DbU.setPrecision(2)
    DbU.setPhysicalsPerGrid(grid, DbU.UnitPowerMicro)
    with CfgCache(priority=Cfg.Parameter.Priority.ConfigurationFile) as config:
        config.gdsDriver.metricDbu = 1e-09
        config.gdsDriver.dbuPerUu = 0.001
    DbU.setGridsPerLambda(round(um(stack.layers[stack.routed[0]].width) / grid))
    DbU.setSymbolicSnapGridStep(DbU.fromGrid(1.0))
    DbU.setPolygonStep(DbU.fromGrid(1.0))
    DbU.setStringMode(DbU.StringModePhysical, DbU.UnitPowerMicro)
    material = BasicLayer.Material
    for name, kind in TOLD["base"].items():
        createBL(technology, name, getattr(material, kind))
    metals = {}
    for index, metal in enumerate(stack.metals):
        rule = stack.layers[metal]
        metals[metal] = createBL(
            technology,
            metal,
            material.metal,
            size=u(um(rule.width)),
            spacing=u(um(rule.spacing)),
        )
        if index < len(stack.cuts):
            cut = stack.cuts[index]
            size = u(um(stack.layers[cut].width))
            createBL(technology, cut, material.cut, size=size, spacing=size)
    for metal in stack.metals:
        blockage = createBL(technology, f"{metal}_blk", material.blockage)
        metals[metal].setBlockageLayer(blockage)
    for cut in stack.cuts:
        _make_via(technology, metals, stack, cut)
    createBL(technology, "border", material.other)
    for name, kind in TOLD["border"].items():
        createBL(technology, name, getattr(material, kind))
    return technology


def _make_via(technology: Technology, metals: dict[str, Any], stack: Stack, cut: str) -> None:
    via = stack.vias[cut]
    size = stack.layers[cut].width
    layer = createVia(technology, via_name(stack, cut), via.below, cut, via.above, u(um(size)))
    for metal, x, y in via.shapes:
        if metal != cut:
            enclosure = (u(um(x - size // 2)), u(um(y - size // 2)))
            setEnclosures(layer, metals[metal], enclosure)


def make_gauge(technology: Technology, stack: Stack, net_count: int) -> None:
    """Make the routing tracks from the strips' metal, which only holds pins, up; set Katana up."""
    framework = CRL.AllianceFramework.get()
    gauge = CRL.RoutingGauge.create(GAUGE)
    gauge.setSymbolic(False)
    kinds = CRL.RoutingLayerGauge
    for depth, metal in enumerate(stack.metals[1:]):
        pitch, offset = map(um, stack.tracks[metal])
        width = um(stack.layers[metal].width)
        side = stack.rules.routing.across_um if metal == stack.routed[0] else width
        cut = um(stack.layers[stack.cuts[min(depth + 1, len(stack.cuts) - 1)]].width)
        gauge.addLayerGauge(
            kinds.create(
                technology.getLayer(metal),
                kinds.Horizontal if metal in stack.horizontal else kinds.Vertical,
                kinds.PinOnly if metal == stack.pin_metal else kinds.Default,
                *(depth, 0.0),
                *(u(value) for value in (offset, pitch, width, side, cut, 0.0)),
            )
        )
    framework.addRoutingGauge(gauge)
    framework.setRoutingGauge(GAUGE)
    cells = CRL.CellGauge.create(
        *(cell_gauge(stack), stack.pin_metal, u(um(stack.site_width)), u(um(stack.row_height))),
        u(0.01),
    )
    framework.addCellGauge(cells)
    framework.setCellGauge(cell_gauge(stack))
    _configure(framework, stack, net_count)


def _configure(framework: CRL.AllianceFramework, stack: Stack, net_count: int) -> None:
    environment = framework.getEnvironment()
    environment.setPOWER("VDD")
    environment.setGROUND("VSS")
    environment.setBLOCKAGE("blockage[Nn]et.*")
    with CfgCache(priority=Cfg.Parameter.Priority.ConfigurationFile) as config:
        for name, value in settings(stack).items():
            section, _, key = name.rpartition(".")
            setattr(attrgetter(section)(config), key, value)
        config.katana.eventsLimit = EVENTS_PER_NET * net_count


def load_library(cells_lef: Path) -> Library:
    """Load the cells of a LEF file."""
    framework = CRL.AllianceFramework.get()
    library = Library.create(DataBase.getDB().getRootLibrary(), "kit_cells")
    framework.wrapLibrary(library, 0)
    CRL.LefImport.setMergeLibrary(library)
    CRL.LefImport.load(str(cells_lef))
    framework.wrapLibrary(library, 1)
    return library
