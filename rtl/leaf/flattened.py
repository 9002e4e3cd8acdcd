"""Components that synthesis maps as part of what holds them: small and chained, or wires alone.

Mapped one by one, a path through many small ones would be as slow as their delays added up.
"""

from pymtl3 import Component


class Flattened(Component):
    """Loses its boundary in mapping."""

    flattened = True

    def line_trace(s) -> str:
        return " ".join(str(port) for port in s.get_output_value_ports())
