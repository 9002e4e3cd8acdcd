"""Find the free sites of a placement: beside its cells, and near a place."""

from collections import defaultdict

from flow.layout.design import Design

KEPT = -1  # in place of the number of a cell


class Gaps:
    """The free sites of each row, as spans from the first to behind the last."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.sites = [design.shape(cell).sites for cell in design.cells]
        rows: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for number, cell in enumerate(design.cells):
            rows[cell.row].append((cell.site, cell.site + self.sites[number], number))
        for row, first, behind in design.kept_free():
            rows[row].append((first, behind, KEPT))
        self.free: dict[int, list[tuple[int, int]]] = {}
        self.beside: dict[int, tuple[int, int]] = {}
        for row in range(design.rows):
            cells = sorted(rows[row])
            ends = [0, *(end for _, end, _ in cells)]
            starts = [*(start for start, _, _ in cells), design.sites]
            self.free[row] = [(end, start) for end, start in zip(ends, starts, strict=True)]
            widths = [start - end for end, start in self.free[row]]
            last = len(cells) - 1
            for at, (_, _, number) in enumerate(cells):
                left = widths[at] if at == 0 else widths[at] - widths[at] // 2
                right = widths[at + 1] if at == last else widths[at + 1] // 2
                self.beside[number] = (left, right)

    def widest(self, number: int) -> int:
        """Tell how wide a cell may get while those beside it do, too: it has half of each gap."""
        return self.sites[number] + sum(self.beside[number])

    def take(self, x: int, y: int, sites: int) -> tuple[int, int]:
        """Take the free sites that are nearest to a place: (site, row). ValueError if none are."""
        best: tuple[int, ...] | None = None
        height, width = self.design.stack.row_height, self.design.stack.site_width
        for row, spans in self.free.items():
            up = abs((row * 2 + 1) * height // 2 - y)
            if best and up >= best[0]:
                continue
            for at, (low, high) in enumerate(spans):
                if high - low >= sites:
                    site = min(max(low, round(x / width - sites / 2)), high - sites)
                    away = up + abs(round((site + sites / 2) * width) - x)
                    best = min(best or (away + 1,), (away, site, row, at))
        if best is None:
            raise ValueError(f"no {sites} free sites beside each other")
        site, row, at = best[1:]
        low, high = self.free[row].pop(at)
        self.free[row] += [(low, site), (site + sites, high)]
        return site, row
