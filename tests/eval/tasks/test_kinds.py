"""The registry of kinds: every task of every study is of one, with a command that there is."""

import pytest

from eval.cli import HELP
from eval.study.studies import STUDIES
from eval.tasks.composed import Composed
from eval.tasks.kinds import KINDS, section_of, task_class

pytestmark = pytest.mark.quick


def test_every_task_is_of_a_kind_and_says_how_to_reproduce_it():
    tasks = {task for study in STUDIES.values() for task in study.tasks}
    kinds = {task.kind for task in tasks}
    assert kinds | {Composed.kind} == set(KINDS)  # which curves of long keys have inside
    for task in tasks:
        program, command, *_ = task.command.split()
        assert (program, command in HELP) == ("modexplorer", True)


def test_every_kind_has_a_section_and_those_at_a_clock_a_command():
    for name, kind in KINDS.items():
        assert section_of(name)
        assert (name in HELP) or not kind.help
        if kind.help:
            assert task_class(name).kind == name
