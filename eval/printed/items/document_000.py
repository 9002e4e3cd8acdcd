"""Document 000's algorithms, figures, tables, equations and claims."""

from eval.printed.items.of_000.algorithms import ALGORITHMS
from eval.printed.items.of_000.claims import CLAIMS
from eval.printed.items.of_000.equations import EQUATIONS
from eval.printed.items.of_000.figures import FIGURES
from eval.printed.items.of_000.tables import TABLES

ITEMS = (*ALGORITHMS, *FIGURES, *TABLES, *EQUATIONS, *CLAIMS)
