"""The order of an exponentiation; rtl/exp/exponentiator.py has the table of its cycles."""

from pymtl3 import Component, InPort, OutPort, update, update_ff

from rtl.leaf.handshake import Accept, Offer
from rtl.leaf.register import Register

IDLE, START, ENTER, LOOP, LEAVE, DONE = range(6)


class ExponentiatorControl(Component):
    """Takes one request at a time; `skip` has it answered in the next cycle.

    waits: the base enters from the cycle after `load` on, not in that of `load`.
    leaves: a conversion ends what the loop has begun.
    """

    def construct(s, waits: bool, leaves: bool):
        s.recv = Accept()
        s.send = Offer()

        s.skip = InPort()  # the arriving request needs no product
        s.entered = InPort()
        s.loop_done = InPort()
        s.left = InPort()  # holds until out_taken

        s.load = OutPort()
        s.start = OutPort()  # of the way in
        s.leaving = OutPort()
        s.out_taken = OutPort()

        s.state = Register(3)
        after_load = START if waits else LOOP
        after_loop = LEAVE if leaves else DONE

        @update
        def outputs():
            s.recv.rdy @= s.state == IDLE
            s.load @= (s.state == IDLE) & s.recv.val
            s.leaving @= s.state == LEAVE

        if waits:

            @update
            def start_after_load():
                s.start @= s.state == START

        else:

            @update
            def start_with_load():
                s.start @= s.load & ~s.skip

        @update
        def answer():
            s.send.val @= (s.state == DONE) | s.left

        @update
        def take():
            s.out_taken @= s.left & s.send.rdy

        @update_ff
        def next_state():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.load & s.skip:
                    s.state <<= DONE
                elif s.load:
                    s.state <<= after_load
            elif s.state == START:
                s.state <<= ENTER
            elif s.state == ENTER:
                if s.entered:
                    s.state <<= LOOP
            elif s.state == LOOP:
                if s.loop_done:
                    s.state <<= after_loop
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE

    def line_trace(s) -> str:
        """Show I idle, S start, E the base enters, L loop, V the result leaves, D done."""
        return "ISELVD"[int(s.state)]
