"""The order of the peripheral's operation; cl/peripheral.py counts the cycles.

IDLE     until a start is written
PAD      a place of the input per cycle, as soon as it has its random byte
ASK      the exponentiator is asked
COMPUTE  until it answers
UNPAD    a place of the result per cycle
END      the outcome is there
"""

from pymtl3 import Component, InPort, OutPort, update, update_ff

from rtl.leaf.register import Register

IDLE, PAD, ASK, COMPUTE, UNPAD, END = range(6)


class PeripheralControl(Component):
    """Goes from state to state; begins and steps the passes, offers a request, takes an answer."""

    def construct(s):
        s.start = InPort()
        s.has_byte = InPort()
        s.last = InPort()
        s.taken = InPort()
        s.answered = InPort()
        s.busy = OutPort()
        s.begin_pad = OutPort()
        s.pad = OutPort()
        s.step_pad = OutPort()
        s.ask = OutPort()
        s.compute = OutPort()
        s.begin_unpad = OutPort()
        s.unpad = OutPort()
        s.finish = OutPort()
        s.restart = OutPort()  # either pass
        s.step = OutPort()
        s.state = Register(3)

        @update
        def outputs():
            s.busy @= s.state != IDLE
            s.begin_pad @= (s.state == IDLE) & s.start
            s.pad @= s.state == PAD
            s.step_pad @= s.pad & s.has_byte
            s.ask @= s.state == ASK
            s.compute @= s.state == COMPUTE
            s.begin_unpad @= s.compute & s.answered
            s.unpad @= s.state == UNPAD
            s.finish @= s.state == END
            s.restart @= s.begin_pad | s.begin_unpad
            s.step @= s.step_pad | s.unpad

        @update_ff
        def follow():
            if s.reset | s.finish:
                s.state <<= IDLE
            elif s.begin_pad:
                s.state <<= PAD
            elif s.step_pad & s.last:
                s.state <<= ASK
            elif s.ask & s.taken:
                s.state <<= COMPUTE
            elif s.begin_unpad:
                s.state <<= UNPAD
            elif s.unpad & s.last:
                s.state <<= END

    def line_trace(s) -> str:
        """Show I idle, P pads, A asks, C computes, U unpads, E ends."""
        return "IPACUE"[int(s.state)]
