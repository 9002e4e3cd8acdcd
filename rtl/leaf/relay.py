"""A register on the way to some of many: a net to all of them would be slow."""

from pymtl3 import Component, InPort, OutPort, update_ff


class Relay(Component):
    """out = in_ in the cycle before.

    A component, since synthesis takes equal registers of one component for one.
    """

    def construct(s):
        s.in_ = InPort()
        s.out = OutPort()

        @update_ff
        def pass_on():
            s.out <<= s.in_

    def line_trace(s) -> str:
        return f"{s.out}"
