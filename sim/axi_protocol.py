"""The rules of AXI4-Lite for a slave, checked cycle by cycle; when a master pauses."""

from sim.errors import RunError

PAYLOADS = {"b": ("bresp",), "r": ("rdata", "rresp")}
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
    """Checks the channels by which a slave answers: nothing too early, too often, or withdrawn."""

    def __init__(self) -> None:
        self.offered: dict[str, tuple[int, ...] | None] = dict.fromkeys(PAYLOADS)
        self.owed = dict.fromkeys(REQUESTS, 0)

    def see(self, channel: str, valid: int, ready: int, payload: tuple[int, ...]) -> None:
        """Check a cycle of an answering channel."""
        before = self.offered[channel]
        if before is not None and not (valid and payload == before):
            raise ProtocolError(f"{channel}: {before} was not taken and is gone, now {payload}")
        needed = ("aw", "w") if channel == "b" else ("ar",)
        if valid and not all(self.owed[name] for name in needed):
            raise ProtocolError(f"{channel}: an answer to no request")
        self.offered[channel] = payload if valid and not ready else None
        if valid and ready:
            for name in needed:
                self.owed[name] -= 1

    def take(self, channel: str) -> None:
        """Note that a request was taken."""
        self.owed[channel] += 1
        if self.owed[channel] > 1:
            raise ProtocolError(f"{channel}: taken while another is outstanding")
