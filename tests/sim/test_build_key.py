"""Nothing that goes into a library of Verilator's is missing in its name: with another of it, the
library is another file. A key that misses something gives yesterday's results."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from sim import importer, toolchain, verilate
from sim.importer import ImportPass, TranslatedPass
from sim.registers import registers_of
from sim.translate import Translation, translate
from sim.verilate import library_path
from tests.sim.test_batch import LOOP, AddRTL

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def design() -> Translation:
    return translate(AddRTL(8, 3))


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What programs print, which may be changed."""
    said = {"--version": "compiler 1\nmore\n", "-march=native": "-march= one\n"}

    def run(command: list, *_: object, **__: object) -> str:
        return said[str(command[1])]

    monkeypatch.setattr(toolchain, "run_tool", run)
    monkeypatch.setattr(verilate, "verilator", lambda: toolchain.Tool(Path("v"), "verilator 1"))
    return said


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(verilate.BUILD_QUICKLY, raising=False)
    toolchain.compiler.cache_clear()
    yield
    toolchain.compiler.cache_clear()


def path(design: Translation, loop: Path | None = LOOP, trace: bool = True) -> Path:
    toolchain.compiler.cache_clear()
    return library_path(design, loop, {}, trace)


FLAGS = ("VERILATOR_FLAGS", "TRACE_FLAGS", "CXX_FLAGS")


@pytest.mark.parametrize("name", [*FLAGS, "FAST", "SLOW", "RUNTIME_SPEED"])
def test_every_flag(
    tools: dict[str, str], monkeypatch: pytest.MonkeyPatch, design: Translation, name: str
) -> None:
    usual = path(design)
    assert path(design) == usual
    flag = getattr(verilate, name)
    monkeypatch.setattr(verilate, name, (*flag, "-other") if name in FLAGS else "-O2")
    assert path(design) != usual


@pytest.mark.parametrize("name", ["SHIM_H", "SHIM_CPP", "MULTIPLY_H", "loop"])
def test_every_source(
    tools: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    design: Translation,
    name: str,
) -> None:
    source = LOOP if name == "loop" else getattr(verilate, name)
    copied = tmp_path / source.name
    copied.write_text(source.read_text())
    if name != "loop":
        monkeypatch.setattr(verilate, name, copied)
    usual = path(design, copied if name == "loop" else LOOP)
    assert usual == path(design)  # where it is does not matter
    copied.write_text(source.read_text() + "// more\n")
    assert path(design, copied if name == "loop" else LOOP) != usual


@pytest.mark.parametrize("argument", ["--version", "-march=native"])
def test_the_compiler_and_the_machine(
    tools: dict[str, str], design: Translation, argument: str
) -> None:
    usual = path(design)
    tools[argument] = "another 2\n"
    assert path(design) != usual


def test_how_quickly_it_is_built(
    tools: dict[str, str], monkeypatch: pytest.MonkeyPatch, design: Translation
) -> None:
    usual = path(design)
    monkeypatch.setenv(verilate.BUILD_QUICKLY, "1")
    assert path(design) != usual


def test_the_design_and_what_is_seen_of_it(tools: dict[str, str], design: Translation) -> None:
    usual = path(design)
    assert path(design, trace=False) != usual
    assert path(design, None) != usual
    registers = registers_of(design)
    assert registers
    seen = library_path(design, LOOP, {}, True, registers)
    assert seen != usual
    if len(registers) > 1:
        assert library_path(design, LOOP, {}, True, registers[:1]) not in (seen, usual)
    other = replace(design, text=design.text + "module more; endmodule\n")
    assert library_path(other, LOOP, {}, True) != usual
    ports = library_path(design, LOOP, {"recv": "recv"}, True)
    assert ports not in (usual, library_path(design, LOOP, {"other": "recv"}, True))


def test_the_passes_of_wide_products(
    tools: dict[str, str], monkeypatch: pytest.MonkeyPatch, design: Translation
) -> None:
    usual = path(design)
    monkeypatch.setattr(verilate, "multiplies_wide", lambda text: True)
    assert path(design) != usual


@pytest.fixture
def settings() -> dict[str, str]:
    """What PyMTL3 asks of Verilator, and its own version."""
    return {"config": "one", "command": "verilator -O3", "pymtl3": "3.1", "tools": "verilator 1"}


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]) -> Path:
    """Where libraries are kept."""
    monkeypatch.setattr(ImportPass, "serialize_cfg", lambda self, cfg: settings["config"])
    monkeypatch.setattr(importer, "version", lambda name: settings[name])
    monkeypatch.setattr(importer, "verilator", lambda: SimpleNamespace(version=settings["tools"]))
    return tmp_path


def imported_path(design: Translation, cache: Path, settings: dict[str, str]) -> Path:
    """Where an import of PyMTL3 looks for a library."""
    known = {TranslatedPass.translation: design, TranslatedPass.library_cache: cache}
    config = SimpleNamespace(
        create_vl_cmd=lambda: settings["command"], translated_top_module=design.top
    )
    an_import = ImportPass()
    toolchain.compiler.cache_clear()
    cached, _, _ = an_import.is_cached(SimpleNamespace(get_metadata=known.get), config)
    assert not cached
    return an_import.kept


@pytest.mark.parametrize("changed", ["config", "command", "pymtl3", "tools", "compiler", "design"])
def test_nothing_is_missing_in_an_imported_library(
    tools: dict[str, str],
    design: Translation,
    imported: Path,
    settings: dict[str, str],
    changed: str,
) -> None:
    usual = imported_path(design, imported, settings)
    assert usual.parent == imported
    assert imported_path(design, imported, settings) == usual
    if changed == "compiler":
        tools["--version"] = "compiler 2\n"
    elif changed == "design":
        design = replace(design, text=design.text + "module more; endmodule\n")
    else:
        settings[changed] += "1"
    assert imported_path(design, imported, settings) != usual
