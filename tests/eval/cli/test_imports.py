"""What a command imports is what it needs: a process of its own says which modules it has."""

import json
import subprocess
import sys

import pytest

from tests.places import ROOT

PROGRAM = """
import json, sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps([*sys.modules]))
"""


def imported(*names: str) -> list[str]:
    """Import modules, and list all that these import."""
    words = (sys.executable, "-c", PROGRAM, *names)
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("names", "spared"),
    [
        (  # a flow of a design: neither the processor nor studies nor what documents print
            ["eval.cli.flow", "eval.cli.measuring", "eval.tasks.flow_run.section"],
            [
                *("proc.rtl.processor", "proc.run", "eval.study", "eval.documents.systems"),
                *("flow.gates", "rtl.port.peripheral", "sim.verilate", "numpy"),
            ],
        ),
        (  # a report: no design that the study has not, no measurement
            ["eval.cli.report", "eval.cli.studying", "eval.study.plan", "eval.report.page"],
            [
                *("eval.catalog.array", "flow.gates", "eval.tasks.leakage.rtl"),
                *("proc.run", "rtl.port.peripheral", "elftools"),
            ],
        ),
        (  # what every command pays, completion of words, too: no library but that of options
            ["eval.cli", "eval.cli.options"],
            ["msgspec", "pymtl3", "numpy", "eval.study", "flow.technologies.technology"],
        ),
    ],
    ids=["flow", "report", "any"],
)
def test_a_command_imports_nothing_of_other_kinds(names, spared) -> None:
    there = imported(*names)
    assert set(names) <= set(there)
    for name in spared:
        assert not [one for one in there if one == name or one.startswith(f"{name}.")], name
