"""The cycles of a core of others: there is no formula, so each request is run, once."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from pymtl3 import Component

from rtl.foreign.text import VerilogModule
from sim.batch import BatchModel
from sim.errors import RunError
from sim.stream import SimulationTimeout, StreamRunner
from sim.transfers import packer
from sim.verilated import translation_of


class Meter:
    """Runs requests, each by itself after a reset; cycles(*operands) counts to the answer.

    most: after how many cycles an answer is given up.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Component],
        request: type[Any],
        module: VerilogModule,
        steps: Sequence[str],
        most: int,
    ) -> None:
        self.name, self.make, self.module, self.steps = name, make, module, steps
        self.request, self.most = request, most
        self.pack = packer(request)
        self._runner: StreamRunner | None = None
        self.cycles = lru_cache(1 << 16)(self._cycles)

    def _cycles(self, *operands: int) -> int:
        if self._runner is None:
            self._runner = StreamRunner(self.make(), "batch", name=self.name)
        try:
            [transfer] = self._runner.run([self.pack(*operands)], max_cycles=self.most)
        except SimulationTimeout:
            asked = dict(zip(self.request.__bitstruct_fields__, operands, strict=True))
            told = ", ".join(f"{name} = {value}" for name, value in asked.items())
            raise RunError(
                f"{self.name}: no answer in {self.most} cycles to {told}: {self._stuck(asked)}. "
                "Are clock and reset the core's, with the reset's polarity, and the ports of the "
                "handshake? A core that only takes longer asks for a larger `most`"
            ) from None
        return transfer.cycles

    def _stuck(self, asked: dict[str, int]) -> str:
        """Say in which step the adapter is then."""
        model = BatchModel(translation_of(self.module))
        model.reset()
        for name, value in asked.items():
            model.poke(f"in_{name}", value)
        model.poke("in_val", 1)
        model.step()
        model.poke("in_val", 0)
        model.step(self.most)
        step = model.peek("at_step")
        model.close()
        if 1 <= step <= len(self.steps):
            return f"it is in step {step} of {len(self.steps)}, {self.steps[step - 1]}"
        return "it is in no step of the handshake"
