"""Map designs to the kit's cells, each by one recipe: its netlist and what is in it.

A process that takes a job after the other, as lines of JSON, and answers each with a line. An error
inside yosys ends the interpreter, and what yosys makes of a design depends a little on what it has
seen before, if only on names. So it works in children of this process, which has seen nothing.
"""

import contextlib
import json
import os
import random
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from pathlib import Path

from pyosys import libyosys as ys

from flow.gates.liberty import Library
from flow.gates.strengths import Cells
from flow.synthesis.modules import split
from flow.synthesis.prepare import FILES, Given, is_prepared, prepare, read_prepared
from flow.synthesis.recipes import MOST_GATES, SIZED, Recipe, parse
from flow.synthesis.sizing import sized
from flow.synthesis.ties import ties
from sim.paths import unspaced

PLAIN = "-noattr -noexpr -nohex -nodec -simple-lhs"


@dataclass(frozen=True)
class Job:
    """What is mapped, and how. All modules are, if there is no `top`.

    Of the library `cells` is what says of its cells what they are, `liberty` all but power, and
    `latest` that with one delay for each arc; what is known of its technology lies beside them.
    Registers are clocked through gates, at least `least_gated` by each; 0: not at all. A seed other
    than 0 changes what should not matter: the order of modules, the names of nets.
    """

    recipe: str
    verilog: str
    liberty: str
    cells: str
    latest: str
    period: float
    out: str
    seconds: float
    top: str = ""
    seed: int = 0
    least_gated: int = 0
    flatten: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The exit code of a job, -SIGALRM if it took too long, and whether the design was prepared
    for it `anew`, or had been before."""

    code: int
    anew: bool


def done(job: Job) -> Answer:
    """Write out.v (netlist), out.json (its statistics), out.tree.json (its hierarchy), out.states
    (how yosys codes the states of state machines) and out.log. Paths are absolute."""
    recipe, out = parse(job.recipe), Path(job.out)
    text = shuffled(Path(job.verilog).read_text(), job.seed)
    given = Given(text, job.top, Path(job.cells), [*job.flatten], job.seed, job.least_gated)
    until = time.monotonic() + job.seconds
    anew = not is_prepared(given, recipe)
    # Two children even so: what ABC makes of a design shall not depend on who has prepared it.
    code = in_child(lambda to: prepare(given, recipe, to), out, until) if anew else 0
    code = code or in_child(lambda to: synthesise(job, given, recipe, to), out, until)
    return Answer(code, anew)


def in_child(work: Callable[[Path], None], out: Path, until: float) -> int:
    """Do some work in a child of this process, all that it says in out.log; its exit code. It is
    done in the folder of `out`, as yosys makes names of those of files."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # Not to be caught: yosys would not let Python know. 0 would be no limit at all.
    signal.setitimer(signal.ITIMER_REAL, max(until - time.monotonic(), 1e-6))
    code = 1
    try:
        log = os.open(out.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(log, stream)
        os.chdir(out.parent)
        link_files()
        work(Path(out.name))
        code = 0
    except Exception:
        traceback.print_exc()
    finally:
        ys.log_flush()
        sys.stdout.flush()
        os._exit(code)


def link_files() -> None:
    """Link what recipes name into this folder."""
    for name in FILES:
        with contextlib.suppress(FileExistsError):
            Path(name).symlink_to(Path(__file__).absolute().with_name(name))


def synthesise(job: Job, given: Given, recipe: Recipe, out: Path) -> None:
    """Map the prepared design; yosys ends the process if it cannot."""
    files = unspaced(out.absolute())  # abc is given absolute names, of which it takes no space
    constraints = files.with_suffix(".constr")
    technology = given.technology
    outside, cells = technology.outside, technology.cells
    constraints.write_text(
        f"set_driving_cell {outside.driving_cell}\nset_load {outside.load_ff * recipe.load}\n"
    )
    design = read_prepared(given, recipe, out)
    large = [] if recipe.flat else large_modules(design)
    # All modules, but for those that are mapped apart.
    others = " ".join(["*", *large, *["%u"] * (len(large) - 1), *["%d"] * bool(large)])
    for modules, is_large in ((" ".join(large), True), (others, False)):
        if modules:
            script = files.with_suffix(".large.abc" if is_large else ".abc")
            script.write_text(
                recipe.abc_script(job.period, is_large, technology.pace, cells.buffer is not None)
            )
            files_of = f"-liberty {job.liberty} -constr {constraints} -script {script}"
            ys.run_pass(f"abc {files_of} {given.dont_use} {modules}", design)
    for command in (
        f"setundef -zero; {ties(cells)}",
        "splitnets; opt_clean -purge",
        "check -assert -mapped",
    ):
        ys.run_pass(command, design)
    if recipe.mapping == SIZED:
        size(design, Path(job.latest), job.period, out)
    for command in (
        f"tee -q -o {out.with_suffix('.json')} stat -json -liberty {job.cells}",
        f"write_verilog {PLAIN} {out.with_suffix('.v')}",
    ):
        ys.run_pass(command, design)
    named = set(re.findall(r"^\s*module\s+(\w+)", given.text, re.MULTILINE))
    out.with_suffix(".tree.json").write_text(json.dumps(tree(design, named)))


def size(design: ys.Design, library: Path, period: float, out: Path) -> None:
    """Size the gates of all modules for a clock period."""
    written = out.with_suffix(".unsized.v")
    ys.run_pass("rename -enumerate", design)  # as they are written, so that they are found again
    ys.run_pass(f"write_verilog {PLAIN} {written}", design)
    texts = split(written.read_text())
    cells = Cells(Library(library))
    large = large_modules(design)
    for module in design.selected_modules():
        if plain(module.name.str()) in large:
            continue
        new = sized(texts[plain(module.name.str())], cells, period)
        for cell in module.selected_cells():
            if name := new.get(plain(cell.name.str())):
                cell.type = ys.IdString(f"\\{name}")


def large_modules(design: ys.Design) -> list[str]:
    """List the modules with more than MOST_GATES."""
    return [
        plain(module.name.str())
        for module in design.selected_modules()
        if len(module.selected_cells()) > MOST_GATES
    ]


def tree(design: ys.Design, named: Collection[str]) -> dict[str, dict[str, str]]:
    """List, for each module, the module of each instance inside, if it is another one or one of
    those named; cells of the library are none."""
    named = {*named, *(plain(module.name.str()) for module in design.selected_modules())}
    return {
        plain(module.name.str()): {
            plain(cell.name.str()): plain(cell.type.str())
            for cell in module.selected_cells()
            if plain(cell.type.str()) in named
        }
        for module in design.selected_modules()
    }


def plain(name: str) -> str:
    """Spell a name of yosys as the Verilog does."""
    return name.removeprefix("\\")


def shuffled(verilog: str, seed: int) -> str:
    """Put the modules of a text in another order; leave it as it is for seed 0."""
    if not seed:
        return verilog
    head, *modules = re.split(r"^(?=module )", verilog, flags=re.MULTILINE)
    random.Random(seed).shuffle(modules)
    return head + "\n".join(modules)


def main() -> None:
    """Do the jobs that come in, until no more can."""
    for line in sys.stdin:
        print(json.dumps(asdict(done(Job(**json.loads(line))))), flush=True)


if __name__ == "__main__":
    main()
