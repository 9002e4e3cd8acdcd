"""Components that synthesis maps as part of what holds them: small and chained, or wires alone.

Mapped one by one, a path through many small ones would be as slow as their delays added up.
"""

from pymtl3 import Component


class Dissolved(Component):
    """A component that loses its boundary in mapping."""

    def line_trace(s) -> str:
        return " ".join(str(port) for port in s.get_output_value_ports())


def dissolved_in(component: Component) -> tuple[str, ...]:
    """The names of the classes of such components in an elaborated one."""
    found = {
        type(part).__name__
        for part in component.get_all_components()
        if isinstance(part, Dissolved)
    }
    return tuple(sorted(found))
