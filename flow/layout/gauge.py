"""Tell Coriolis about the kit: layers, vias, routing tracks, and Katana's settings.

The wheel's own FreePDK45 set-up cannot be imported, so everything comes from flow/layout, which
reads the kit's LEF. Lengths go in as micrometres.
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
from flow.layout.technology import (
    CUTS,
    GDS_LAYERS,
    HORIZONTAL,
    METALS,
    ROW_HEIGHT,
    SITE,
    SITE_WIDTH,
    TRACKS,
    Stack,
)

GAUGE = "kit"
CELL_GAUGE = f"LEF.{SITE}"
GRID_UM = 0.0025
PIN_METAL, TOP_METAL = "metal2", METALS[-1]
# What Katana does not settle in so many steps it seldom settles in many more: repair does.
EVENTS_PER_NET = 60
# Width of the metal3 pieces that Katana itself draws around pins.
METAL3_VIA_SIDE_UM = 0.14
TOLD = tomllib.loads(Path(__file__).with_name("katana.toml").read_text())
SETTINGS = TOLD["settings"] | {
    "anabatic.routingGauge": GAUGE,
    "anabatic.cellGauge": CELL_GAUGE,
    "anabatic.topRoutingLayer": TOP_METAL,
    "anabatic.routingStyle": StyleFlags.HV,
}


def um(units: int) -> float:
    """Convert a length of ours to micrometres."""
    return units / UNITS_PER_UM


def via_name(cut: str) -> str:
    """Name the via of a cut as we do in Coriolis."""
    lower = int(cut.removeprefix("via"))
    return f"VIA{lower}{lower + 1}"


def make_technology(stack: Stack) -> Technology:
    """Make the layers and vias."""
    database = DataBase.create()
    CRL.System.get()
    technology = Technology.create(database, "kit45")
    DbU.setPrecision(2)
    DbU.setPhysicalsPerGrid(GRID_UM, DbU.UnitPowerMicro)
    with CfgCache(priority=Cfg.Parameter.Priority.ConfigurationFile) as config:
        config.gdsDriver.metricDbu = 1e-09
        config.gdsDriver.dbuPerUu = 0.001
    DbU.setGridsPerLambda(28)
    DbU.setSymbolicSnapGridStep(DbU.fromGrid(1.0))
    DbU.setPolygonStep(DbU.fromGrid(1.0))
    DbU.setStringMode(DbU.StringModePhysical, DbU.UnitPowerMicro)
    material = BasicLayer.Material
    for name, (kind, number) in TOLD["base"].items():
        createBL(technology, name, getattr(material, kind), gds2Layer=number)
    createBL(technology, "contact", material.cut, size=u(0.065), spacing=u(0.075), gds2Layer=10)
    metals = {}
    for index, metal in enumerate(METALS):
        rule = stack.layers[metal]
        metals[metal] = createBL(
            technology,
            metal,
            material.metal,
            size=u(um(rule.width)),
            spacing=u(um(rule.spacing)),
            gds2Layer=GDS_LAYERS[metal],
        )
        if index < len(CUTS):
            cut = CUTS[index]
            size = u(um(stack.layers[cut].width))
            createBL(
                *(technology, cut, material.cut),
                **{"size": size, "spacing": size, "gds2Layer": GDS_LAYERS[cut]},
            )
    for metal in METALS:
        blockage = createBL(
            *(technology, f"{metal}_blk", material.blockage),
            **{"gds2Layer": GDS_LAYERS[metal], "gds2DataType": 5},
        )
        metals[metal].setBlockageLayer(blockage)
    for cut in CUTS:
        _make_via(technology, metals, stack, cut)
    createBL(technology, "border", material.other, gds2Layer=235)
    for name, kind in TOLD["border"].items():
        createBL(technology, name, getattr(material, kind))
    return technology


def _make_via(technology: Technology, metals: dict[str, Any], stack: Stack, cut: str) -> None:
    via = stack.vias[cut]
    size = stack.layers[cut].width
    layer = createVia(technology, via_name(cut), via.below, cut, via.above, u(um(size)))
    for metal, x, y in via.shapes:
        if metal != cut:
            enclosure = (u(um(x - size // 2)), u(um(y - size // 2)))
            setEnclosures(layer, metals[metal], enclosure)


def make_gauge(technology: Technology, stack: Stack, net_count: int) -> None:
    """Make the routing tracks from metal2, which only holds pins, to metal6; set Katana up."""
    framework = CRL.AllianceFramework.get()
    gauge = CRL.RoutingGauge.create(GAUGE)
    gauge.setSymbolic(False)
    kinds = CRL.RoutingLayerGauge
    for depth, metal in enumerate(METALS[1:]):
        pitch, offset = TRACKS[metal]
        width = um(stack.layers[metal].width)
        side = METAL3_VIA_SIDE_UM if metal == "metal3" else width
        index = METALS.index(metal)
        cut = um(stack.layers[CUTS[min(index, len(CUTS) - 1)]].width)
        gauge.addLayerGauge(
            kinds.create(
                technology.getLayer(metal),
                kinds.Horizontal if metal in HORIZONTAL else kinds.Vertical,
                kinds.PinOnly if metal == PIN_METAL else kinds.Default,
                *(depth, 0.0),
                *(u(value) for value in (offset, pitch, width, side, cut, 0.0)),
            )
        )
    framework.addRoutingGauge(gauge)
    framework.setRoutingGauge(GAUGE)
    cells = CRL.CellGauge.create(
        CELL_GAUGE, PIN_METAL, u(um(SITE_WIDTH)), u(um(ROW_HEIGHT)), u(0.01)
    )
    framework.addCellGauge(cells)
    framework.setCellGauge(CELL_GAUGE)
    _configure(framework, net_count)


def _configure(framework: CRL.AllianceFramework, net_count: int) -> None:
    environment = framework.getEnvironment()
    environment.setPOWER("VDD")
    environment.setGROUND("VSS")
    environment.setBLOCKAGE("blockage[Nn]et.*")
    with CfgCache(priority=Cfg.Parameter.Priority.ConfigurationFile) as config:
        for name, value in SETTINGS.items():
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
