"""The control and status registers of the course protocol, and which accesses are legal.

An access reads, writes or does both: csrrw[i] with rd = x0 only writes; csrrs[i] and csrrc[i]
with rs1 = x0 (or zimm = 0) only read; all others do both.
"""

from proc.isa import F3_CSRRW, F3_CSRRWI

PROC2MNGR = 0x7C0  # write: one word to the manager (protocol: proc/manager.py)
STATS_EN = 0x7C1  # bit 0: the statistics of this part of the program count
XCEL_FIRST, XCEL_LAST = 0x7E0, 0x7FF  # accelerator registers xr0 to xr31
MCYCLE, MINSTRET, MCYCLEH, MINSTRETH = 0xB00, 0xB02, 0xB80, 0xB82
CYCLE, INSTRET, CYCLEH, INSTRETH = 0xC00, 0xC02, 0xC80, 0xC82  # the same counters
MSTATUS, MIE, MTVEC = 0x300, 0x304, 0x305  # of interrupts, which a processor has or has not
MSCRATCH, MEPC, MCAUSE, MIP = 0x340, 0x341, 0x342, 0x344
MHARTID = 0xF14  # core number: the course's coreid
MNGR2PROC = 0xFC0  # read: the next word from the manager

CSR_NAMES: dict[str, int] = {
    "proc2mngr": PROC2MNGR,
    "stats_en": STATS_EN,
    "mcycle": MCYCLE,
    "minstret": MINSTRET,
    "mcycleh": MCYCLEH,
    "minstreth": MINSTRETH,
    "cycle": CYCLE,
    "instret": INSTRET,
    "cycleh": CYCLEH,
    "instreth": INSTRETH,
    "mstatus": MSTATUS,
    "mie": MIE,
    "mtvec": MTVEC,
    "mscratch": MSCRATCH,
    "mepc": MEPC,
    "mcause": MCAUSE,
    "mip": MIP,
    "mhartid": MHARTID,
    "mngr2proc": MNGR2PROC,
    **{f"xr{i}": XCEL_FIRST + i for i in range(32)},
}
CSR_ALIASES: dict[str, int] = {"coreid": MHARTID}

INTERRUPTS = frozenset((MSTATUS, MIE, MTVEC, MSCRATCH, MEPC, MCAUSE, MIP))
HIGH_HALVES = frozenset((MCYCLEH, MINSTRETH, CYCLEH, INSTRETH))
READ_ONLY = frozenset(
    (MCYCLE, MINSTRET, MCYCLEH, MINSTRETH, CYCLE, INSTRET, CYCLEH, INSTRETH, MHARTID, MNGR2PROC)
)


def is_xcel(csr: int) -> bool:
    """Return whether the CSR is one of the accelerator's registers."""
    return XCEL_FIRST <= csr <= XCEL_LAST


def access(funct3: int, rd: int, rs1: int) -> tuple[bool, bool]:
    """Return (reads, writes) of a CSR instruction with these fields."""
    swaps = funct3 in (F3_CSRRW, F3_CSRRWI)
    return (not swaps or rd != 0), (swaps or rs1 != 0)


def is_legal(csr: int, reads: bool, writes: bool, interrupts: bool = False) -> bool:
    """Return whether a CSR takes such an access; stats_en and those of interrupts take any.

    Counters, coreid and mngr2proc are only read, proc2mngr is only written, an accelerator
    register is read or written by one instruction but not both.
    """
    if csr in READ_ONLY:
        return not writes
    if csr == PROC2MNGR:
        return not reads
    if is_xcel(csr):
        return reads != writes
    return csr == STATS_EN or (interrupts and csr in INTERRUPTS)
