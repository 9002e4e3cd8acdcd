"""What gate-level simulation replays to know a system's energies: the ports of a processor with an
accelerator while it runs the benchmark."""

from eval.catalog.processor import SYSTEM, Processor
from eval.catalog.workloads import WORKLOADS
from eval.tasks.flow_run.ports import DUMMY, IDLE, IDLE_CYCLES, Ports
from eval.tasks.systems import variants_of
from eval.tasks.traced import traced
from eval.tasks.unit import translation
from flow.recording import Recording
from proc.manager import Manager
from proc.programs.build import build_benchmark
from proc.programs.elf import load_elf
from proc.run.batch_system import BatchSystem
from sim.errors import RunError
from sim.transfers import RESET_CYCLES


def record_system(processor: Processor) -> Recording:
    """Let it wait for instructions, then run each variant of the benchmark from reset to end."""
    in_netlist = {port.name for port in translation(processor, SYSTEM).ports}
    system = BatchSystem(traced(processor))
    ports = Ports(p for _, p in system.model.ports.values() if p.name in in_netlist)
    windows, unchecked = {}, []
    operations: dict[str, str] = {}
    _reset(ports)
    ports.append({})
    windows[IDLE] = (ports.cycle, ports.cycle + IDLE_CYCLES)
    for _ in range(IDLE_CYCLES):
        ports.append({})
    begin = 0
    for variant in variants_of(processor):
        _reset(ports)
        unchecked.append((begin, ports.cycle))  # what it does when idle is not recorded
        begin = ports.cycle
        raw: list[bytes] = []
        run = system.run(load_elf(build_benchmark(variant)), Manager(), on_ports=raw.append)
        if run.exit_code:
            raise RunError(f"{processor} {variant}: {run.reason}")
        ports.append_all(system.model, b"".join(raw))
        found = _windows(ports.values["stats_en"], begin)
        names = [f"{variant}_{name}" for name in (DUMMY, *WORKLOADS)]
        windows |= dict(zip(names, found, strict=True))
        operations |= dict.fromkeys(names[1:], names[0])
        begin = ports.cycle
    system.close()
    return Recording(ports.recorded(), windows, tuple(unchecked), operations)


def _reset(ports: Ports) -> None:
    for _ in range(RESET_CYCLES):
        ports.append({"reset": 1})


def _windows(stats: list[int], begin: int) -> list[tuple[int, int]]:
    """Find the windows from cycle `begin` on in which stats_en is set."""
    found = []
    for cycle in range(begin, len(stats)):
        if stats[cycle] and not stats[cycle - 1]:
            start = cycle
        elif stats[cycle - 1] and not stats[cycle]:
            found.append((start, cycle))
    return found
