"""What document 003's processor does, pass by pass; cl/digit_serial.py counts the cycles.

    STORE      N from register A into its memory
    DOUBLE     2B = 2(2B -+ N), often: t = B on the way to R^2, from -N to N - 1; at last not twice
    CORRECT    2B = 2(t + N) where t < 0
    LOAD       A = 1, the base, or U
    PREPARE    2B + N
    STEP       U = (U + V) / 2, n + 3 times; the last also makes 2B
    SUBTRACT   U - N, for its sign
    RESULT     U, or U - N

LOAD to STEP make a product (algorithm 17.1.1), for each in the order of rtl/exp/serial_order.py.
"""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from fl.digit_serial import doublings, serial_radix
from rtl.leaf.handshake import Accept, Offer
from rtl.leaf.register import Register
from rtl.mul.serial_words import Passes, SerialFetch, SerialProduct, mk_word

IDLE, STORE, DOUBLE, CORRECT, LOAD, PREPARE, STEP, SUBTRACT, RESULT, DONE = range(10)


class SerialControl(Component):
    """Takes one request at a time; `skip` has it answered in the next cycle."""

    def construct(s, nbits: int, words: int):
        Word = mk_word(words)
        _, most = doublings(0, nbits)
        _, fewest = doublings(1 << nbits - 1, nbits)
        steps = serial_radix(nbits) + 1
        Count = mk_bits(clog2(most))
        s.recv = Accept()
        s.send = Offer()
        s.skip = InPort()  # the arriving request needs no product
        s.full = InPort()  # the modulus has all bits
        s.negative = InPort()
        s.product = InPort(SerialProduct)  # the running one

        s.load = OutPort()
        s.fetched = OutPort(Word)
        s.fetch = OutPort(SerialFetch)
        s.next_product = OutPort()

        s.state = Register(4)
        s.left = Register(Count)  # steps or doublings after this one
        s.fresh = Register()  # nothing is kept yet of what is worked on
        s.none_left = Wire()
        s.stepping = Wire()
        s.product_over = Wire()
        s.passes = Passes(words)

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.load @= (s.state == IDLE) & s.recv.val

        @update
        def when_pass_ends():
            s.stepping @= s.state == STEP
            s.none_left @= s.left == 0
            s.passes.active @= (s.state != IDLE) & (s.state != DONE)
            s.passes.chained @= (
                (s.state == STORE)
                | (s.state == LOAD)
                | (s.state == PREPARE)
                | (s.stepping & ~s.none_left)
            )

        @update
        def words_go():
            s.fetched @= Word()
            s.fetched.index @= s.passes.index
            s.fetched.first @= s.passes.first
            s.fetched.last @= s.passes.last
            s.fetched.twice @= (s.state == CORRECT) | ((s.state == DOUBLE) & ~s.none_left)
            if s.passes.passing:
                s.fetched.to_p @= s.stepping & s.product.p
                s.fetched.to_z @= s.stepping & s.product.z
                s.fetched.to_double @= (
                    (s.state == DOUBLE)
                    | (s.state == CORRECT)
                    | (s.stepping & s.none_left & s.product.becomes_b)
                )
                s.fetched.to_both @= s.state == PREPARE
                s.fetched.to_result @= s.state == RESULT
                s.fetched.tells_sign @= (
                    (s.state == DOUBLE) | (s.state == SUBTRACT) | (s.state == RESULT)
                )

        @update
        def operands():
            s.fetch.from_u @= s.stepping | (s.state == SUBTRACT) | (s.state == RESULT)
            s.fetch.from_double @= (
                ((s.state == DOUBLE) & ~s.fresh) | (s.state == CORRECT) | (s.state == PREPARE)
            )
            s.fetch.fresh @= s.fresh
            s.fetch.stepping @= s.stepping
            s.fetch.with_n @= 1
            if s.state == CORRECT:
                s.fetch.with_n @= s.negative
            elif s.state == RESULT:
                s.fetch.with_n @= ~s.negative
            s.fetch.subtract @= (
                ((s.state == DOUBLE) & ~s.negative) | (s.state == SUBTRACT) | (s.state == RESULT)
            )
            s.fetch.storing @= s.state == STORE
            s.fetch.loading @= s.state == LOAD
            s.fetch.shifting @= s.stepping & s.passes.last

        @update
        def product_ends():
            s.product_over @= s.stepping & s.none_left & s.passes.over
            s.next_product @= s.product_over & ~s.product.leaves

        @update_ff
        def next_state():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= STORE
                if s.skip:
                    s.state <<= DONE
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE
            elif s.passes.over:
                if s.state == STORE:
                    s.state <<= DOUBLE
                elif (s.state == DOUBLE) & s.none_left:
                    s.state <<= CORRECT
                elif s.state == CORRECT:
                    s.state <<= LOAD
                elif s.state == LOAD:
                    s.state <<= PREPARE
                elif s.state == PREPARE:
                    s.state <<= STEP
                elif s.next_product:
                    s.state <<= LOAD
                elif s.product_over:
                    s.state <<= SUBTRACT
                elif s.state == SUBTRACT:
                    s.state <<= RESULT
                elif s.state == RESULT:
                    s.state <<= DONE

        @update_ff
        def count():
            if s.passes.over:
                s.fresh <<= (s.state == STORE) | (s.state == PREPARE)
                s.left <<= s.left - 1
                if s.state == PREPARE:
                    s.left <<= Count(steps - 1)
                elif (s.state == STORE) & s.full:
                    s.left <<= Count(fewest - 1)
                elif s.state == STORE:
                    s.left <<= Count(most - 1)

    def line_trace(s) -> str:
        return f"{'IMDCLPSTRW'[int(s.state)]}{s.left} {s.passes.line_trace()}"
