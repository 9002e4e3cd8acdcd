"""What the columns of a line trace mean: each component's line_trace says that of itself."""

from collections.abc import Callable
from contextlib import ExitStack

from pymtl3 import Component

KEY = (
    "request(inside)response: a message stands where it is handed over; # if it is not taken,",
    "blank if there is none, . if none would be taken either",
)


def trace_key(component: Component) -> list[str]:
    """List what the parts of a component's line trace say of themselves, each once, in order."""
    from unittest.mock import patch  # with all of asyncio: only who asks waits for it

    shown: list[Component] = []

    def noting(part: Component) -> Callable[[], str]:
        trace = part.line_trace

        def noted() -> str:
            shown.append(part)
            return str(trace())

        return noted

    with ExitStack() as while_noting:
        for part in _within(component):
            if hasattr(part, "line_trace"):
                while_noting.enter_context(patch.object(part, "line_trace", noting(part)))
        component.line_trace()
    found: dict[str, str] = {}
    for part in shown:
        if text := type(part).line_trace.__doc__:
            name = "all" if part is component else part.get_field_name()
            found.setdefault(" ".join(text.removeprefix("Show ").split()), name)
    return [*KEY, *(f"{name}: {text}" for text, name in found.items())]


def _within(component: Component) -> list[Component]:
    children = component.get_child_components(repr)
    return [component, *(part for child in children for part in _within(child))]
