"""C and assembly to ELF files, with Debian's bare-metal RISC-V compiler; builds are cached."""

import hashlib
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from proc.programs.image import DEFAULT_MEMORY
from sim.errors import RunError, UserError
from sim.paths import build_dir

APP = Path(__file__).parents[1] / "app"
RUNTIME = (APP / "crt.S", APP / "runtime.c")
COMPILER = "riscv64-unknown-elf-gcc"
PACKAGES = "gcc-riscv64-unknown-elf"
TARGET = ("-march=rv32im", "-mabi=ilp32", "-ffreestanding", "-nostdlib", "-static")
COMMON = ("-std=gnu11", "-Wall", "-Wextra", "-ffunction-sections", "-fdata-sections")
LINK = ("-Wl,--gc-sections", f"-Wl,-T,{APP / 'link.ld'}", "-lgcc")

# What a program may use by including the header of this name.
LIBRARY = (
    "mod_exp",
    "mont_mod_exp",
    "mont_printed",
    "xcel",
    "words",
    "mont_words",
    "rsa_private",
    "peripheral",
)

# The benchmark's macros, each for another function to measure; NAIVE stands for none.
VARIANTS = ("naive", "mont", "mont_printed", "xcel")


@cache
def compiler() -> str:
    """Return the cross compiler and its version; RunError says what to install if there is none."""
    if not shutil.which(COMPILER):
        raise RunError(f"{COMPILER} is not installed: apt-get install {PACKAGES}")
    version = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True)
    return version.stdout.splitlines()[0]


def build(
    sources: Sequence[Path | str],
    defines: Mapping[str, str | int] | None = None,
    optimise: str = "-O2",
    memory: int = DEFAULT_MEMORY,
) -> Path:
    """Return the ELF file of a program of these .c and .S files and the runtime; its stack begins
    at the end of a memory of so many bytes.

    UserError shows the compiler's messages when it cannot be compiled.
    """
    version = compiler()
    paths = [Path(source).absolute() for source in sources]
    for path in paths:
        if not path.is_file():
            raise UserError(f"{path}: no such file")
    options = [*TARGET, *COMMON, optimise]
    options += [f"-D{name}={value}" for name, value in (defines or {}).items()]
    inputs = [*RUNTIME, *paths]
    key = hashlib.sha256(repr((version, options, LINK[0], LINK[2:], memory)).encode())
    key.update((APP / "link.ld").read_bytes())
    # What the compiler gets to see holds every file that is included, from wherever.
    key.update(_run([COMPILER, *options, f"-I{APP}", "-E", "-P", *map(str, inputs)], paths[0]))
    target = build_dir("app") / f"{paths[0].stem}-{key.hexdigest()[:16]}.elf"
    if not target.exists():
        link = (*LINK, f"-Wl,--defsym=__memory_size={memory}")
        _compile([COMPILER, *options, f"-I{APP}", *map(str, inputs), *link], paths[0], target)
    return target


def build_program(
    path: Path | str,
    defines: Mapping[str, str | int] | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Path:
    """Return the ELF file of a C file and the library's parts whose headers it, or one of these
    parts, includes."""
    path = Path(path)
    parts = _parts(path.read_text()) if path.is_file() else ()
    return build([path, *(APP / f"{part}.c" for part in parts)], defines, memory=memory)


def build_benchmark(variant: str, optimise: str = "-O2") -> Path:
    """Return the ELF file of the benchmark for a variant, one of VARIANTS."""
    if variant not in VARIANTS:
        raise UserError(f"variant '{variant}' is unknown: choose from {', '.join(VARIANTS)}")
    sources = [APP / f"{name}.c" for name in ("benchmark", *LIBRARY)]
    return build(sources, {variant.upper(): 1}, optimise)


def _parts(text: str) -> list[str]:
    """List the library's parts that a source includes, itself or through others."""
    found: list[str] = []
    left = [text]
    while left:
        text = left.pop()
        new = [part for part in LIBRARY if f'"{part}.h"' in text and part not in found]
        found += new
        left += [(APP / f"{part}{suffix}").read_text() for part in new for suffix in (".h", ".c")]
    return sorted(found, key=LIBRARY.index)


def _compile(command: list[str], program: Path, target: Path) -> None:
    """Run the compiler; the file appears complete or not at all."""
    with TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / target.name
        _run([*command, "-o", str(made)], program)
        made.replace(target)


def _run(command: list[str], program: Path) -> bytes:
    """Return what the compiler writes; UserError with its messages if it refuses the program."""
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        messages = done.stderr.decode(errors="replace").strip()
        raise UserError(f"{program.stem} does not compile:\n{messages}")
    return done.stdout
