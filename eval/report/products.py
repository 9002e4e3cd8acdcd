"""What a modular product costs at long keys: an accelerator's cycles, time, area and energy, by the
products of a private exponentiation."""

from dataclasses import dataclass

from eval.catalog.workloads import WORKLOADS
from eval.report.overview import commands
from eval.study.results import PointResult, StudyResult
from eval.table import Table, numbers, words
from eval.tasks.section import Section, tables

LEAST_BITS = 256  # of a long key
WORKLOAD = "d"
TITLE = "What a product costs at long keys"


@dataclass(frozen=True)
class ProductCost:
    """What one of the products of a point's private exponentiation takes of the whole."""

    p: PointResult
    products: int
    commands: tuple[str, ...] = ()

    @property
    def cycles(self) -> float:
        """Cycles through the port by products: what is done besides is part of it."""
        return self.p.get(f"xcel_cycles_{WORKLOAD}") / self.products

    @property
    def time_us(self) -> float:
        """Its time, at the clock asked for, or at that reached."""
        return self.p.get(f"time_{WORKLOAD}_us") / self.products

    @property
    def area_time(self) -> float:
        """Area x time, um2 us."""
        return self.p.get("area_um2") * self.time_us

    @property
    def energy_nj(self) -> float | None:
        """Its energy with glitches."""
        energy = self.p.get(f"energy_glitches_{WORKLOAD}_nj")
        return energy and energy / self.products


def product_costs(found: StudyResult) -> list[ProductCost]:
    """List the points of long keys whose time is known."""
    costs = []
    for p in found.points:
        if p.point.nbits >= LEAST_BITS and p.get(f"time_{WORKLOAD}_us") is not None:
            request = WORKLOADS[WORKLOAD].request(p.point.nbits, p.point.entry.moduli.key)
            counts = p.point.entry.at(p.point.nbits).counts(request.exp)
            costs.append(ProductCost(p, counts.total, commands(found, p)))
    return costs


def _cheapest_first(found: StudyResult) -> list[ProductCost]:
    return sorted(product_costs(found), key=lambda cost: (cost.p.point.nbits, cost.area_time))


# The cheapest of a width first.
PRODUCTS = Table(
    TITLE,
    words({"design": lambda cost: cost.p.marked()})
    + numbers(0, {"bits": "p.point.nbits", "products\nof d": "products"})
    + numbers(1, {"cycles of\na product": "cycles"})
    + numbers(3, {"period\nns": "p.metrics.period_reached_ns", "time\nus": "time_us"})
    + numbers(0, {"area\num2": "p.metrics.area_um2", "area x time\num2 us": "area_time"})
    + numbers(2, {"energy\nnJ": "energy_nj"}),
    lambda found: (
        "Cycles of workload d through the port by its products, so that the way in and out, the "
        "port and constants are part of them; two units at work at once halve them. Time: cycles x "
        f"{found.study.clock_ns:g} ns, or the minimum period where that is missed. Area: the "
        "accelerator with its port. Energy: with glitches."
    ),
    rows=_cheapest_first,
)


SECTION = Section(results=tables(PRODUCTS))
