"""What document 000 has: the first and the last number of each kind; and its kinds of
measurement."""

from eval.tasks.task import Task

HAS = {"algorithm": (1, 8), "figure": (1, 38), "table": (1, 18)}


def tasks() -> dict[str, Task]:
    """Make a task of each of its kinds."""
    from eval.documents.d000.units import FixedMultiplier, FixedReduction

    return {
        "fixed-multiplier": FixedMultiplier(4, 1, "document"),
        "fixed-reduction": FixedReduction(4, 1, "document"),
    }
