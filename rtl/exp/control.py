"""The order of an exponentiation: conversion in, the loop, conversion out where there is one."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

IDLE, START, ENTER, LOOP, LEAVE, DONE = range(6)


class ExponentiatorControl(Component):
    """One request at a time; `skip` answers it in the next cycle. leaves: a conversion ends it."""

    def construct(s, leaves: bool):
        s.recv_val = InPort()
        s.recv_rdy = OutPort()
        s.send_val = OutPort()
        s.send_rdy = InPort()

        s.skip = InPort()  # the arriving request needs no product
        s.converted_in = InPort()
        s.loop_done = InPort()
        s.converted_out = InPort()  # holds until out_taken

        s.load = OutPort()
        s.start = OutPort()  # of the conversion, the cycle after load
        s.leaving = OutPort()
        s.out_taken = OutPort()

        s.state = Wire(3)
        after_loop = LEAVE if leaves else DONE

        @update
        def outputs():
            s.recv_rdy @= s.state == IDLE
            s.load @= (s.state == IDLE) & s.recv_val
            s.start @= s.state == START
            s.leaving @= s.state == LEAVE

        @update
        def answer():
            s.send_val @= (s.state == DONE) | s.converted_out

        @update
        def take():
            s.out_taken @= s.converted_out & s.send_rdy

        @update_ff
        def next_state():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.load & s.skip:
                    s.state <<= DONE
                elif s.load:
                    s.state <<= START
            elif s.state == START:
                s.state <<= ENTER
            elif s.state == ENTER:
                if s.converted_in:
                    s.state <<= LOOP
            elif s.state == LOOP:
                if s.loop_done:
                    s.state <<= after_loop
            elif s.send_val & s.send_rdy:
                s.state <<= IDLE

    def line_trace(s) -> str:
        return "ISELVD"[int(s.state)]
