"""What a task is: something that is measured once, and kept in the store under all that decides it.

A kind of measurement is a subclass of Task, in a file of its own that kinds.py names.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from eval.catalog import holder
from eval.catalog.point import Point
from eval.catalog.user_designs import design_code, with_option
from eval.tasks.answering import answering, ask
from eval.tasks.provenance import Provenance, Watch
from eval.tasks.store import Key, Store, Values, as_text
from eval.tasks.unit import OnStep, verilog_digest
from eval.tasks.versions import flow_tools
from flow.results.record import Kit, Metrics, Record
from flow.technologies.asked import DEFAULT, split
from sim.closure import PACKAGES
from sim.errors import RunError
from sim.paths import ROOT, build_dir
from sim.stages import APART, DIGITS, ENTRIES, MEASURE, stages

# Ranks: the longest tasks come first in a sweep. What another task does the steps of comes one
# rank later than it would.
PROCESSOR, LAYOUT, FLOW, AFTER_FLOW, SHORT = 0, 1, 2, 4, 5


class Result(Record):
    """What a task gives; a kind adds what it measures.

    All fields are compared by audits of the atlas and stored in it, however deep they are, but
    those whose names are in `beside`: times, paths, pictures, and the tools, which are in the key.
    A result that is nothing without these has its own.
    """

    tools: dict[str, str]
    beside: ClassVar[frozenset[str]] = frozenset({"seconds", "tools"})

    @property
    def kit(self) -> Kit | None:
        """The cells' library, of kinds that map to cells."""
        return None


class MetricsResult(Result):
    """A result that has metrics."""

    metrics: Metrics


R = TypeVar("R", bound=Result)


class Task(ABC, Generic[R]):
    """Something that is measured once: a unit of a point, by the flow, unless the kind says
    otherwise.

    A kind is a frozen dataclass whose fields say what is measured. `text`, which tells the tasks of
    a study apart, and `shell`, the command that reproduces the result, are formats of the task.
    It rests on the stage of its module (sim/stages.toml) and on those that `stages` lists; a kind
    of `by_entry` uses formulas of a design's entry, or what it declares, too.
    """

    kind: ClassVar[str]
    Result: ClassVar[type[Any]]
    text: ClassVar[str]
    shell: ClassVar[str]
    point: Any
    unit: str
    by_entry: ClassVar[bool] = False
    tech: str = ""  # that it is mapped to; "" of what is mapped to none, or always to the usual one

    @property
    def rank(self) -> int:
        """Its place in a sweep."""
        return AFTER_FLOW

    @property
    def runs(self) -> str:
        """The workload or program, if there is one."""
        return ""

    @property
    def about(self) -> Point | None:
        """The point whose metrics it measures, for tables of several kinds."""
        return None

    @property
    def folder(self) -> str:
        """A folder in build/: of tasks with one, one does steps for the others."""
        return ""

    @property
    def place(self) -> str:
        """Where its result stands in the JSON of a study."""
        return "others"

    def __str__(self) -> str:
        return self.text.format(self)

    @property
    def command(self) -> str:
        """The command that reproduces the result."""
        return self.command_of(self.shell.format(self))

    def command_of(self, arguments: str) -> str:
        """Write a command of what is measured, wherever the design is from."""
        name, _ = self.subject()
        return f"modexplorer {arguments}{with_option(name)}"

    @abstractmethod
    def compute(self, on_step: OnStep) -> R:
        """Measure, telling on_step what is being done; RunError if something is wrong."""

    def tools(self) -> dict[str, str]:
        """Name the versions of all that measures."""
        return flow_tools(self.tech or DEFAULT)

    def stages(self) -> Iterable[str]:
        """List the stages that measure, besides that of the module and what these use."""
        return ()

    def all_stages(self) -> tuple[str, ...]:
        """List all stages that the result rests on; those that all kinds share, of a kind that is
        in no package of ours."""
        name = type(self).__module__
        if name.partition(".")[0] not in PACKAGES:
            return stages().with_used([MEASURE, *self.stages()])
        own = stages().owner(ROOT / f"{name.replace('.', '/')}.py")
        assert own != APART, f"{name} computes results: sim/stages.toml has to name it"
        return stages().with_used([own, *self.stages()])

    def design_files(self) -> str:
        """Hash the catalog's file that has the design's formulas, where they are used."""
        if not self.by_entry:
            return ""
        module = holder(self.point.design)
        return stages().code.contents([Path(module.__file__ or "")])[:DIGITS]

    def verilog(self) -> str:
        """Hash all Verilog that the result rests on: that of the unit."""
        return verilog_digest(self.point, self.unit)

    def subject(self) -> tuple[str, int]:
        """Say name and width of what is measured."""
        return self.point.design, self.point.nbits

    def parameters(self) -> dict[str, Any]:
        """Say what else decides the result."""
        return {name: v for name, v in vars(self).items() if name != "point"}

    @property
    def in_tech(self) -> dict[str, str]:
        """The technology among the parameters, if it is unusual."""
        return {} if self.tech in ("", DEFAULT) else {"tech": self.tech}

    @property
    def tech_option(self) -> str:
        """The technology on a command line, if it is unusual."""
        if self.tech in ("", DEFAULT):
            return ""
        name, corner = split(self.tech)
        return f" --tech {name}" + (f" --corner {corner}" if corner else "")

    @property
    def key(self) -> Key:
        """All that decides the result."""
        name, _ = self.subject()
        used = self.all_stages()
        # Formulas of entries rest on what the catalog's files share.
        code = stages().digest(used) + (stages().own_digest(ENTRIES) if self.by_entry else "")
        verilog = " ".join(filter(None, (self.verilog(), self.design_files())))
        return self._key(
            verilog, as_text(self.tools() | design_code(name)), stages().versions(used), code
        )

    @property
    def asked(self) -> str:
        """What is asked for, as Key.asked: known without translating anything."""
        return self._key("", "", {}, "").asked

    def _key(self, verilog: str, tools: str, versions: dict[str, int], code: str) -> Key:
        parameters = as_text(self.parameters())
        subject = (self.kind, *self.subject(), parameters, self.runs)
        return Key(*subject, verilog, tools, as_text(versions), code)

    def shown(self, result: R) -> dict[str, Any]:
        """Turn the result into what JSON shows of it."""
        return msgspec.to_builtins(result)

    def as_json(self, result: R) -> dict[str, Any]:
        """Say what the result is of, too, as in the JSON of a study."""
        return {"task": str(self)} | self.shown(result)


@dataclass(frozen=True)
class Row(Generic[R]):
    """A finished task: its result, whether the store had it already, and how it was made, if that
    is known."""

    task: Task[R]
    result: R
    reused: bool
    made: Provenance | None = None


def measure(task: Task[R], on_step: OnStep = lambda step: None) -> Row[R]:
    """Take the task's row from the store, or compute and store it."""
    ask([task])
    watch = Watch(on_step)

    def compute() -> dict[str, Any]:
        return msgspec.to_builtins(watch.run(lambda: task.compute(watch.say)))

    def note() -> None:
        made = watch.made()
        store.note(key, made.seconds, msgspec.to_builtins(made))

    key = task.key
    with answering() as tell, Store() as store:
        found, reused = store.once(key, compute, note)
        made = store.made(key)
        tell(key, made, task)
        return row_of(task, found, made, reused)


def row_of(task: Task[R], values: Values, made: Values | None, reused: bool = True) -> Row[R]:
    """Make a row of what a store has under the task's key."""
    try:
        how = msgspec.convert(made, Provenance) if made else None
        return Row(task, msgspec.convert(values, task.Result), reused, how)
    except msgspec.ValidationError as error:
        raise RunError(
            f"{task}: its row in the results store cannot be read ({error}); move the store, "
            f"{build_dir() / 'results.sqlite'}, away, and the rows are computed again"
        ) from error
