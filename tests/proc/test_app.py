"""The C programs: the same tests on the host and on the processor, the benchmark, the builder."""

import shutil
import subprocess
from pathlib import Path

import pytest

from proc.fl.processor import ProcessorFL
from proc.manager import Manager
from proc.programs import build as builder
from proc.programs.build import APP, VARIANTS, build, build_benchmark, build_program
from proc.programs.elf import load_elf
from proc.programs.load import load_program
from sim.errors import RunError, UserError

TESTS = Path(__file__).with_name("c")
POWERS = [APP / f"{name}.c" for name in ("mod_exp", "mont_mod_exp", "mont_printed")]
SOURCES = [TESTS / "test_mod_exp.c", *POWERS]
CIPHER, MESSAGE = 2050940851, 995313404


def run(elf: Path, **options) -> ProcessorFL:
    processor = ProcessorFL(load_elf(elf), **options)
    processor.run(limit=2_000_000)
    return processor


class OneWordXcel:
    """An accelerator of 32 bits with the register map of the driver, computing by `pow`."""

    def __init__(self):
        self.operands = {1: 0, 2: 0, 3: 0}
        self.result = 0

    def read(self, register: int) -> int:
        return {4: self.result}.get(register, 0)

    def write(self, register: int, value: int) -> None:
        if register:
            self.operands[register] = value
        else:
            base, exponent, modulus = self.operands.values()
            self.result = pow(base, exponent, modulus) if modulus else 0


def test_exponentiations_on_the_host(tmp_path):
    program = tmp_path / "test"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", f"-I{APP}"]
    subprocess.run(["gcc", *flags, *map(str, SOURCES), "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("optimise", ["-O0", "-O2", "-O3"])
def test_exponentiations_on_the_processor(optimise: str):
    assert run(build(SOURCES, optimise=optimise)).manager.reason == "exit code 0"


def test_a_wrong_exponentiation_fails_the_test(tmp_path):
    wrong = tmp_path / "mod_exp.c"
    wrong.write_text((APP / "mod_exp.c").read_text().replace("exp >>= 1", "exp >>= 2"))
    manager = run(build([SOURCES[0], wrong, *POWERS[1:]])).manager
    assert manager.exit_code == 1
    assert manager.reason.startswith("failed at line ")


def test_runtime():
    manager = Manager([42])
    run(build([TESTS / "test_runtime.c"]), manager=manager)
    assert (manager.exit_code, manager.reason) == (3, "exit code 3")
    assert manager.printed == "numbers -2147483648 4294967295 0\n"


def test_driver_of_one_word():
    elf = build([TESTS / "test_xcel.c", APP / "xcel.c"], {"WORDS": 1})
    assert run(elf, xcel=OneWordXcel()).manager.reason == "exit code 0"


# Instructions that the calls may take beyond the dummy call: encryption, decryption.
MOST = {"naive": (1080, 2400), "mont": (275, 505), "mont_printed": (1100, 1550), "xcel": (8, 8)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_benchmark(variant: str):
    processor = run(build_benchmark(variant), xcel=OneWordXcel())
    assert processor.manager.reason == "passed"
    dummy, encryption, decryption = (end - start for start, end in processor.windows)
    assert 0 < encryption - dummy <= MOST[variant][0]
    assert 0 < decryption - dummy <= MOST[variant][1]
    printed = f"encryption {encryption - dummy}\ndecryption {decryption - dummy}\n"
    assert processor.manager.printed == printed


def test_benchmark_with_a_wrong_answer_fails():
    xcel = OneWordXcel()
    xcel.read = lambda register: 1
    assert run(build_benchmark("xcel"), xcel=xcel).manager.exit_code == 1


def test_image_of_a_program():
    image = load_elf(build_benchmark("naive"))
    assert image.entry == image.symbols["_start"] == 0x200
    assert [segment.executable for segment in image.segments] == [True, False]
    assert image.symbols["__stack_top"] == 0x100000
    assert image.symbols["mod_exp"] % 4 == 0
    assert "xcel_mod_exp" not in image.symbols


def test_builds_are_cached_by_content(tmp_path, monkeypatch):
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0; }\n")
    first = build([source])
    monkeypatch.setattr(builder, "_compile", lambda command, target: pytest.fail("compiled again"))
    assert build([source]) == first
    monkeypatch.undo()
    source.write_text('#include "p.h"\nint main(void) { return P; }\n')
    (tmp_path / "p.h").write_text("#define P 1\n")
    second = build([source])
    (tmp_path / "p.h").write_text("#define P 2\n")
    third = build([source])
    assert len({first, second, third, build([source], optimise="-O0")}) == 4
    assert [run(elf).manager.exit_code for elf in (first, second, third)] == [0, 1, 2]


CHANGES = ("memory", "define", "optimise", "compiler", "target", "link", "script", "runtime")


@pytest.mark.parametrize("changed", CHANGES)
def test_nothing_that_a_build_depends_on_is_missing_in_its_name(
    tmp_path, monkeypatch, changed: str
):
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0; }\n")
    shutil.copytree(APP, app := tmp_path / "app")
    monkeypatch.setattr(builder, "APP", app)
    monkeypatch.setattr(builder, "RUNTIME", (app / "crt.S", app / "runtime.c"))
    monkeypatch.setattr(builder, "_compile", lambda command, program, target: None)
    usual = build([source])
    assert build([source]) == usual
    asked = {}
    if changed == "memory":
        asked["memory"] = builder.DEFAULT_MEMORY // 2
    elif changed == "define":
        asked["defines"] = {"P": 1}
    elif changed == "optimise":
        asked["optimise"] = "-O3"
    elif changed == "compiler":
        monkeypatch.setattr(builder, "compiler", lambda: "another version")
    elif changed == "target":
        monkeypatch.setattr(builder, "TARGET", (*builder.TARGET, "-fno-inline"))
    elif changed in ("script", "runtime"):
        with open(app / {"script": "link.ld", "runtime": "runtime.c"}[changed], "a") as file:
            file.write("\nvoid more(void) {}\n")
    else:
        monkeypatch.setattr(builder, "LINK", (*builder.LINK, "-Wl,--relax"))
    assert build([source], **asked) != usual


def test_programs_compile_without_warnings():
    flags = [*builder.TARGET, *builder.COMMON, "-Werror", f"-I{APP}", "-c", "-o", "/dev/null"]
    for source in (*APP.glob("*.c"), *TESTS.glob("test_[mr]*.c")):
        command = [builder.COMPILER, *flags, str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), source.name


def test_assembly_sources_are_built_too(tmp_path):
    source = tmp_path / "p.S"
    source.write_text(".globl main\nmain: li a0, 5\nret\n")
    assert run(build([source])).manager.exit_code == 5


def test_programs_by_file_name(tmp_path):
    program = tmp_path / "p.c"
    program.write_text('#include "mod_exp.h"\nint main(void) { return mod_exp(3, 4, 101); }\n')
    images = [load_program(program), load_program(build_program(program))]
    for image in images:
        processor = ProcessorFL(image)
        assert processor.run(limit=10_000) == 81
    program = tmp_path / "p.s"
    program.write_text("li a0, 0x10002\ncsrw proc2mngr, a0\n")
    assert ProcessorFL(load_program(program)).run(limit=10) == 2


def test_files_that_are_no_programs(tmp_path):
    with pytest.raises(UserError, match=r"none\.elf: no such file"):
        load_program(tmp_path / "none.elf")
    path = tmp_path / "notes.txt"
    path.write_text("li a0, 1\n")
    with pytest.raises(UserError, match=r"notes\.txt: not a program: give an ELF file"):
        load_program(path)


def test_a_program_that_does_not_compile(tmp_path, monkeypatch):
    monkeypatch.setenv(
        "MODEXPLORER_BUILD", str(tmp_path / "build")
    )  # others compile in the usual one
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return x; }\n")
    with pytest.raises(UserError, match=r"^p does not compile:\n(.|\n)*'x' undeclared"):
        build([source])
    assert not list(builder.build_dir("app").glob("tmp*"))


def test_a_changed_include_of_any_name_is_compiled_anew(tmp_path):
    (tmp_path / "own.c").write_text('int main(void) { return\n#include "value.inc"\n; }')
    built = []
    for value in ("1", "2", "1"):
        (tmp_path / "value.inc").write_text(value)
        built.append(build([tmp_path / "own.c"]))
    assert built[0] == built[2] != built[1]


def test_missing_source_and_variant(tmp_path):
    with pytest.raises(UserError, match=r"none\.c: no such file"):
        build([tmp_path / "none.c"])
    with pytest.raises(UserError, match="variant 'fastest' is unknown: choose from naive, mont"):
        build_benchmark("fastest")


def test_missing_compiler(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    builder.compiler.cache_clear()
    with pytest.raises(RunError, match="apt-get install gcc-riscv64-unknown-elf$"):
        build_benchmark("naive")
    builder.compiler.cache_clear()
