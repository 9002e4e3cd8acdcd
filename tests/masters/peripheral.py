"""Runs inside a simulator, under cocotb: cocotbext-axi's master on the peripheral's bus.

The environment says how many accesses it makes (TRANSACTIONS), and messages of how many lengths.
"""

import itertools
import os
from collections.abc import Iterator
from random import Random

import cocotb
from cocotb.clock import Clock
from cocotb.task import bridge, resume
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from fl.axi_lite import OKAY, WHOLE
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Access, Outcome, Procedure, load_key
from fl.peripheral_map import *
from fl.peripheral_registers import Registers
from fl.rsa_keys import even_key
from sim.axi_protocol import PAYLOADS, REQUESTS, Watch
from tests.bus_traffic import any_access
from tests.golden.pkcs1_packages import check_peers, lengths_of

NBITS = 96
PERIOD = 10  # ns
KEY = even_key(NBITS, 3)
LIMIT = 100_000 * PERIOD


def pauses(seed: int) -> Iterator[bool]:
    """Pauses of random lengths, between transfers that follow each other."""
    rng = Random(seed)
    while True:
        yield from itertools.repeat(True, rng.choice((0, 0, rng.randint(0, 9))))
        yield from itertools.repeat(False, rng.randint(1, 4))


class Bench:
    """The package's master, with what else is at the peripheral's ports."""

    def __init__(self, dut, paused: bool) -> None:
        self.dut, self.count = dut, 0
        cocotb.start_soon(Clock(dut.clk, PERIOD, "ns").start())
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.reset)
        write, read = self.master.write_if, self.master.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel)
        for seed, channel in enumerate((*channels, read.ar_channel, read.r_channel)):
            if paused:
                channel.set_pause_generator(pauses(seed))
        cocotb.start_soon(self.watch())
        cocotb.start_soon(self.give_bytes())

    async def reset(self) -> None:
        """Hold reset for some cycles."""
        self.dut.reset.value = 1
        for _ in range(4):
            await FallingEdge(self.dut.clk)
        self.dut.reset.value = 0
        await FallingEdge(self.dut.clk)

    async def watch(self) -> None:
        """Check the protocol in every cycle."""
        dut, seen = self.dut, Watch()
        while True:
            await RisingEdge(dut.clk)
            value = {name: int(getattr(dut, f"s_axi_{name}").value) for name in WATCHED}
            for channel, payload in PAYLOADS.items():
                offered = tuple(value[name] for name in payload)
                valid, ready = value[f"{channel}valid"], value[f"{channel}ready"]
                seen.see(channel, valid, ready, offered)
            for channel in REQUESTS:
                if value[f"{channel}valid"] and value[f"{channel}ready"]:
                    seen.take(channel)

    async def give_bytes(self) -> None:
        """Offer a random byte now and then."""
        rng = Random("bytes")
        self.dut.random_valid.value = 0
        while True:
            for _ in range(rng.choice((0, rng.randint(0, 5)))):
                await FallingEdge(self.dut.clk)
            self.dut.random_byte.value = rng.choice((0, rng.getrandbits(8)))
            self.dut.random_valid.value = 1
            await RisingEdge(self.dut.clk)
            while not self.dut.random_ready.value:
                await RisingEdge(self.dut.clk)
            await FallingEdge(self.dut.clk)
            self.dut.random_valid.value = 0

    async def access(self, access: Access) -> tuple[int, int]:
        """Perform an access; return data and response."""
        self.count += 1
        if access.data is None:
            answer = await with_timeout(self.master.read(access.address, 4), LIMIT, "ns")
            return int.from_bytes(answer.data, "little"), int(answer.resp)
        data = access.data.to_bytes(4, "little")
        if access.strobes != WHOLE:  # a byte in the middle of the word
            access, data = Access(access.address + 1, access.data), data[1:2]
        answer = await with_timeout(self.master.write(access.address, data), LIMIT, "ns")
        return 0, int(answer.resp)

    async def perform(self, procedure: Procedure) -> Outcome | None:
        """Perform a procedure, waiting by interrupt and by polling in turn."""
        data = None
        while True:
            try:
                access = procedure.send(data)
            except StopIteration as end:
                return end.value
            if access is None:
                await self.wait()
                data = 0
                continue
            data, response = await self.access(access)
            assert response == OKAY, access

    async def wait(self) -> None:
        """Wait for the end of an operation."""
        if self.count % 2:
            await self.access(Access(INTERRUPT_ENABLE, 0))
            while (await self.access(Access(STATUS)))[0] & BUSY:
                assert not self.dut.irq.value
        else:
            await self.access(Access(INTERRUPT_ENABLE, 1))
            if not self.dut.irq.value:
                await with_timeout(RisingEdge(self.dut.irq), LIMIT, "ns")


WATCHED = (
    *(f"{channel}{wire}" for channel in (*REQUESTS, *PAYLOADS) for wire in ("valid", "ready")),
    *(name for payload in PAYLOADS.values() for name in payload),
)


@cocotb.test()
@cocotb.parametrize(paused=[False, True])
async def peers(dut, paused: bool) -> None:
    """`rsa` encrypts for it and signs to it, and the other way round."""
    bench, count = Bench(dut, paused), int(os.environ["LENGTHS"])
    await bench.reset()
    await bench.perform(load_key(NBITS, KEY.n, (KEY.e, KEY.d)))
    await bridge(check_peers)(resume(bench.perform), NBITS, KEY, lengths_of(KEY)[:count])


@cocotb.test()
async def any_accesses(dut) -> None:
    """A read and a write at once, answered as the registers say."""
    bench, rng = Bench(dut, True), Random("accesses")
    await bench.reset()
    registers = Registers(NBITS, mod_exp, design="mont-best")
    while bench.count < int(os.environ["TRANSACTIONS"]):
        one = any_access(rng, NBITS)
        address = one.address & ~3  # the package makes two accesses of an unaligned one
        if one.data is None:
            one = Access(address)
            right = registers.read(address)
        else:
            one = Access(address, one.data & ~START, one.strobes)
            right = 0, registers.write(one.address, one.data, one.strobes)
        beside = cocotb.start_soon(bench.access(Access(DESIGN))) if one.data is not None else None
        assert await bench.access(one) == right, one
        if beside:
            assert await beside == registers.read(DESIGN)
