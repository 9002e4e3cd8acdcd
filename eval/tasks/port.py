"""The accelerator's port in a run: requests as messages, and what their responses say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fl.messages import XcelReq
from fl.xcel import READ, RESULT, from_words
from sim.transfers import Transfer, packer

PORTS = "xcel.req", "xcel.resp"
WORD = 0xFFFFFFFF
Access = tuple[int, int, int]  # type, register and data of a request


@dataclass(frozen=True)
class Popped:
    """What one computation answers: its result, the word of the last status, and the cycles from
    the first request to the last pop."""

    result: int
    status: int
    cycles: int


def messages(requests: Iterable[Access]) -> list[int]:
    """Pack requests."""
    pack = packer(XcelReq)
    return [pack(*request) for request in requests]


def popped(requests: Sequence[Access], transfers: Sequence[Transfer]) -> Popped:
    """Read off the transfers of the requests of one computation, status at the end."""
    pops = [
        transfer
        for transfer, (type_, register, _) in zip(transfers, requests, strict=True)
        if (type_, register) == (READ, RESULT)
    ]
    return Popped(
        from_words([pop.response & WORD for pop in pops]),
        transfers[-1].response & WORD,
        pops[-1].arrived - transfers[0].accepted,
    )
