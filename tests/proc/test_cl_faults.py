"""Faults planted in the processor at cycle level: lock-step with the hardware finds each."""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import proc.cl
import proc.run.cycle_system
from eval.catalog import find
from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.retire import Retire, Stopped
from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.timing import Timing
from rtl.port.xcel import NullXcelRTL
from tests.cases.instruction_streams import random_stream
from tests.cases.interrupted_streams import interrupted_stream
from tests.faults import faults
from tests.proc.alarm import AlarmRTL
from tests.proc.pausing_xcel import PausingXcelRTL
from tests.proc_harness import batch, bus_batch, lock_step

SOUND = [*Path(proc.cl.__path__[0]).glob("*.py"), Path(proc.run.cycle_system.__file__)]
RANDOM = Timing(4, 1)
COUNTED = """
    csrwi stats_en, 1
    csrr a0, mcycle
    csrr a1, minstret
    divu a2, a0, a1
    csrr a3, cycle
    csrr a4, instret
    csrwi stats_en, 0
    li a7, 0x20000
    csrw proc2mngr, a7
"""

# It overwrites what F asks for in that cycle: that is still the instruction before.
OVERWRITES = """
    la a0, 1f
    li a1, 0x00100893
    sw a1, 0(a0)
    li a7, 0
    nop
1:  nop
    lui a2, 0x20
    add a7, a7, a2
    csrw proc2mngr, a7
"""

# What the sound text is, and what the fault makes of it.
PIPELINE = {
    "a bypass from X forgotten": (
        "ahead = x if x is not None and x.late else stalled",
        "ahead = x if x is not None else stalled",
    ),
    "a load-use stall missed": (
        "ahead = x if x is not None and x.late else stalled",
        "ahead = x if x is not None and x.is_xcel else stalled",
    ),
    "no wait for what is in M": (
        "ahead = x if x is not None and x.late else stalled",
        "ahead = x if x is not None and x.late else None",
    ),
    "the instruction behind a branch not squashed": (
        "if self.target is not None:\n            self.D = None\n        elif",
        "if",
    ),
    "a jal that takes a cycle more": ("target = from_D.jumps_to", "pass"),
    "a stall too many": (
        "(x is None or from_X is not None):\n            from_D",
        "x is None:\n            from_D",
    ),
    "a store before what is fetched with it": (
        "        to_D = self.fetch.step(",
        "        if self.stores is not None:\n            self.access_memory(self.stores)\n"
        "        to_D = self.fetch.step(",
    ),
}
FETCH = {
    "an answer that is overtaken not dropped": ("self.overtaken = due\n", "pass\n"),
    "an answer asked for a cycle late": (
        "self.due = cycle + self.port.latency",
        "self.due = cycle + self.port.latency + 1",
    ),
    "no answer in the cycle of a jump": (
        "if due is not None and not arrived:",
        "if due is not None:",
    ),
}
EXECUTE = {
    "a branch to the next instruction squashes nothing": (
        "if target != x.go_on() or x.detail(processor.regs):",
        "if target != x.go_on():",
    ),
    "fence.i waits for nobody": (
        "if processor.M is not None:\n        return False\n    processor.target",
        "processor.target",
    ),
    "memory a cycle late": (
        "processor.due = processor.cycle + port.latency",
        "processor.due = processor.cycle + port.latency + 1",
    ),
    "memory that is always ready": (
        "if not port.ready:\n        return False\n    processor.due",
        "processor.due",
    ),
    "a division a cycle early": (
        "if processor.cycle < divider.done:",
        "if processor.cycle + 1 < divider.done:",
    ),
}
DIVIDER = {
    "a cycle more": ("self.done = cycle + self.held +", "self.done = cycle + 1 + self.held +"),
    "a kept answer that needs no dropping": (
        "self.done = cycle + self.held +",
        "self.done = cycle +",
    ),
    "no answer is used again": ("if self.live and of == self.of:", "if False:"),
    "a stale answer": ("self.live = division.rd not in of[:2]", "self.live = True"),
    "signs that count as magnitude": ("a, b = abs(signed(a)), abs(signed(b))", "pass"),
}
DECODE = {
    "a bit that is no register": (
        "READ_ONE = frozenset((OP_JALR, OP_LOAD, OP_IMM))",
        "READ_ONE = frozenset((OP_JALR, OP_LOAD))",
    ),
}
COUNTERS = {
    "cycles from 1": (
        "super().read(number, self._cycle())",
        "super().read(number, self._cycle() + 1)",
    ),
    "cycles are instructions": ("if number in OF_CYCLES:", "if False:"),
}
STATISTICS = {
    "the last one counts": ("completed - 1 - before", "completed - before"),
}
INTERRUPTS = {
    "taken a cycle late": (
        "self.line = self.device.irq",
        "self.line, self.rung = getattr(self, 'rung', False), self.device.irq",
    ),
    "taken a cycle early": (
        "        super().step()\n        self.line = self.device.irq",
        "        self.line = self.device.irq\n        super().step()",
    ),
    "counted": ("taken.hidden = True", "taken.hidden = False"),
    "not behind a switch": (
        "if x is not None and x.accesses:\n            return None\n        ",
        "",
    ),
    "back to the next instruction": (
        "self.interrupts.enter(d.pc)",
        "self.interrupts.enter(d.pc + 4)",
    ),
    "wfi does not wait": ("if d.sleeps and not interrupts.wakes:", "if False:"),
    "mret that goes on behind it": ("if issued is not None and d.returns:", "if False:"),
    "a bus as fast as memory": (
        "self.regs[x.second])\n        self.due = NEVER",
        "self.regs[x.second])",
    ),
}
ACCELERATOR = {
    "a request while M waits": (" and (m is None or waits or self.due <= self.cycle)", ""),
    "an answer that nobody waits for": ("waits = m is not None and m.is_xcel", "waits = True"),
}

RESTS = {
    "a rest that is too long": (
        "self.accelerator.quiet(), until",
        "self.accelerator.quiet() + 1, until",
    ),
    "a rest before a fetch has come": (" and comes < self.cycle", ""),
    "a rest of the processor alone": ("self.accelerator.skip(cycles)", "pass"),
    "a rest while something moves": ("all(map(is_, stood, stands))", "True"),
}
WAITS = """
    li a0, 0x80000001
    csrw xr1, a0
    csrw xr2, a0
    csrw xr3, a0
    csrw xr0, a0
    csrr a1, xr4
    divu a2, a0, a1
    lw a3, 0(x0)
    bne a2, a3, 1f
    nop
1:  csrr a4, xr0
"""


def of_bus(cycle_system: ModuleType) -> None:
    """Interrupted programs."""
    system = cycle_system.CycleBusSystem(AlarmRTL, "fast")
    for seed in range(1, 5):
        image, timing = interrupted_stream(seed, 300), Timing(1 + seed, seed)
        lock_step(system, bus_batch("fast"), image, timing, limit=4000)


@cache
def late_hardware() -> BatchSystem:
    """The compiled processor with an accelerator that is late."""
    return BatchSystem(ProcessorSystem("fast", PausingXcelRTL))


def of_accelerator(cycle_system: ModuleType) -> None:
    """One that is late."""
    image = assemble("csrw xr0, a0\nlw a0, 0(x0)\ncsrr a1, xr0\ncsrr a0, xr0\n" * 20 + COUNTED)
    system = cycle_system.CycleSystem(PausingXcelRTL, "fast")
    lock_step(system, late_hardware(), image, RANDOM, limit=4000)


def of_rests(cycle_system: ModuleType) -> None:
    """An accelerator at cycle level, with and without the cycles in which nothing moves."""
    system = cycle_system.CycleSystem(partial(find("mont-best").xcel, "cl", 32), "fast")
    image = assemble(2 * WAITS + COUNTED)
    for timing in (Timing(), Timing(90)):
        with_rests, without = [], []
        for done, options in ((with_rests, {}), (without, {"on_line": lambda line: None})):

            def note(retired: Retire, done: list[tuple[Retire, int]] = done) -> None:
                done.append((retired, system.cycle))

            system.run(image, Manager(), timing, 20_000, on_retire=note, **options)
        assert with_rests == without


def of_pipeline(cycle_system: ModuleType) -> None:
    """Programs on the processor alone."""
    system = cycle_system.CycleSystem(NullXcelRTL, "fast")
    for image in (assemble(COUNTED), assemble(OVERWRITES), random_stream(2, 800)):
        for timing in (Timing(), RANDOM):
            lock_step(system, batch("fast"), image, timing, limit=20_000)


def planted(folder: Path, sound: str, fault: str) -> ModuleType:
    """The runner of a processor whose modules are ours but for the one place that is `sound`."""
    name = f"faulty_cl_{abs(hash((sound, fault))):x}"
    (folder / name).mkdir()
    texts = {path.name: path.read_text() for path in SOUND}
    assert sum(text.count(sound) for text in texts.values()) == 1, sound
    for file, text in texts.items():
        text = text.replace(sound, fault).replace("from proc.cl", f"from {name}")
        (folder / name / file).write_text(text)
    return import_module(f"{name}.cycle_system")


def found(lock_steps: Callable[[ModuleType], None], cycle_system: ModuleType) -> bool:
    """Whether lock-step with the hardware tells that something is wrong."""
    try:
        lock_steps(cycle_system)
    except (AssertionError, Stopped):
        return True
    return False


@pytest.mark.parametrize("lock_steps", [of_pipeline, of_bus, of_accelerator, of_rests])
def test_no_fault(lock_steps: Callable[[ModuleType], None]):
    assert not found(lock_steps, proc.run.cycle_system)


@faults(PIPELINE, FETCH, EXECUTE, DIVIDER, DECODE, COUNTERS, STATISTICS)
def test_fault_in_the_pipeline(tmp_path, monkeypatch, sound: str, faulty: str):
    monkeypatch.syspath_prepend(tmp_path)
    assert found(of_pipeline, planted(tmp_path, sound, faulty))


@faults(INTERRUPTS)
def test_fault_in_interrupts_and_bus(tmp_path, monkeypatch, sound: str, faulty: str):
    monkeypatch.syspath_prepend(tmp_path)
    assert found(of_bus, planted(tmp_path, sound, faulty))


@faults(ACCELERATOR)
def test_fault_around_an_accelerator(tmp_path, monkeypatch, sound: str, faulty: str):
    monkeypatch.syspath_prepend(tmp_path)
    assert found(of_accelerator, planted(tmp_path, sound, faulty))


@pytest.mark.quick
@faults(RESTS)
def test_fault_in_rests(tmp_path, monkeypatch, sound: str, faulty: str):
    monkeypatch.syspath_prepend(tmp_path)
    assert found(of_rests, planted(tmp_path, sound, faulty))
