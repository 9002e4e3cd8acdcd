"""Pieces of an operation that is too long to replay whole on a netlist: what an accelerator's ports
did in them, and what its registers held before and after."""

import random
from collections.abc import Sequence

from flow.recording import WARM_UP, Piece, Sampled
from sim.batch_stream import DONE, BatchEngine
from sim.errors import RunError
from sim.transfers import NO_STALLS, Transfer

PIECES, PIECE_CYCLES = 12, 384


def begins(cycles: int, seed: int) -> list[int]:
    """Choose where pieces begin: one in each of so many equal parts, anywhere in it, so that no
    period of the operation can be the pieces' own."""
    rng = random.Random(seed)
    part = cycles / PIECES
    return [int(i * part + rng.random() * (part - PIECE_CYCLES - WARM_UP)) for i in range(PIECES)]


class Sampler:
    """An accelerator behind the stream loop, built so that its signals can be read: `places` says
    which is where among those of a piece."""

    def __init__(self, engine: BatchEngine) -> None:
        self.engine, self.places = engine, engine.model.snapshot().places

    def sample(
        self, requests: Sequence[int], cycles: int, begin: int
    ) -> tuple[Sampled, bytes, list[Transfer]]:
        """Run the requests, which should take so many cycles; the pieces, the recorded cycles of
        which follow `begin` others, the records of these, and what changed hands."""
        run = self.engine.begin(requests, NO_STALLS)
        pieces: list[Piece] = []
        recorded, each = b"", self.engine.model.record_bytes
        for start in begins(cycles, cycles):
            self.engine.advance(run, start, False)
            at, signals = begin + len(recorded) // each, [self._signals()]
            for end in (start + 1, start + WARM_UP + PIECE_CYCLES):
                _, raw = self.engine.advance(run, end, True)
                recorded += raw
                signals.append(self._signals())
            pieces.append(Piece(at, begin + len(recorded) // each, *signals))
        outcome, _ = self.engine.advance(run, 2 * cycles, False)
        if outcome != DONE:
            raise RunError(f"{self.engine.name}: no answer in {2 * cycles} cycles")
        return Sampled(int(run.cycle), tuple(pieces)), recorded, self.engine.transfers(run)

    def _signals(self) -> list[int]:
        return self.engine.model.snapshot().values
