"""The rules of AXI4-Lite for a slave, checked cycle by cycle; when a master pauses."""

from sim.errors import RunError

PAYLOADS = {"b": ("bresp",), "r": ("rdata", "rresp")}
STAYS = "valid and payload must stay until ready takes them"
APART = "no output may depend on an input of the same cycle"
REQUESTS = {"aw": ("awaddr",), "w": ("wdata", "wstrb"), "ar": ("araddr",)}


class ProtocolError(RunError):
    """Tells that a slave broke a rule of the bus."""


class BusTimeout(RunError):
    """Tells that a slave did not answer in time."""


class Pauses:
    """Says for how many cycles a channel pauses before its next transfer; 0 always."""

    late = False  # ready is set only where valid was seen in the cycle before

    def __call__(self, channel: str) -> int:
        return 0


class Watch:
    """Checks the channels by which a slave answers, once per cycle each: nothing too early, too
    often, or withdrawn."""

    def __init__(self) -> None:
        self.offered: dict[str, tuple[int, ...] | None] = dict.fromkeys(PAYLOADS)
        self.owed = dict.fromkeys(REQUESTS, 0)
        self.cycles = dict.fromkeys(PAYLOADS, 0)

    def see(self, channel: str, valid: int, ready: int, payload: tuple[int, ...]) -> None:
        """Check a cycle of an answering channel."""
        cycle, before = self.cycles[channel], self.offered[channel]
        self.cycles[channel] += 1
        if before is not None:
            gone = f"{channel}valid fell" if not valid else _changed(channel, before, payload)
            if gone:
                raise ProtocolError(f"{gone} in cycle {cycle} before the answer was taken: {STAYS}")
        needed = ("aw", "w") if channel == "b" else ("ar",)
        if valid and not all(self.owed[name] for name in needed):
            raise ProtocolError(f"{channel}valid in cycle {cycle}: an answer to no request")
        self.offered[channel] = payload if valid and not ready else None
        if valid and ready:
            for name in needed:
                self.owed[name] -= 1

    def take(self, channel: str) -> None:
        """Note that a request was taken, in the cycle that was seen last."""
        self.owed[channel] += 1
        if self.owed[channel] > 1:
            cycle = max(self.cycles.values()) - 1
            raise ProtocolError(
                f"{channel}ready in cycle {cycle}: takes a request while another is outstanding"
            )


def _changed(channel: str, before: tuple[int, ...], now: tuple[int, ...]) -> str:
    """Say which signal of a payload changed; "" if none did."""
    for name, old, new in zip(PAYLOADS[channel], before, now, strict=True):
        if old != new:
            return f"{name} changed from {old:#x} to {new:#x}"
    return ""
