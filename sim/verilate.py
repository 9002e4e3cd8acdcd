"""Build a translated design into a shared library, once for the same contents.

The key is the content: Verilog, C++, flags, tool versions.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from sim.build_cache import kept
from sim.paths import SHARED, build_dir
from sim.registers import DesignRegister
from sim.toolchain import compiler, run_tool, verilator
from sim.translate import Port, Translation, port_name

HERE = Path(__file__).parent
SHIM_H = HERE / "batch_shim.h"
SHIM_CPP = HERE / "batch_shim.cpp"
MULTIPLY_H = HERE / "wide_multiply.h"

# Verilator's dataflow pass turns `if (val) product = a * b` into an expression that is computed
# in every cycle: a 4096-bit product takes 5 ms. Without it the `if` stays. Other designs run up to
# twice as fast with that pass.
KEEP_IFS = "-fno-dfg"
WIDE_BITS = 128
# A product of two values, each extended by as many zeros as the other has bits.
_PRODUCT = re.compile(r"\{ (\d+) \{ 1'b0 \} \}, [^{}]+ \} \* \{ \{ (\d+) \{ 1'b0 \} \}")
VERILATOR_FLAGS = (
    *("-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert"),
    *("--unroll-count", "1000000", "--unroll-stmts", "1000000"),
    *("-Wno-fatal", "-Wno-lint", "-Wno-style"),
    *("--output-split-cfuncs", "1000"),  # the compiler's time grows faster than a function's length
)
# If not told so, it leaves out wide signals and long memories.
TRACE_FLAGS = ("--trace", "--trace-max-width", "1000000", "--trace-max-array", "1000000")
# Each library keeps its own copy of Verilator's runtime: nothing is exported or shared.
CXX_FLAGS = (
    "-std=c++17",
    "-march=native",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-pthread",
    "-w",
)
FAST, SLOW, RUNTIME_SPEED = "-O3", "-O0", "-O1"  # what runs every cycle, once, now and then
# Set for tests, which build hundreds and run each for a moment: a library that takes two thirds of
# the time to compile, and up to twice the time to run.
BUILD_QUICKLY, QUICKLY, ONE_UNIT_BYTES = "MODEXPLORER_BUILD_QUICKLY", "-O1", 300_000
RUNTIME, TRACING = ("verilated.cpp", "verilated_threads.cpp"), ("verilated_vcd_c.cpp",)

_looked_at: set[Path] = set()  # compiled headers, which are large, found whole by this process


def build_library(
    design: Translation,
    loop_source: Path | None,
    interfaces: Mapping[str, str],
    trace: bool,
    registers: Sequence[DesignRegister] = (),
) -> Path:
    """Return the shared library of a design behind the shim and a C++ loop, built if missing; the
    loop can see these registers."""
    header = model_header(design, interfaces, trace, registers)
    seen = "".join(
        f'public_flat_rd -module "{one.module}" -var "{one.path[-1]}"\n' for one in registers
    )
    return kept(
        library_path(design, loop_source, interfaces, trace, registers),
        lambda work: _compiled(design, header, _shim_and(loop_source), trace, seen, work),
    )


def library_path(
    design: Translation,
    loop_source: Path | None,
    interfaces: Mapping[str, str],
    trace: bool,
    registers: Sequence[DesignRegister] = (),
) -> Path:
    """Return where build_library puts it: a file named after all that goes into the build."""
    header = model_header(design, interfaces, trace, registers)
    sources = [p.read_text() for p in (SHIM_H, MULTIPLY_H, *_shim_and(loop_source))]
    key = _key(design.top, design.digest, header, *sources, *_tools(), *_passes(design), _speed())
    return build_dir("batch") / f"{design.top[:60]}-{key}.so"


def model_header(
    design: Translation,
    interfaces: Mapping[str, str],
    trace: bool,
    registers: Sequence[DesignRegister] = (),
) -> str:
    """Write model.h: the ports by number, those of an interface as <name>_<field>(model), and
    where registers are."""
    names = [p.name for p in design.ports]
    sizes = [stored_bytes(p) for p in design.ports]
    lines = [
        "#pragma once",
        f'#include "V{design.top}.h"',
        f'#include "V{design.top}___024root.h"',
        f"#define MODEL_TRACE {int(trace)}",
        f"using Model = V{design.top};",
        f"void V{design.top}___024root___eval(V{design.top}___024root *);",
        f"constexpr auto model_eval = V{design.top}___024root___eval;",
        f"constexpr unsigned PORTS = {len(names)};",
        f"constexpr unsigned PORT_BYTES[] = {{{', '.join(map(str, sizes))}}};",
        f"constexpr unsigned RECORD_BYTES = {sum(sizes)};",
        "inline void *port_data(Model &model, unsigned port) {",
        "    switch (port) {",
        *(f"        case {i}: return &model.{_member(n)};" for i, n in enumerate(names)),
        "    }",
        "    return nullptr;",
        "}",
    ]
    if registers:
        lines += [
            "struct Place { const void *data; unsigned bytes; };",
            f"constexpr unsigned REGISTERS = {len(registers)};",
            "inline void find_registers(Model &model, Place *to) {",
            *(
                f"    to[{i}] = {{&model.rootp->{name}, sizeof model.rootp->{name}}};"
                for i, name in enumerate(one.member(design.top) for one in registers)
            ),
            "}",
        ]
    for alias, dotted in interfaces.items():
        prefix = port_name(dotted) + "__"
        fields = [n.removeprefix(prefix) for n in names if n.startswith(prefix)]
        if not fields:
            raise ValueError(f"{design.top} has no interface {dotted}; ports: {', '.join(names)}")
        lines += [
            f"inline auto &{alias}_{f}(Model &model) {{ return model.{_member(prefix + f)}; }}"
            for f in fields
        ]
    return "\n".join(lines) + "\n"


def multiplies_wide(verilog: str) -> bool:
    """Whether a translated design multiplies two wide values."""
    found = (min(map(int, product.groups())) for product in _PRODUCT.finditer(verilog))
    return max(found, default=0) >= WIDE_BITS


def _passes(design: Translation) -> list[str]:
    """Choose Verilator's passes by what a design does."""
    return [KEEP_IFS] if multiplies_wide(design.text) else []


def stored_bytes(port: Port) -> int:
    """Count the bytes of a port in the Verilated model: 1, 2, 4, 8, or words of 4."""
    if port.nbits <= 32:
        return next(n for n in (1, 2, 4) if port.nbits <= 8 * n)
    return 8 if port.nbits <= 64 else 4 * ((port.nbits + 31) // 32)


def _member(name: str) -> str:
    return name.replace("__", "___05F")  # as Verilator escapes it


def _shim_and(loop_source: Path | None) -> list[Path]:
    return [SHIM_CPP] if loop_source is None else [SHIM_CPP, loop_source.absolute()]


def _speed() -> str:
    return QUICKLY if os.environ.get(BUILD_QUICKLY) else FAST


def _tools() -> tuple[str, ...]:
    flags = (*VERILATOR_FLAGS, *TRACE_FLAGS, *CXX_FLAGS, SLOW, RUNTIME_SPEED)
    return (verilator().version, compiler().version, *flags)


def _key(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def _compiled(
    design: Translation, header: str, cpp: list[Path], trace: bool, seen: str, work: Path
) -> Path:
    """Build the library in an empty folder; `seen` says what of the inside stays to be seen."""
    tool = verilator()
    sources = ["top.v", "seen.vlt"] if seen else ["top.v"]
    (work / "top.v").write_text(design.text)
    if seen:
        (work / "seen.vlt").write_text(f"`verilator_config\n{seen}")
    (work / "model.h").write_text(header)
    flags = [*VERILATOR_FLAGS, *_passes(design), *(TRACE_FLAGS if trace else [])]
    names = ["--top-module", design.top, "--prefix", f"V{design.top}", "--Mdir", "obj"]
    run_tool([tool.path, "--cc", *flags, *names, *sources], work, tool.env)
    generated = sorted((work / "obj").glob("*.cpp"))
    # What looks for changes is never called for a snapshot, and is most of a large design; a VCD of
    # 40 MB takes 0.08 s so, not 0.04.
    slow = [p for p in generated if re.search("__Slow|__Trace|__Syms$", p.stem)]
    fast = [p for p in generated if p not in slow]
    if _speed() == QUICKLY and sum(p.stat().st_size for p in generated) < ONE_UNIT_BYTES:
        fast, slow = generated, []
    objects = [
        _compile(work, "fast", [MULTIPLY_H, *fast, *cpp], _speed()),
        *([_compile(work, "slow", slow, SLOW)] if slow else []),
        *runtime(trace),
    ]
    library = work / "model.so"
    run_tool([compiler().path, "-shared", "-pthread", *objects, "-o", library], work)
    return library


def _shared(name: str) -> Path:
    folder = os.environ.get(SHARED)
    return (Path(folder) if folder else build_dir("batch")) / name


def runtime(trace: bool) -> list[Path]:
    """Return Verilator's runtime library, as object files."""
    return [_runtime("runtime", RUNTIME), *([_runtime("tracing", TRACING)] if trace else [])]


def _runtime(name: str, sources: Sequence[str]) -> Path:
    """Return a part of Verilator's runtime library, compiled once for all designs."""
    include = verilator().root / "include"
    return kept(
        _shared(f"{name}-{_key(*_tools())}.o"),
        lambda work: _compile(work, name, [include / n for n in sources], RUNTIME_SPEED, once=True),
    )


def _headers(optimise: str) -> Path:
    """Return Verilator's header, compiled once for all: reading it is most of a small unit's time.

    The compiler takes the compiled one that lies beside the text, if it fits.
    """
    header = _shared(f"headers-{_key(*_tools(), optimise)}.h")

    def compiled(work: Path) -> Path:
        header.write_text('#include "verilated.h"\n')
        made = work / "compiled.gch"
        run_tool([*_compiler(work, optimise), "-x", "c++-header", header, "-o", made], work)
        return made

    target = header.with_name(f"{header.name}.gch")
    if not (target in _looked_at and target.exists()):
        _looked_at.add(kept(target, compiled))
    return header


def _compile(work: Path, name: str, sources: list[Path], optimise: str, once: bool = False) -> Path:
    """Compile the sources as one unit, which reads the headers once: itself, if nothing else is
    compiled like it, as compiling headers takes twice as long as reading them."""
    unit = work / f"{name}.cpp"
    unit.write_text("".join(f'#include "{p}"\n' for p in sources))
    target = unit.with_suffix(".o")
    headers: list[str | Path] = [] if once else ["-include", _headers(optimise)]
    run_tool([*_compiler(work, optimise), *headers, "-c", unit, "-o", target], work)
    return target


def _compiler(work: Path, optimise: str) -> list[str | Path]:
    """Return the compiler with all flags but those of its task."""
    include = verilator().root / "include"
    folders = [f"-I{p}" for p in (work, work / "obj", HERE, include, include / "vltstd")]
    return [compiler().path, *CXX_FLAGS, optimise, "-DVL_TIME_CONTEXT", *folders]
