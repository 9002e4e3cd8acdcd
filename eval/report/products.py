"""What a modular product costs at long keys: an accelerator's cycles, time, area and energy, by the
products of a private exponentiation."""

from dataclasses import dataclass

from eval.catalog.workloads import WORKLOADS
from eval.report.overview import commands
from eval.study.netlists import Netlist
from eval.study.results import PointResult, StudyResult
from eval.table import Table, numbers, words
from eval.tasks.section import Section, tables

LEAST_BITS = 256  # of a long key
WORKLOAD = "d"
TITLE = "What a product costs at long keys"


@dataclass(frozen=True)
class ProductCost:
    """What one of the products of a point's private exponentiation takes of the whole, in the
    netlist of the least area x time."""

    p: PointResult
    name: str
    netlist: Netlist
    products: int
    commands: tuple[str, ...] = ()

    @property
    def cycles(self) -> float:
        """Cycles through the port by products: what is done besides is part of it."""
        return self.netlist.cycles[WORKLOAD] / self.products

    @property
    def time_us(self) -> float:
        """Its time, at the shortest period."""
        return self.cycles * self.netlist.period_ns / 1000

    @property
    def area_time(self) -> float:
        """Area x time, um2 us."""
        return self.netlist.area_um2 * self.time_us

    @property
    def energy_nj(self) -> float | None:
        """Its energy with glitches."""
        energy = self.netlist.energy_nj(WORKLOAD)
        return energy and energy / self.products


def product_costs(found: StudyResult) -> list[ProductCost]:
    """List the points of long keys whose time is known."""
    costs = []
    for p in found.points:
        netlists = found.netlists.get(p.point, ())
        if p.point.nbits >= LEAST_BITS and netlists and WORKLOAD in p.cycles:
            best = min(netlists, key=lambda netlist: netlist.area_um2 * netlist.period_ns)
            request = WORKLOADS[WORKLOAD].request(p.point.nbits, p.point.entry.moduli.key)
            counts = p.point.entry.at(p.point.nbits).counts(request.exp)
            made = commands(found, p, best.command)
            costs.append(ProductCost(p, found.called(p), best, counts.total, made))
    return costs


def _cheapest_first(found: StudyResult) -> list[ProductCost]:
    return sorted(product_costs(found), key=lambda cost: (cost.p.point.nbits, cost.area_time))


# The cheapest of a width first.
PRODUCTS = Table(
    TITLE,
    words({"design": "name"})
    + numbers(0, {"bits": "p.point.nbits", "products\nof d": "products"})
    + numbers(1, {"cycles of\na product": "cycles"})
    + numbers(3, {"period\nns": "netlist.period_ns", "time\nus": "time_us"})
    + numbers(0, {"area\num2": "netlist.area_um2", "area x time\num2 us": "area_time"})
    + numbers(2, {"energy\nnJ": "energy_nj"}),
    "Cycles of workload d through the port by its products, so that the way in and out, the port "
    "and constants are part of them; two units at work at once halve them. Of a design's netlists "
    "for several clocks, that of the least area x time, at the shortest period at which it works. "
    "Area: the accelerator with its port. Energy: with glitches.",
    rows=_cheapest_first,
)


SECTION = Section(results=tables(PRODUCTS))
