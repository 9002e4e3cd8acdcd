"""CM: a modular multiplier or squarer as a compression tree (document 000, section 2.2.1).

The structure comes from fl/tree_mul.py, run by run. It is combinational; rtl/mul/fixed_mul.py puts
registers before it.
"""

from pymtl3 import Component, InPort, OutPort, Wire, connect, update

from fl.compression import Placement, Stage
from fl.folded_matrix import CARRY, CARRY_2, PRODUCT, STAY, Diagonal, Matrix
from fl.modulus import Modulus
from fl.tree_mul import Tree
from rtl.leaf.compression import CompressColumn, Inverted
from rtl.leaf.flattened import Flattened
from rtl.leaf.modular_sum import modular_sum


class AndRow(Flattened):
    """dots = a & b, with the or of all c & d in dot 0; `merged` pairs of c and d, perhaps none."""

    def construct(s, length: int, merged: int):
        s.a = InPort(length)
        s.b = InPort(length)
        s.dots = OutPort(length)
        if merged:
            s.c = InPort(merged)
            s.d = InPort(merged)

            @update
            def multiply_merged():
                s.dots @= s.a & s.b
                s.dots[0] @= (s.a[0] & s.b[0]) | ((s.c & s.d) != 0)
        else:

            @update
            def multiply():
                s.dots @= s.a & s.b


class Products(Flattened):
    """Multiplies operand bits, a vector for each diagonal: dots_0, dots_1, ..."""

    def construct(s, tree: Tree):
        width = tree.operand_bits
        s.a = InPort(width)
        s.b = InPort(width)
        s.b_reversed = Wire(width)
        for i in range(width):
            s.b_reversed[i] //= s.b[width - 1 - i]
        for number, diagonal in enumerate(tree.diagonals):
            dots = OutPort(diagonal.dots)
            row = AndRow(diagonal.dots, len(diagonal.merged))
            setattr(s, f"dots_{number}", dots)
            setattr(s, f"row_{number}", row)
            s.wire(row, diagonal, width)
            connect(dots, row.dots)

    def wire(s, row: Component, diagonal: Diagonal, width: int) -> None:
        """Connect a row to the operand bits that it multiplies."""
        if diagonal.length:
            first, last = diagonal.first, diagonal.first + diagonal.length
            turned = width - 1 - diagonal.total
            connect(row.a, s.a[first:last])
            connect(row.b, s.b_reversed[turned + first : turned + last])
        else:
            connect(row.a, 0)
            connect(row.b, 0)
        for k, (i, j) in enumerate(diagonal.merged):
            connect(row.c[k], s.a[i])
            connect(row.d[k], s.b[j])


class TreeDatapath(Flattened):
    """r = a * b mod modulus, for the tree's residues; both are the same for a squarer."""

    def construct(s, tree: Tree):
        width = tree.operand_bits
        s.a = InPort(width)
        s.b = InPort(width)
        s.r = OutPort(tree.modulus.width)
        s.products = Products(tree)
        s.products.a //= s.a
        s.products.b //= s.b
        made = {
            (PRODUCT, number): getattr(s.products, f"dots_{number}")
            for number in range(len(tree.diagonals))
        }
        columns = s.gather(0, tree.matrix, made)
        for number, stage in enumerate(tree.stages):
            made = s.compress(number, stage, columns)
            columns = s.gather(number + 1, stage.after(), made)
        s.sum = modular_sum(tree.sum)
        for j in range(tree.sum.width):
            dots = columns[j]
            height = tree.rows.heights[j]
            connect(s.sum.a[j], dots[0] if height > 0 else 0)
            connect(s.sum.b[j], dots[1] if height > 1 else 0)
        s.r //= s.sum.r

    def gather(s, number: int, matrix: Matrix, made: dict[tuple[str, int], object]) -> list:
        """Make a wire for each column of a matrix, its runs connected; None for an empty column."""
        columns, inverted = [], {}
        for j, column in enumerate(matrix.columns):
            if not column:
                columns.append(None)
                continue
            dots = Wire(matrix.heights[j])
            setattr(s, f"dots_{number}_{j}", dots)
            at = 0
            for run in column:
                key = (run.output, run.source)
                if run.inverted and key not in inverted:
                    unit = Inverted(run.count)
                    setattr(s, f"not_{number}_{run.output}_{run.source}", unit)
                    connect(unit.in_, made[key])
                    inverted[key] = unit.out
                connect(dots[at : at + run.count], (inverted if run.inverted else made)[key])
                at += run.count
            columns.append(dots)
        return columns

    def compress(s, number: int, stage: Stage, columns: list) -> dict[tuple[str, int], object]:
        """Make a stage's compressors, and return their outputs."""
        made = {}
        for j, put in enumerate(stage.placements):
            if put == Placement():
                made[STAY, j] = columns[j]
                continue
            height = stage.matrix.heights[j]
            unit = CompressColumn(height, put.five_three, put.full, put.half)
            setattr(s, f"column_{number}_{j}", unit)
            connect(unit.dots, columns[j])
            made |= {(STAY, j): unit.stay, (CARRY, j): unit.carry, (CARRY_2, j): unit.carry_2}
        return made


class TreeMul(Component):
    """r = a * b mod modulus, for residues a and b."""

    def construct(s, modulus: Modulus, order: str = "document", adder: str = "brent-kung"):
        s.a = InPort(modulus.width)
        s.b = InPort(modulus.width)
        s.r = OutPort(modulus.width)
        s.tree = TreeDatapath(Tree(modulus, order, adder))
        s.tree.a //= s.a
        s.tree.b //= s.b
        s.tree.r //= s.r

    def line_trace(s) -> str:
        return f"{s.a}*{s.b}={s.r}"


class TreeSquare(Component):
    """r = a * a mod modulus, for a residue a."""

    def construct(s, modulus: Modulus, order: str = "document", adder: str = "brent-kung"):
        s.a = InPort(modulus.width)
        s.r = OutPort(modulus.width)
        s.tree = TreeDatapath(Tree(modulus, order, adder, square=True))
        s.tree.a //= s.a
        s.tree.b //= s.a
        s.tree.r //= s.r

    def line_trace(s) -> str:
        return f"{s.a}^2={s.r}"
