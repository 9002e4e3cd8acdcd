"""PyMTL3's Verilator import, made to work with Verilator 5 and to keep its files in build/.

Repaired by subclassing: Verilator 5 escapes `__` in file names (so the prefix is given); the
library cache is keyed by contents, flags and tool versions; every import has a folder and a
Python module of its own, so that two designs cannot be mistaken for each other.
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import tempfile
import weakref
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pymtl3 import Component, MetadataKey
from pymtl3.passes.backends.verilog import (
    VerilogTranslationImportPass,
    VerilogTranslationPass,
    VerilogVerilatorImportPass,
)
from pymtl3.passes.backends.verilog.errors import VerilogImportError
from pymtl3.passes.backends.verilog.import_.VerilogVerilatorImportConfigs import (
    VerilogVerilatorImportConfigs,
)

from sim.build_cache import is_whole, keep
from sim.errors import RunError
from sim.paths import build_dir
from sim.toolchain import compiler, verilator
from sim.translate import translate
from sim.verilate import KEEP_IFS, runtime


class ImportConfigs(VerilogVerilatorImportConfigs):
    """Has PyMTL3 call our Verilator, with a prefix and warnings that do not stop the build."""

    def create_vl_cmd(s) -> str:
        tool = verilator()
        arguments = super().create_vl_cmd().removeprefix("verilator ")
        root, path = shlex.quote(str(tool.root)), shlex.quote(str(tool.path))
        prefix = f"--prefix V{s.translated_top_module}"
        return (
            f"VERILATOR_ROOT={root} {path} {arguments} {prefix} --Wno-fatal --Wno-lint {KEEP_IFS}"
        )

    def _get_all_includes(s) -> list[str]:
        s.vl_include_dir = str(verilator().root / "include")
        return [*s.c_include_path, s.vl_include_dir, s.vl_include_dir + "/vltstd"]

    def _get_srcs_from_vl_class_mk(s, all_lines: list[str], path: str, label: str) -> list[str]:
        """Leave out Verilator's runtime library, which is compiled once for all designs."""
        if label.startswith("VM_GLOBAL"):
            return []
        return list(super()._get_srcs_from_vl_class_mk(all_lines, path, label))

    def _get_c_src_files(s) -> list[str]:
        return [*super()._get_c_src_files(), *map(str, runtime(trace=s.vl_trace))]


class TranslatedPass(VerilogTranslationPass):
    """Writes a translation that was made before, where PyMTL3 would translate again."""

    translation = MetadataKey()
    library_cache = MetadataKey()  # a folder; PyMTL3 works in the current one

    def __call__(s, top: Component) -> None:
        done = top.get_metadata(s.translation)
        file = f"{done.top}.v"
        Path(file).write_text(done.text)
        top.set_metadata(s.is_same, False)
        top.set_metadata(s.translated, True)
        top.set_metadata(s.translated_filename, file)
        top.set_metadata(s.translated_top_module, done.top)


class ImportPass(VerilogVerilatorImportPass):
    """Imports as PyMTL3 into the current folder, with libraries kept by content."""

    @staticmethod
    def get_import_config() -> type:
        return ImportConfigs

    @staticmethod
    def get_translation_pass() -> type:
        return TranslatedPass

    def is_cached(s, m: Component, ip_cfg: ImportConfigs) -> tuple[bool, str, dict[str, Any]]:
        """Fetch the library from the cache, if it is there."""
        digest = m.get_metadata(TranslatedPass.translation).digest
        settings = s.serialize_cfg(ip_cfg)
        parts = (digest, repr(settings), ip_cfg.create_vl_cmd(), version("pymtl3"))
        key = hashlib.blake2b("\0".join((*parts, *_tools())).encode(), digest_size=8).hexdigest()
        cache = m.get_metadata(TranslatedPass.library_cache)
        s.kept = cache / f"{ip_cfg.translated_top_module}-{key}.so"
        cached = is_whole(s.kept)
        if cached:
            shutil.copy(s.kept, ip_cfg.get_shared_lib_path())
        return cached, "import_config.json", settings

    def create_shared_lib(
        s, m: Component, ph_cfg: Any, ip_cfg: ImportConfigs, cached: bool
    ) -> None:
        """Compile, and put a copy into the cache in one step."""
        super().create_shared_lib(m, ph_cfg, ip_cfg, cached)
        if not cached:
            handle, name = tempfile.mkstemp(dir=s.kept.parent)
            os.close(handle)
            shutil.copy(ip_cfg.get_shared_lib_path(), name)
            keep(Path(name), s.kept)

    def import_component(
        s, m: Component, ph_cfg: Any, ip_cfg: ImportConfigs, symbols: dict[str, Any]
    ) -> Component:
        """Load the generated wrapper under no module name, so that none can be stale."""
        path = Path(ip_cfg.get_py_wrapper_path()).absolute()
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None, path
        assert spec.loader is not None, path
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        vars(module).update(symbols)
        return getattr(module, ip_cfg.translated_top_module)()


ImportConfigs.Pass = ImportPass


class TranslationImportPass(VerilogTranslationImportPass):
    """Ties the passes above together."""

    @staticmethod
    def get_translation_pass() -> type:
        return TranslatedPass

    @staticmethod
    def get_import_pass() -> type:
        return ImportPass


def import_verilog(component: Component) -> Component:
    """Return the component's translation, Verilated, as a PyMTL3 component with the same ports.

    Its finalize() unloads the library; its folder goes when it is collected. The current
    folder changes during the call, so not for threads.
    """
    compiler()
    translation = translate(component)
    component.set_metadata(TranslatedPass.translation, translation)
    component.set_metadata(TranslatedPass.library_cache, build_dir("verilator-import", "cache"))
    component.set_metadata(TranslationImportPass.enable, True)
    folder = tempfile.mkdtemp(dir=build_dir("verilator-import"), prefix=f"{translation.top}-")
    try:
        with chdir(folder):
            imported = TranslationImportPass()(component)
    except VerilogImportError as error:
        shutil.rmtree(folder)
        raise RunError(f"{translation.top}: Verilator import failed: {error}") from error
    weakref.finalize(imported, shutil.rmtree, folder, ignore_errors=True)
    return imported


def _tools() -> tuple[str, str]:
    return verilator().version, compiler().version
