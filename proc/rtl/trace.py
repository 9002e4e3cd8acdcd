"""The processor's line trace: one fixed-width column per stage."""

from pymtl3 import Component

from proc.asm.disassembler import disassemble
from proc.isa import decode

FETCH_WIDTH, DECODE_WIDTH, NAME_WIDTH = 8, 24, 7


def trace_line(processor: Component) -> str:
    """Return a column per stage: F's pc, D's instruction, the names of those in X, M and W.

    `#`: it waits; `~`: it is squashed; `!`: it cannot be executed; irq: an interrupt. Without the
    trace ports the names are not known, an instruction is `*`.
    """
    fetch, control = processor.fetch, processor.control
    f, d, x = f"{int(fetch.pc):08x}", "", "!"
    if control.redirect and fetch.waiting:
        f = "~"
    elif not fetch.move:
        f = "#"
    if control.val_D:
        d = disassemble(int(control.word_D), int(processor.datapath.pc_D))
        if control.redirect_X:
            d = "~"
        elif not control.go_D:
            d = "#"
    names = _names(processor)
    if hasattr(processor, "interrupts"):
        unit = processor.interrupts
        hidden = (unit.enters_X, unit.hidden_M, unit.hidden_W)
        names = ["irq" if h else name for h, name in zip(hidden, names, strict=True)]
    if not control.error_X:
        x = _name(names[0], control.val_X, control.go_X)
    m = _name(names[1], control.val_M, control.go_M)
    w = _name(names[2], control.val_W, True)
    widths = (FETCH_WIDTH, DECODE_WIDTH, NAME_WIDTH, NAME_WIDTH, NAME_WIDTH)
    return "|".join(
        f"{t:{width}.{width}}" for t, width in zip((f, d, x, m, w), widths, strict=True)
    )


def _name(name: str, valid: object, moves: object) -> str:
    if not valid:
        return ""
    return name if moves else "#"


def _names(processor: Component) -> list[str]:
    if not hasattr(processor, "tracer"):
        return ["*"] * 3
    tracer = processor.tracer
    words = (tracer.in_X.word, tracer.in_M.word, tracer.in_W.word)
    found = [decode(int(word)) for word in words]
    return ["illegal" if ins is None else ins.name for ins in found]
