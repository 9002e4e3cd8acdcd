"""Place a design with Coloquinte: floorplan, ports at the edges, global and detailed placement.

Coloquinte's x unit is a site and its y unit a part of a row of about this size, so that what it
calls legal lies on our sites and rows. Rows are flipped in turn, so that neighbours share their
supply rails.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

import coloquinte
import coloquinte_pybind

from flow.layout.design import FLIPPED, Cell, Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.straps import least_sites
from flow.layout.strips import IO_INPUT, IO_OUTPUT, IO_PIN, CellShape
from flow.layout.technology import Stack
from flow.netlist import HIGH, LOW, Netlist
from sim.errors import RunError

SEED = 1
EFFORT = 3
# The smallest core that has room for a few cells, whatever the utilisation.
LEAST_ROWS = 8
# Free sites beside the cells spread their pins over the core, as wires need. With them, cells fill
# this share of it, or a smaller one where rows, in parts between ties of wells, do not take them;
# but no more than so many sites for a pin where half of the core is cells, and as many more as they
# are less of it.
SPREADS = (0.8, 0.7, 0.6, 0.5)
MOST_SITES_PER_PIN = 2.5
USUAL = 0.5
# Global placement has cells wider by so many times, as far as they fill no more of the core than
# this on top: without, what is legal is far from what was placed, and crowds at the east edge.
LOOSER, LOOSER_SPREAD = 1.1, 0.05
EVEN: Mapping[str, float] = MappingProxyType({})  # weights of nets
ALIKE: Mapping[int, float] = MappingProxyType({})  # how much wider cells are than usual
WEIGHT = 4  # of a net of weight 1 beside others: Coloquinte takes whole numbers


def row_orientation(row: int) -> str:
    """Tell the orientation of unmirrored cells in a row."""
    return "N" if row % 2 == 0 else "FS"


def row_units(stack: Stack) -> int:
    """Tell how many of Coloquinte's units a row is high."""
    return round(stack.row_height / stack.site_width)


def floorplan(
    stack: Stack, cell_sites: int, port_count: int, utilisation: float, slots: int = 1
) -> tuple[int, int]:
    """Choose (rows, sites per row) of a core, as much wider than high as the technology says, of
    which cells fill `utilisation`; rows have so many places for ports at either end."""
    height, width, wide = stack.row_height, stack.site_width, stack.rules.core_wide
    area = (cell_sites / utilisation + 2 * port_count) * width * height
    least = max(LEAST_ROWS, 2 * math.ceil(port_count / slots / 4))
    rows = max(least, math.ceil(math.sqrt(area / wide) / height / 2) * 2)
    sites = math.ceil(area / (rows * height) / width / 2) * 2
    return rows, max(sites, least_sites(stack))


def unplaced(
    netlist: Netlist, shapes: dict[str, CellShape], utilisation: float, stack: Stack
) -> Design:
    """Lay out a floorplan for the netlist, with its ports placed at the west and east edges. A
    port that is constant has no place: what is around the design ties it."""
    missing = {i.master for i in netlist.instances} - shapes.keys()
    if missing:
        raise RunError(f"no pins that can be reached: {', '.join(sorted(missing))}")
    if {LOW, HIGH} & {net for instance in netlist.instances for net in instance.pins.values()}:
        raise RunError("a constant at a pin: constants need tie cells")
    cells = [Cell(instance.name, instance.master) for instance in netlist.instances]
    nets: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for index, instance in enumerate(netlist.instances):
        for pin, net in instance.pins.items():
            nets[netlist.name_of[net]].append((index, pin))
    bits = [bit for bit in netlist.port_bits() if bit.net not in (LOW, HIGH)]
    sites = sum(shapes[cell.master].sites for cell in cells)
    inputs, outputs = (
        [name for name in shapes if name.startswith(kind)] for kind in (IO_INPUT, IO_OUTPUT)
    )
    rows, columns = floorplan(stack, sites, len(bits), utilisation, len(inputs))
    places = port_places(len(bits), rows, columns, len(inputs))
    for bit, (site, row, slot) in zip(bits, places, strict=True):
        nets[netlist.name_of[bit.net]].append((len(cells), IO_PIN))
        master = (outputs if bit.output else inputs)[slot]
        cells.append(Cell(bit.name, master, site, row, row_orientation(row)))
    return Design(netlist.top, columns, rows, netlist.ports, cells, dict(nets), shapes, stack.tech)


def port_places(count: int, rows: int, sites: int, slots: int = 1) -> list[tuple[int, int, int]]:
    """Tell (site, row, place in the row) of each port, in their order: half are at the west edge,
    half at the east edge."""
    half = max(1, -(-count // 2))
    places = []
    for port in range(count):
        east, index = divmod(port, half)
        row, slot = divmod(int((index + 0.5) * rows * slots / half), slots)
        places.append((sites - 1 if east else 0, row, slot))
    return places


def room(
    design: Design,
    utilisation: float,
    wider: Mapping[int, float] = ALIKE,
    spread: float = SPREADS[0],
    looser: float = 1,
) -> list[int]:
    """Tell how many sites to keep free beside each cell, so that pins are nowhere denser than they
    must be: as many sites for each pin as fill so much of the core, more for cells that are to be
    wider than usual."""
    widths = [design.shape(cell).sites for cell in design.cells]
    pins = [0.0] * len(widths)
    for _, connected in design.routable():
        for cell, _ in connected:
            if not design.cells[cell].is_port:
                pins[cell] += wider.get(cell, 1)
    most = spread * sum(end - start for _, start, end in free_spans(design))

    def padded(sites_per_pin: float) -> list[int]:
        pairs = zip(widths, pins, strict=True)
        return [max(width, round(sites_per_pin * count)) for width, count in pairs]

    low, high = 0.0, MOST_SITES_PER_PIN * max(1.0, USUAL / utilisation) * looser
    if sum(padded(high)) > most:
        while high - low > 1 / 64:
            middle = (low + high) / 2
            low, high = (middle, high) if sum(padded(middle)) <= most else (low, middle)
    else:
        low = high
    return [wide - width for wide, width in zip(padded(low), widths, strict=True)]


def free_spans(design: Design) -> Iterator[tuple[int, int, int]]:
    """List the parts of rows that cells may take: row, first site, and that behind the last."""
    kept = defaultdict(list)
    for row, *span in design.kept_free():
        kept[row].append(span)
    for row in range(design.rows):
        start = 0
        for first, behind in sorted(kept[row]):
            yield row, start, first
            start = behind
        yield row, start, design.sites


def _circuit(design: Design, free: list[int], weights: Mapping[str, float]) -> coloquinte.Circuit:
    """Hand the design to Coloquinte, so many sites being free beside each cell."""
    orientations = coloquinte_pybind.CellOrientation
    cells, high = design.cells, row_units(design.stack)
    circuit = coloquinte.Circuit(len(cells))
    circuit.cell_width = [
        design.shape(cell).sites + sites for cell, sites in zip(cells, free, strict=True)
    ]
    circuit.cell_height = [high] * len(cells)
    circuit.cell_row_polarity = [coloquinte_pybind.CellRowPolarity.SAME] * len(cells)
    circuit.cell_is_fixed = [cell.is_port for cell in cells]
    # Of ports at one site the first alone is in the way of cells.
    first: dict[tuple[int, int], int] = {}
    circuit.cell_is_obstruction = [
        not cell.is_port or first.setdefault((cell.site, cell.row), at) == at
        for at, cell in enumerate(cells)
    ]
    circuit.cell_x = [cell.site for cell in cells]
    circuit.cell_y = [cell.row * high for cell in cells]
    circuit.cell_orientation = [getattr(orientations, cell.orientation) for cell in cells]
    circuit.rows = [
        coloquinte_pybind.Row(
            coloquinte_pybind.Rectangle(start, end, row * high, row * high + high),
            getattr(orientations, row_orientation(row)),
        )
        for row, start, end in free_spans(design)
    ]
    scale = WEIGHT if weights else 1
    for net, pins in design.routable():
        strips = [design.shape(cells[cell]).strips[pin] for cell, pin in pins]
        circuit.add_net(
            [cell for cell, _ in pins],
            [strip.x // design.stack.site_width for strip in strips],
            [high // 2 for _ in strips],
            round(weights.get(net, 1.0) * scale),
        )
    return circuit


def _placed(design: Design, circuit: coloquinte.Circuit) -> list[Cell]:
    high = row_units(design.stack)
    names = {v: k for k, v in coloquinte_pybind.CellOrientation.__members__.items()}
    places = zip(circuit.cell_x, circuit.cell_y, circuit.cell_orientation, strict=True)
    return [
        cell._replace(site=x, row=y // high, orientation=names[orientation])
        for cell, (x, y, orientation) in zip(design.cells, places, strict=True)
    ]


def place(
    design: Design,
    utilisation: float,
    weights: Mapping[str, float] = EVEN,
    wider: Mapping[int, float] = ALIKE,
) -> None:
    """Place all cells but the ports, from nothing: nets short, those of greater weight first."""
    _place(design, utilisation, weights, wider, globally=True)


def legalise(
    design: Design,
    utilisation: float = USUAL,
    weights: Mapping[str, float] = EVEN,
    wider: Mapping[int, float] = ALIKE,
) -> None:
    """Move cells as little as it takes for a legal placement, then improve it in small steps."""
    _place(design, utilisation, weights, wider, globally=False)


def _place(
    design: Design,
    utilisation: float,
    weights: Mapping[str, float],
    wider: Mapping[int, float],
    globally: bool,
) -> None:
    """Find a legal placement, with as much room beside cells as there is one for."""
    parameters = coloquinte_pybind.ColoquinteParameters(EFFORT, SEED)
    for spread in SPREADS:
        circuit = _circuit(design, room(design, utilisation, wider, spread), weights)
        if globally:
            free = room(design, utilisation, wider, spread + LOOSER_SPREAD, LOOSER)
            looser = _circuit(design, free, weights)
            looser.place_global(parameters, None)
            circuit.cell_x, circuit.cell_y = looser.cell_x, looser.cell_y
            circuit.cell_orientation = looser.cell_orientation
        try:
            circuit.legalize(parameters, None)
        except RuntimeError:
            continue
        circuit.place_detailed(parameters, None)
        design.cells = _placed(design, circuit)
        return
    raise RunError("rows have no room for all cells: let them fill less of the core, by --fill")


def illegal(design: Design) -> list[str]:
    """Say what is wrong with a placement: cells that overlap, leave the core or are upside down."""
    wrong = []
    rows: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    ports = set()
    for cell in design.cells:
        if cell.is_port and (cell.site, cell.row) in ports:
            continue  # in another place of the same site
        ports |= {(cell.site, cell.row)} if cell.is_port else set()
        end = cell.site + design.shape(cell).sites
        if cell.site < 0 or end > design.sites or not 0 <= cell.row < design.rows:
            wrong.append(f"{cell.name} is outside the core")
        flipped = cell.orientation in FLIPPED
        if flipped != (row_orientation(cell.row) == "FS"):
            wrong.append(f"{cell.name} is upside down")
        rows[cell.row].append((cell.site, end, cell.name))
    for on, first, behind in design.kept_free():
        rows[on].append((first, behind, "a column kept free"))
    for row in rows.values():
        row.sort()
        for (_, end, name), (start, _, other) in zip(row, row[1:], strict=False):
            if end > start:
                wrong.append(f"{name} overlaps {other}")
    return wrong


def half_perimeter_um(design: Design) -> float:
    """Sum up half the perimeter of the box around the pins of each net, um."""
    total = 0
    for _, pins in design.routable():
        points = [design.access(cell, pin) for cell, pin in pins]
        xs, ys = [p.x for p in points], [p.via for p in points]
        total += max(xs) - min(xs) + max(ys) - min(ys)
    return round(total / UNITS_PER_UM, 1)
