"""What a modular product costs at long keys: an accelerator's cycles, time, area and energy, by the
products of a private exponentiation."""

from dataclasses import dataclass

from eval.catalog.workloads import WORKLOADS
from eval.report.overview import commands
from eval.study.results import PointResult, StudyResult
from eval.tasks.grid import Grid, grid, line, numbers, words

LEAST_BITS = 256  # of a long key
WORKLOAD = "d"
TITLE = "What a product costs at long keys"


@dataclass(frozen=True)
class ProductCost:
    """What one of the products of a point's private exponentiation takes of the whole."""

    p: PointResult
    products: int

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
            costs.append(ProductCost(p, counts.total))
    return costs


def products_grid(found: StudyResult) -> Grid | None:
    """Show what a product costs, the cheapest of a width first; None without long keys."""
    costs = sorted(product_costs(found), key=lambda cost: (cost.p.point.nbits, cost.area_time))
    return grid(
        TITLE,
        (
            words("design")
            + numbers(0, "bits", "products\nof d")
            + numbers(1, "cycles of\na product")
            + numbers(3, "period\nns", "time\nus")
            + numbers(0, "area\num2", "area x time\num2 us")
            + numbers(2, "energy\nnJ")
        ),
        (
            line(
                *(cost.p.marked(), cost.p.point.nbits, cost.products, cost.cycles),
                *(cost.p.get("period_reached_ns"), cost.time_us, cost.p.get("area_um2")),
                *(cost.area_time, cost.energy_nj),
                commands=commands(found, cost.p),
            )
            for cost in costs
        ),
        "Cycles of workload d through the port by its products, so that the way in and out, the "
        "port and constants are part of them; two units at work at once halve them. Time: cycles x "
        f"{found.study.clock_ns:g} ns, or the period reached where that is missed. Area: the "
        "accelerator with its port. Energy: with glitches.",
    )
