"""Compression trees as people name them: a form, n, k and an order."""

from eval.catalog.inputs import shorten
from fl.compression import ORDER_NAMES
from fl.modulus import Modulus
from fl.tree_mul import Tree
from sim.errors import UserError


def find_modulus(form: str, nbits: int, k: int | None) -> Modulus:
    """The modulus that FORM, --nbits and --k mean."""
    if form.endswith("k"):
        if k is None:
            raise UserError(
                f"--k: form {shorten(form)!r} needs a number; give --k K, or write 2^n+85"
            )
        form = f"{form[:-1]}{k}"
    elif k is not None:
        raise UserError(f"--k: form {shorten(form)!r} has no k; write 2^n+k or 2^n-k")
    try:
        return Modulus.parse(form, nbits)
    except ValueError as error:
        raise UserError(f"form: {shorten(form)!r} at n = {nbits}: {error}") from None


def find_tree(form: str, nbits: int, k: int | None, order: str, square: bool) -> Tree:
    """The tree of that modulus and order."""
    if order not in ORDER_NAMES:
        raise UserError(f"--order: no order {order!r}; choose from {', '.join(ORDER_NAMES)}")
    return Tree(find_modulus(form, nbits, k), order, square=square)
