"""What a shell offers for arguments and options that have no list of choices of their own."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem


def _designs() -> Iterable[str]:
    from eval.catalog import DESIGNS, VARIANTS

    return (*DESIGNS, *VARIANTS)


def _studies() -> Iterable[str]:
    from eval.study.studies import STUDIES

    return STUDIES


def _levels() -> Iterable[str]:
    from sim.stream import LEVELS

    return LEVELS


def _workloads() -> Iterable[str]:
    from eval.catalog.workloads import WORKLOADS

    return WORKLOADS


def _families() -> Iterable[str]:
    from eval.find.space import families

    return [family.name for family in families()]


def _quantities() -> Iterable[str]:
    from eval.find.quantities import QUANTITIES

    return QUANTITIES


def _suites() -> Iterable[str]:
    from eval.conform.vector import SUITES

    return SUITES


def _documents() -> Iterable[str]:
    from eval.documents.document import numbers

    return numbers()


def _labs() -> Iterable[str]:
    from eval.labs.lab import numbers

    return numbers()


# By the name of an argument or option.
OFFERED: dict[str, Callable[[], Iterable[str]]] = {
    **dict.fromkeys(("design", "designs", "before", "after"), _designs),
    "study": _studies,
    "level": _levels,
    **dict.fromkeys(("workload", "workloads"), _workloads),
    "families": _families,
    "least": _quantities,
    "suite": _suites,
    "numbers": _documents,
    "number": _labs,
    "names": lambda: (*_designs(), *_studies()),
}


def complete(command: click.Command) -> None:
    """Let the shell offer what there is to choose for the command's parameters, and for those of
    the commands below it."""
    for below in getattr(command, "commands", {}).values():
        complete(below)
    for param in command.params:
        if param.name in OFFERED and not isinstance(param.type, click.Choice):
            setattr(param, "shell_complete", _offer(OFFERED[param.name]))  # noqa: B010


def _offer(
    names: Callable[[], Iterable[str]],
) -> Callable[[click.Context, str], list[CompletionItem]]:
    def offered(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")  # of a list, the last one
        return [
            CompletionItem(f"{before}{comma}{name}") for name in names() if name.startswith(last)
        ]

    return offered
