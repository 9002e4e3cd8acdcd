"""What a row is known by: all that computes it, and nothing that shows it."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import eval.catalog
from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.tasks import at_clock, timing
from eval.tasks.closure import ENDS, GATES, HARDWARE, KEEPING, REGISTRY, hardware, used_by
from eval.tasks.keyed import asked_of
from eval.tasks.kinds import KINDS
from eval.tasks.task import Task
from eval.tasks.timing import TimeTells
from sim.closure import PACKAGES, Code, Used, facts_of, files_in
from sim.paths import ROOT
from tests.eval.tasks.keys import MONT, TASKS, changed, planted

FILES = frozenset(file for package in PACKAGES for file in files_in(ROOT / package))

# What decides no figure of any row.
SHOWS = (
    r"eval/(chart|table|report|cli|study|doctor|skeleton|figures|labs)/.*|modexplorer/.*",
    r"eval/(start|descendants|exit_codes|frames|signals)\.py",
    r"eval/tasks/(.*/|.*_)?(section|grids|chart)\.py",
    r"eval/tasks/(columns|kind|marks|metrics)\.py",  # shared by these
    r"eval/tasks/flow_run/(energy|gating|processors)\.py",
    r"eval/documents/\w+\.py|eval/documents/d\d+/(\w+\.toml|__init__\.py)",
    r"eval/documents/d\d+/(.*_section|.*_chart|figures|derived|beside|views)\.py",
    r"eval/documents/d000/(exponentiators|over_n|silicon|tables)\.py",
    r"eval/documents/d001/(accelerators|add_red|energy|parts|reasons|systems)\.py",
    r"eval/documents/d004/on_fpga\.py",
)
# What is of commands that keep no row, or of tests.
KEEPS_NO_ROW = (
    r"eval/contract/.*|eval/catalog/(keys|mixed)\.py",  # checks of designs; keys in files; --part
    r"eval/find/.*",  # which chooses what other rows are measured of
    r"eval/(conform|assess|attack)/.*|eval/tasks/leakage/chance\.py",  # vectors, traces
    r"eval/probe\.py|flow/gates/probing\.py",  # wires that see shares
    r"eval/tasks/(levels|product|program|rsa_levels|rsa_make|rsa_peripheral|sensitivity)\.py",
    r"sim/part_(at_level|behind_ports)\.py",  # parts at levels of their own
    r"proc/run/rsa_(axi|make)\.py|rtl/port/flipping\.py",
    r"proc/cl/.*|proc/run/(levels|cycle_system)\.py",  # no row is measured at cycle level
    r"proc/app/(hello|rsa_axi|peripheral)\.c|proc/app/(interrupts|peripheral)\.h",
    r"proc/app/(chacha|keygen|odd|primes|rsa_make)\.[ch]",  # keys that the processor makes
    r"fl/(prime_rounds|pseudo_modulus|redc)\.py|sim/garbage\.py",
    r"fl/printed_schedules/.*",
    r"flow/technologies/\w+/.*",  # for which the hash of the kit stands
    r"flow/layout/(calibrate|field)\.py",  # which write wires.toml of a technology
    r"flow/gates/(fo4|models)\.py",  # delays are counted in, and what other simulators take
)
# What only entries in people's files import: cores of others, for whom their Verilog stands.
OF_PEOPLE = (r"(eval|rtl)/foreign/.*",)


def name(file: Path) -> str:
    """A file's name from the folder of all packages."""
    return str(file.relative_to(ROOT))


def used(task: Task) -> Used:
    """What a task's row rests on."""
    return used_by(type(task), task.uses(), [task.point.design] if task.by_entry else ())


@pytest.mark.quick
def test_there_is_a_task_of_every_kind():
    assert {task.kind for task in TASKS.values()} == set(KINDS)


@pytest.mark.parametrize("of", TASKS)
def test_a_change_in_what_computes_a_row_moves_its_key_and_one_elsewhere_does_not(of):
    task = TASKS[of]
    with changed() as code:
        before, inside = task.code(), used(task).files
        for file in inside:
            code.let(file, "planted")
            assert task.code() != before, name(file)
            code.restore(file)
        assert task.code() == before
        for file in FILES - inside:
            code.let(file, "planted")
        code.forget()
        assert task.code() == before


@pytest.mark.quick
@pytest.mark.parametrize("of", TASKS)
def test_the_code_is_in_the_key(of, monkeypatch):
    task = TASKS[of]
    monkeypatch.setattr(type(task), "verilog", lambda self: "")
    before = task.key
    monkeypatch.setattr(type(task), "code", lambda self: {"code": "other"})
    assert task.key.digest != before.digest


@pytest.mark.quick
def test_every_file_computes_or_shows():
    """None is in neither list, and none that computes has the name of one that shows."""
    computing = frozenset().union(*(used(task).files for task in TASKS.values()))
    names = [design.name for design in eval.catalog.DESIGNS.values()]
    makers = ["eval.catalog.point", "eval.catalog.processor", "eval.tasks.traced"]
    makers += ["eval.documents.d000.units"]
    making = hardware(makers, [*names, *eval.catalog.VARIANTS]).files
    keeping = {ROOT / file for file in (*REGISTRY, *KEEPING, *GATES)}
    rest = {name(file) for file in FILES - computing - making - keeping}
    listed = (*SHOWS, *KEEPS_NO_ROW, *OF_PEOPLE)
    neither = [f for f in rest if not any(re.fullmatch(r, f) for r in listed)]
    assert not sorted(neither)
    showing = [name(f) for f in computing if any(re.fullmatch(r, name(f)) for r in SHOWS)]
    # The widths of document 004's table, by which keys are made.
    of_documents = r"eval/documents/(__init__|d\d+/(__init__|figures))\.py"
    assert not [file for file in showing if not re.fullmatch(of_documents, file)]


@pytest.mark.quick
def test_no_section_is_in_what_computes():
    sections = {ROOT / f"{kind.module.replace('.', '/')}.py" for kind in KINDS.values()}
    for task in TASKS.values():
        assert not used(task).files & sections, task


@pytest.mark.quick
@pytest.mark.parametrize(
    ("file", "was", "now", "of"),
    [
        (
            "eval/tasks/flow_run/sampling.py",
            "PIECES, PIECE_CYCLES = 12, 384",
            "PIECES, PIECE_CYCLES = 6, 192",
            {"energy", "noise", "crosscheck", "layout", "proof"},
        ),
        (
            "eval/tasks/flow_run/task.py",
            'f"energy_{name}_nj": row.energy_nj',
            'f"energy_{name}_nj": 2 * row.energy_nj',
            {
                *("flow", "flow of a multiplier", "energy", "energy of a peripheral", "proof"),
                *("energy of a system", "clocks", "noise", "crosscheck"),
                "leakage of gates",
            },
        ),
        (
            "flow/gates/power.py",
            "HALF = 0.5",
            "HALF = 0.25",
            {
                *("energy", "energy of a peripheral", "energy of a system", "noise", "crosscheck"),
                *("layout", "proof"),
            },
        ),
        (
            "sim/stream_loop.cpp",
            "#include",
            "#define DRAIN 1\n#include",
            {"simulate", "timing", "table-004", "energy"},
        ),
        ("sim/toggle_loop.cpp", "#include", "#define N 1\n#include", {"leakage"}),
        ("proc/run/system_loop.cpp", "#include", "#define N 1\n#include", {"run", "rsa", "timing"}),
        ("proc/app/xcel.c", "#include", "#define N 1\n#include", {"run", "rsa", "timing"}),
        ("proc/app/power.c", "int main", "int  planted; int main", {"rsa by d", "timing"}),
        ("eval/tasks/noise.py", "SEEDS = (1, 2, 3, 4, 5)", "SEEDS = (1,)", {"noise"}),
        ("eval/tasks/clocks.py", "LARGER = 1.5", "LARGER = 2.5", {"clocks"}),
        ("eval/tasks/peripheral.py", "2 * busy + 1000", "2 * busy", {"timing"}),
        ("eval/tasks/leakage/welch.py", "THRESHOLD = 4.5", "THRESHOLD = 9", {"leakage"}),
        (
            "eval/tasks/crosscheck/by_hand/count.ys",
            "stat",
            "check\nstat",
            {"crosscheck"},
        ),
        (
            "flow/layout/checks.py",
            "1 / UNITS_PER_UM",
            "2 / UNITS_PER_UM",
            {"layout", "leakage of a layout"},
        ),
        (
            "flow/gates/coupling.py",
            "OTHER, TO_GROUND = 4, 3",
            "OTHER, TO_GROUND = 4, 4",
            {"leakage of a layout"},
        ),
        ("flow/fpga/devices.py", "NO_CELL", "NONE", {"fpga, counted", "fpga, routed"}),
        ("flow/fpga/nextpnr.py", "def run_nextpnr", "def run_other", {"fpga, routed"}),
    ],
)
def test_planted_changes_move_the_keys_of_what_they_change(file, was, now, of):
    with changed() as code:
        before = {task: TASKS[task].code() for task in TASKS}
        text = (ROOT / file).read_text()
        assert was in text
        code.change(ROOT / file, text.replace(was, now, 1).encode())
        moved = {task for task in TASKS if TASKS[task].code() != before[task]}
    assert of <= moved


@pytest.mark.quick
@pytest.mark.parametrize(
    "file", ["eval/report/pareto.py", "eval/tasks/noise_section.py", "eval/tasks/metrics.py"]
)
def test_what_shows_moves_no_key(file):
    with changed() as code:
        before = {task: TASKS[task].code() for task in TASKS}
        code.change(ROOT / file, planted(ROOT / file))
        assert {task: TASKS[task].code() for task in TASKS} == before


def test_what_is_planted_counts_and_no_comment_does():
    """Nor a docstring."""
    signs = {".py": b"\n# said\n", **dict.fromkeys((".c", ".h", ".cpp", ".v"), b"\n// said\n")}
    signs |= dict.fromkeys((".tcl", ".ys", ".yml"), b"\n# said\n")
    files = frozenset().union(*(used(task).files for task in TASKS.values()))
    code = Code()
    for file in sorted(files):
        content = file.read_bytes()
        assert facts_of(file.suffix, planted(file)).digest != code.facts(file).digest, file
        if file.suffix not in signs:
            continue
        said = facts_of(file.suffix, content + signs[file.suffix])
        assert said.digest == code.facts(file).digest, file
        if file.suffix == ".py" and content.startswith(b'"""') and b"__doc__" not in content:
            other = facts_of(".py", b'"""Otherwise said. ' + content[3:])
            assert other.digest == code.facts(file).digest, file


@pytest.mark.quick
def test_a_closure_ends_at_files_that_there_are():
    assert all((ROOT / end).exists() for end in ENDS)
    assert {name for name in HARDWARE if name.startswith("eval")} >= {"eval/catalog/design.py"}


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 32])
def test_a_row_of_constant_time_is_known_by_all_hardware_that_it_speaks_of(nbits, monkeypatch):
    """The exponentiator alone would not tell of a port that tells the exponent."""
    said: dict[object, str] = {}
    monkeypatch.setattr(timing, "verilog_digest", lambda point, unit: said.get(unit, unit))
    monkeypatch.setattr("eval.tasks.task.verilog_digest", lambda point, unit: unit)
    monkeypatch.setattr(timing, "traced_digest", lambda system: said.get(system, str(system)))
    task = TimeTells(Point("systolic-16", nbits))
    before = task.verilog()
    around = ["accelerator", "peripheral"][: 1 + (nbits == 32)]
    for part in (*around, Processor("systolic-16", nbits)):
        said[part] = "other"
        assert task.verilog() != before
        said.clear()
    assert TimeTells(Point("mul-rem", nbits)).verilog() == "exponentiator"  # claims nothing


@pytest.mark.quick
@pytest.mark.parametrize(
    "file",
    [
        *("rtl/port/xcel.py", "rtl/port/peripheral_control.py", "proc/rtl/hazards.py"),
        *("rtl/mul/mont_mul.py", "rtl/mul/ssmm.py"),
    ],
)
def test_hardware_around_a_design_is_translated_anew_if_its_code_changes(file):
    makers = ["eval.catalog.point", "eval.catalog.processor", "eval.tasks.traced"]
    assert ROOT / file in hardware(makers, [MONT.design, "ssmm-small"]).files


@pytest.mark.quick
def test_a_design_is_known_by_its_own_file_and_not_by_that_there_are_others():
    with changed() as code:
        before = TASKS["timing"].code(), TASKS["table-004"].code()
        for file in ("eval/catalog/files.py", "eval/catalog/array.py", "rtl/exp/array.py"):
            code.change(ROOT / file, planted(ROOT / file))
        assert (TASKS["timing"].code(), TASKS["table-004"].code()) == before


@pytest.mark.quick
@pytest.mark.parametrize("file", ["cl/exponentiator.py", "rtl/exp/organised.py", "fl/mont_mul.py"])
def test_what_uses_formulas_of_a_design_is_known_by_them(file):
    """What it declares, and which cycles are looked at, the Verilog does not say."""
    with changed() as code:
        before = {of: TASKS[of].code() for of in ("timing", "leakage", "leakage of gates")}
        code.let(ROOT / file, "planted")
        assert not [of for of in before if TASKS[of].code() == before[of]]
        table = TASKS["table-004"].code()
        code.let(ROOT / "cl/ssmm.py", "planted")
        assert TASKS["table-004"].code() != table


@pytest.mark.quick
def test_what_a_workload_asks_is_in_the_key_of_an_energy(monkeypatch):
    """Its requests and the cycles that say how it is sampled come from the design's entry."""
    for of in ("energy", "noise", "crosscheck", "layout", "energy of a peripheral"):
        before = TASKS[of].parameters()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(at_clock, "asked_of", lambda point: "other")
            assert TASKS[of].parameters() != before, of


@pytest.mark.quick
def test_an_edited_library_of_cells_moves_what_is_mapped(monkeypatch, tmp_path):
    from eval.tasks import versions
    from flow.technologies import kit

    before = {of: TASKS[of].tools() for of in TASKS}
    monkeypatch.setattr(kit, "kit_hash", lambda tech: "other")
    versions.flow_tools.cache_clear()
    try:
        moved = {of for of in TASKS if TASKS[of].tools() != before[of]}
    finally:
        versions.flow_tools.cache_clear()
    unmapped = {"simulate", "cycles by formula", "timing", "leakage", "run", "rsa", "rsa by d"}
    unmapped |= {"rsa by a key", "table-004", "faults", "stuck bits", "attack"}
    unmapped |= {"skips", "skips and wrong powers", "skips by a key"}
    assert moved == set(TASKS) - unmapped - {"fpga, counted", "fpga, routed"}


@pytest.mark.quick
def test_the_tools_of_a_task_are_the_same_whichever_asked_before():
    def named() -> dict[str, dict[str, str]]:
        return {of: dict(task.tools()) for of, task in TASKS.items()}

    assert named() == named()


@pytest.mark.quick
def test_no_key_tells_one_processor_from_another(monkeypatch):
    from sim import toolchain

    here = toolchain.compiler()
    elsewhere = toolchain.Tool(here.path, f"{here.version.split(' for ')[0]} for 012345678901")
    before = {of: dict(task.tools()) for of, task in TASKS.items()}
    monkeypatch.setattr(toolchain, "compiler", lambda: elsewhere)
    assert {of: dict(task.tools()) for of, task in TASKS.items()} == before


def test_packages_and_compilers_that_compute_are_in_the_key():
    assert {"numpy", "pymtl3", "python"} <= TASKS["energy"].code().keys()
    assert {"coloquinte", "klayout"} <= TASKS["layout"].code().keys()
    assert "numpy" in TASKS["leakage"].code()
    assert "g++" in TASKS["energy"].tools()
    assert "riscv gcc" in TASKS["rsa"].tools()
    assert "matplotlib" not in TASKS["simulate"].code()


@pytest.mark.quick
def test_what_is_asked_of_a_point_tells_apart_what_decides_it():
    """The operands, the cycles that they take, and whether the modulus is fixed."""
    point = Point("ssmm-best", 32)

    def asked(cycles: int = 0, only: bool = False, key: Any = None) -> str:
        entry = point.entry
        moduli = replace(entry.moduli, only=entry.at if only else None, key=key)
        taken = lambda nbits, **operands: entry.cycles(nbits, **operands) + cycles  # noqa: E731
        other: Any = SimpleNamespace(
            entry=SimpleNamespace(moduli=moduli, cycles=taken), nbits=point.nbits
        )
        return asked_of.__wrapped__(other)

    assert asked() == asked_of(point)
    other_key = find("near-power-4").moduli.key
    assert len({asked(), asked(cycles=1), asked(only=True), asked(key=other_key)}) == 4
