"""Put clock gates into a design whose registers still have enables."""

from pyosys import libyosys as ys

from flow.technologies.technology import ClockGate

# What registers may be when gates are put in; each must take what the library has afterwards.
REGISTERS = ("$_DFF_P_", "$_DFFE_PP_", "$_SDFF_PP?_", "$_SDFFCE_PP?P_")
CLOCK_OF_REGISTER = "C"


def gate_clocks(design: ys.Design, least: int, kind: ClockGate) -> None:
    """Clock registers that share an enable, `least` of them or more, through gates of a
    kind.

    A register that is reset whatever its enable is becomes one enabled by either; yosys gates none
    else. Merging makes enables that are equal one net, which is what it goes by.
    """
    cells = " ".join(f"-cell {register} x" for register in REGISTERS)
    for command in (
        f"dfflegalize {cells}",
        "opt_merge; opt_clean",
        f"clockgate -pos {kind.cell} {kind.enable}:{kind.clock}:{kind.output} "
        f"-min_net_size {least}",
    ):
        ys.run_pass(command, design)
    for module in design.selected_modules():
        _split(module, kind)


def _split(module: ys.Module, kind: ClockGate) -> None:
    """Add gates until none has more registers than it can drive."""
    cells = list(module.selected_cells())
    for gate in [cell for cell in cells if cell.type.str() == f"\\{kind.cell}"]:
        clock = gate.getPort(_id(kind.output))
        behind = [
            cell
            for cell in cells
            if cell.is_builtin_ff() and cell.getPort(_id(CLOCK_OF_REGISTER)) == clock
        ]
        parts = -(-len(behind) // kind.most)
        for part in range(1, parts):
            another = module.addCell(ys.IdString(f"{gate.name.str()}${part}"), gate.type)
            wire = ys.SigSpec(module.addWire(ys.IdString(f"{another.name.str()}_clock"), 1))
            another.setPort(_id(kind.output), wire)
            for pin in (kind.clock, kind.enable):
                another.setPort(_id(pin), gate.getPort(_id(pin)))
            for register in behind[part * len(behind) // parts : (part + 1) * len(behind) // parts]:
                register.setPort(_id(CLOCK_OF_REGISTER), wire)


def _id(pin: str) -> ys.IdString:
    return ys.IdString(f"\\{pin}")
