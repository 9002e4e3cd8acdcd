"""Make netlists by a recipe, or as a mix of several, and say how large and fast they are.

What belongs to a netlist is in WORK under the name of its recipe: .v and .modules.json (what is
known of each module).
"""

import json
import re
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path

import msgspec

from flow import opensta
from flow.gates import latest
from flow.gates.groups import without_groups
from flow.results.netlist import MIXED, Attempt, Candidate
from flow.synthesis.area import Own, instances, totals
from flow.synthesis.candidate import Job
from flow.synthesis.hierarchy import Tree, holder, instance_paths
from flow.synthesis.mix import Choice, Mixer, Timing, Version, Versions
from flow.synthesis.modules import Kept, Module, Source, class_of, made
from flow.synthesis.portfolio import Row
from flow.synthesis.recipes import Recipe, parse
from flow.synthesis.rival import Beaten, Rival
from flow.synthesis.workers import YosysError, in_turn, jobs, map_by, together
from flow.technologies.files import SAYS
from flow.technologies.technology import Technology, beside
from sim.build_cache import kept
from sim.closure import hash_data
from sim.paths import build_dir, unspaced
from sim.stages import stages

WORK = Path("candidates")
TEMPORARY = WORK / "tmp"
LIBRARY = WORK / "timing.lib"
LATEST = WORK / "latest.lib"
ROUGH = 0.002  # of the period: what misses the clock by less in a rough trial may meet it
CELLS = WORK / "cells.lib"
POWER_GROUPS = ("internal_power", "leakage_power")
DELAYS = ("timing",)


@dataclass(frozen=True)
class Goal:
    """What every netlist is asked for."""

    verilog: Path
    liberty: Path
    top: str
    period: float
    clock_port: str
    flatten: tuple[str, ...]
    seconds: float
    seed: int = 0
    least_gated: int = 0  # registers of a clock gate; 0: none is used

    @cached_property
    def technology(self) -> Technology:
        """What is known of the library's technology."""
        return beside(self.liberty)

    def for_clock(self, name: str) -> tuple[Recipe, "Goal"]:
        """Read the name of a recipe that may end with a clock: the recipe, and the goal for it."""
        recipe, _, clock_ns = name.partition("@")
        return parse(recipe), replace(self, period=float(clock_ns)) if clock_ns else self


def write_library(liberty: Path) -> None:
    """Write the library without what only power needs, as each abc reads all of it; for yosys
    without delays; for sta, which calculates all delays in it at every cell, with the latest only.
    """
    TEMPORARY.mkdir(parents=True, exist_ok=True)
    text = without_groups(liberty.read_text(), POWER_GROUPS)
    LIBRARY.write_text(text)
    shutil.copy(liberty.with_name(SAYS), WORK / SAYS)
    key = [text, stages().digest(["replay"])]
    _write_less(CELLS, lambda: without_groups(text, DELAYS), hash_data([*key, DELAYS]))
    _write_less(LATEST, lambda: latest.latest_only(text), hash_data(key))


def _write_less(target: Path, text: Callable[[], str], key: str) -> None:
    """Write what is left of the library, if it was not made before."""

    def build(scratch: Path) -> Path:
        made = scratch / target.name
        made.write_text(text())
        return made

    shutil.copy(kept(build_dir("prepared") / f"{key}.{target.name}", build), target)


def sta(netlist: Path, goal: Goal, trial: bool = False) -> str:
    """Ask OpenSTA about the setup paths of a netlist at the goal's clock, at most a thousandth
    longer than they are; of a trial, roughly, with its critical path. What it has said of a netlist
    once, for whichever clock the step runs, it is not asked again."""
    asked = (goal.top, goal.period, goal.clock_port)
    code = stages().digest(["flow"])
    library, text = hash_data(LATEST.read_text()), netlist.read_text()
    said_of = goal.technology.decides
    key = hash_data([text, library, said_of, code, _sta_version(), asked, trial])

    def build(scratch: Path) -> Path:
        said = scratch / "said.txt"
        top, period, clock_port = asked
        given = (netlist, top, LATEST, period, clock_port)
        said.write_text(opensta.run_sta(*given, report=trial, quick=True, rough=trial))
        return said

    return kept(build_dir("timed") / f"{key}.txt", build).read_text()


@cache
def _sta_version() -> str:
    return opensta.version()


def timed(netlist: Path, goal: Goal) -> opensta.Summary:
    """Tell slack and period of a netlist."""
    return opensta.summary(in_turn(lambda: sta(netlist, goal)), goal.period)


def candidate(recipe: Recipe, goal: Goal, rival: Rival | None = None) -> Row:
    """Map the design by one recipe: its netlist, or why there is none."""
    start = time.monotonic()
    try:
        make(recipe, goal, rival)
        timing = timed(WORK / f"{recipe.name}.v", goal)
    except Beaten as known:
        row = Attempt(recipe.name, beaten=str(known))
        say(row)
        return row
    except subprocess.TimeoutExpired:
        return Attempt(recipe.name, error=f"given up after {goal.seconds:g} s")
    except (YosysError, opensta.StaError) as error:
        return Attempt(recipe.name, error=str(error))
    area = totals(figures(modules_of(recipe.name)), goal.top)
    return finished(recipe.name, area, timing, start)


def make(recipe: Recipe, goal: Goal, rival: Rival | None) -> None:
    """Map the design by a recipe, but for modules that it has mapped before; Beaten as soon as they
    are too large."""
    if recipe.flat or not in_modules(goal):
        text = goal.verilog.read_text()
        write_modules(recipe.name, in_turn(lambda: map_text(recipe, text, goal, goal.top)))
        return
    source, modules = source_of(goal), {}
    names = rival.largest_first(source.names) if rival else source.names
    with closing(make_modules(recipe, source, names, goal)) as found:
        for name, module in found:
            modules[name] = module
            if rival and rival.beats(figures(modules)):
                raise Beaten(f"{len(modules)} of {len(names)} modules are no smaller than all")
    write_modules(recipe.name, {name: modules[name] for name in source.names})


@cache
def source_of(goal: Goal) -> Source:
    """Read the Verilog of the design, in its modules, once."""
    return Source(goal.verilog.read_text(), goal.top, goal.flatten)


def in_modules(goal: Goal) -> bool:
    """Tell whether the modules of the design can be mapped apart, and kept."""
    return not goal.seed and source_of(goal).usual


def make_modules(
    recipe: Recipe, source: Source, names: Sequence[str], goal: Goal
) -> Generator[tuple[str, Module], None, None]:
    """Map modules by a recipe, each by itself, but for those that it has mapped before."""
    store = Kept(source, recipe, goal.period, goal.least_gated, [LIBRARY, CELLS], goal.technology)

    def module(name: str) -> tuple[str, Module]:
        return name, store.module(name, lambda by, text: map_text(by, text, goal)[name])

    return together(module, names)


def map_text(recipe: Recipe, text: str, goal: Goal, top: str = "") -> dict[str, Module]:
    """Map the modules of a text by a recipe, those below `top` if one is named."""
    start = time.monotonic()
    named = {class_of(name) for name in re.findall(r"\w+", text)}
    # It stays, with its log, if that fails.
    folder = unspaced(Path(tempfile.mkdtemp(dir=WORK, prefix="part-")).absolute())
    design, out = folder / "design.v", folder / "out"
    design.write_text(text)
    job = Job(
        recipe=recipe.name,
        verilog=str(design),
        out=str(out),
        liberty=str(unspaced(LIBRARY.absolute())),
        cells=str(unspaced(CELLS.absolute())),
        latest=str(unspaced(LATEST.absolute())),
        period=goal.period,
        seconds=goal.seconds,
        top=top,
        seed=goal.seed,
        least_gated=goal.least_gated,
        flatten=tuple(name for name in goal.flatten if name in named),
    )
    answer = map_by(job, unspaced(TEMPORARY.absolute()))
    modules = made(out)
    shutil.rmtree(folder)
    seconds = round(time.monotonic() - start, 1)
    say({"mapped": [*modules], "by": recipe.name, "anew": answer.anew, "seconds": seconds})
    return modules


def say(what: object) -> None:
    """Print a line for the log, whole, whoever else prints."""
    print(json.dumps(msgspec.to_builtins(what)) + "\n", end="", flush=True)


def write_modules(name: str, modules: Mapping[str, Module]) -> None:
    """Write a netlist, and what is known of its modules."""
    (WORK / f"{name}.v").write_text("\n".join(module.text for module in modules.values()))
    (WORK / f"{name}.modules.json").write_bytes(msgspec.json.encode(modules))


def modules_of(name: str) -> dict[str, Module]:
    """Read what is known of the modules of a netlist."""
    known = (WORK / f"{name}.modules.json").read_bytes()
    return msgspec.json.decode(known, type=dict[str, Module])


def tree_of(modules: Mapping[str, Module]) -> Tree:
    """Tell the hierarchy of modules."""
    return {name: module.instances for name, module in modules.items()}


def finished(
    recipe: str,
    area: Mapping[str, float],
    timing: opensta.Summary,
    start: float,
    trials: int | None = None,
) -> Candidate:
    """Say what is known of a netlist, for the log too."""
    found = Candidate(
        recipe=recipe,
        area_um2=area["area_um2"],
        cells=int(area["cells"]),
        setup_slack_ns=timing.setup_slack_ns,
        period_ns=timing.period_ns,
        clock_met=timing.clock_met,
        seconds=round(time.monotonic() - start, 1),
        trials=trials,
    )
    say(found)
    return found


def at_clock(row: Candidate, goal: Goal) -> Candidate:
    """Time the netlist of a row for another clock."""
    timing = timed(WORK / f"{row.recipe}.v", goal)
    return msgspec.structs.replace(
        row,
        setup_slack_ns=timing.setup_slack_ns,
        period_ns=timing.period_ns,
        clock_met=timing.clock_met,
    )


def candidates(recipes: list[Recipe], goal: Goal, rival: Rival | None = None) -> list[Row]:
    """Map the design by several recipes, some at a time; their rows in their order."""
    with ThreadPoolExecutor(jobs()) as pool:
        return list(pool.map(lambda recipe: candidate(recipe, goal, rival), recipes))


def figures(modules: Mapping[str, Module]) -> dict[str, Own]:
    """Tell the figures of each module."""
    return {name: module.own for name, module in modules.items()}


class Parts:
    """The modules of a design by several recipes, with their submodules in the hierarchy: any mix
    of them is a netlist. `mappings` counts the modules that were mapped by further ones."""

    mappings = 0

    def __init__(
        self, netlists: Mapping[str, Mapping[str, Module]], start: str, goal: Goal
    ) -> None:
        """Take the modules of the netlists of recipes; that of `start` has as many instances of
        each as any."""
        self._goal, self._source = goal, source_of(goal)
        self._made: dict[str, dict[str, Module]] = defaultdict(dict)  # module, recipe
        self._tree: dict[str, dict[str, str]] = defaultdict(dict)  # of all recipes
        self._trial = count()
        for recipe, modules in netlists.items():
            for name, module in modules.items():
                self._made[name][recipe] = module
                self._tree[name] |= module.instances
        begun = {name: by_recipe[start].own for name, by_recipe in self._made.items()}
        self._number = instances(begun, goal.top)

    def versions(self) -> Versions:
        """List what there is of each module, by recipe."""
        return {
            name: {recipe: self._version(name, recipe) for recipe in by_recipe}
            for name, by_recipe in self._made.items()
        }

    def _version(self, name: str, recipe: str) -> Version:
        module = self._made[name][recipe]
        return Version(module.text, module.own.area * self._number[name])

    def make(self, name: str, recipe: str) -> Version | None:
        """Map a module by one more recipe, for its clock; None if that fails."""
        by, goal = self._goal.for_clock(recipe)
        self.mappings += 1
        try:
            found = dict(make_modules(by, self._source, [name], goal))
        except (YosysError, subprocess.TimeoutExpired):
            return None
        self._made[name][recipe] = found[name]
        self._tree[name] |= found[name].instances
        return self._version(name, recipe)

    def time(self, text: str) -> Timing:
        """Time a mix, roughly."""
        path = WORK / f"trial-{next(self._trial)}.v"
        path.write_text(text)
        said = in_turn(lambda: sta(path, self._goal, trial=True))
        path.unlink()
        slack = opensta.summary(said, self._goal.period).setup_slack_ns
        delays: dict[str, float] = defaultdict(float)
        paths = instance_paths(self._tree, self._goal.top)
        for point in opensta.path_points(opensta.path_report(said), self._goal.technology):
            _, module = holder(point.pin.replace("/", "."), paths)
            delays[module] += point.delay_ns
        return Timing(float("inf") if slack is None else slack, delays)

    def write(
        self, choice: Choice, name: str, goal: Goal
    ) -> tuple[dict[str, float], opensta.Summary]:
        """Leave a mix under a name; its figures, and its timing as that of any netlist."""
        chosen = {module: self._made[module][recipe] for module, recipe in choice.items()}
        write_modules(name, chosen)
        return totals(figures(chosen), goal.top), timed(WORK / f"{name}.v", goal)

    def settled(
        self,
        name: str,
        mixer: Mixer,
        choose: Callable[[float], Choice],
        goal: Goal,
        enough: float = 0.0,
    ) -> tuple[Candidate, Choice]:
        """Choose a mix with a slack in trials that is enough for the goal's clock; its row, under a
        name under which it is left, and the recipe of each module. Where trials were too rough, it
        is chosen anew."""
        begin = time.monotonic()
        choice = choose(enough)
        area, timing = self.write(choice, name, goal)
        rough = mixer.time(choice).slack - enough
        if rough >= 0 and not timing.clock_met:  # by so much
            choice = choose(enough + rough - (timing.setup_slack_ns or 0.0))
            area, timing = self.write(choice, name, goal)
        return finished(name, area, timing, begin, mixer.trials()), choice


def mixed(
    recipes: Sequence[str],
    start: str,
    goal: Goal,
    further: Sequence[Sequence[Recipe]] = (),
    at_once: Sequence[Recipe] = (),
    at_last: Sequence[Recipe] = (),
) -> tuple[Candidate, Choice]:
    """Mix the netlists of hierarchical recipes, from that of recipe `start` on, with modules by
    groups of `further` recipes where they make the critical path too long, before them by those of
    `at_once` if there is hardly any area to lose, and by those of `at_last` where that does not do;
    the row of the mix, whose text is left in mixed.v, and the recipe of each module."""
    parts = Parts({recipe: modules_of(recipe) for recipe in recipes}, start, goal)
    *groups, once, last = (
        [recipe.name for recipe in group] for group in (*further, at_once, at_last)
    )
    mixer = Mixer(parts.versions(), parts.time, groups, parts.make, jobs(), once, last)
    enough = -ROUGH * goal.period if further else 0.0
    return parts.settled(MIXED, mixer, lambda least: mixer.mix(start, least), goal, enough)
