"""Says what commands, studies and a report show of documents, as JSON: run where eval is another.

python -m tests.eval.documents.shown
"""

import json
import sys
from dataclasses import fields

from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.report.page import report_json
from eval.report.report import Report
from eval.study.results import StudyResult
from eval.study.studies import STUDIES
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.section import Section
from tests.command_line import run
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of, row, simulated

ASKED = ("default", "full", "quick", "document-999")  # of which tasks are counted


def found() -> StudyResult:
    """Make up rows of designs, of systems and of an FPGA."""
    area, energy = {"area_um2": 1000.0, "period_ns": 2.0}, energy_of()
    systems = {Processor("mul-rem"): "xcel_", Processor(): "naive_"}
    counts = {"luts": 1, "ffs": 1, "alms": 1, "dsp": 0, "bram": 0}
    mapped = {"metrics": counts, "cells": {}, "hierarchy": "flat", "routed": None}
    return found_of(
        *(
            simulated(Point("mul-rem", 32), w, {f"cycles_{w}": 9, f"xcel_cycles_{w}": 19})
            for w in "ed"
        ),
        flow_row(
            FlowRun(Point("mul-rem", 32), "accelerator", 3.0),
            area | {"setup_slack_ns": 1.0} | metrics_of(energy),
            energy=energy,
        ),
        *(
            flow_row(FlowRun(system, "system", 3.0), area, energy=energy_of(of))
            for system, of in systems.items()
        ),
        row(OnFpga(Point("ssmm-004", 64), "cyclonev"), **mapped),
    )


def shown() -> dict[str, object]:
    """Ask each place where a document shows."""
    report = Report(found())
    items = [
        item for place in fields(Section) if place.name != "alone" for item in report[place.name]
    ]
    page = json.loads(json.dumps(report_json(report)))
    return {
        "documents": run("documents").stdout,
        "list": run("list --all").stdout,
        "studies": [*STUDIES],
        "tasks": {name: len(STUDIES[name].tasks) for name in ASKED if name in STUDIES},
        "titles": [item.title for item in items if not isinstance(item, str)],
        "sentences": [item for item in items if isinstance(item, str)],
        "beside": page["beside"],
        "places": [*page],
        "modules": [name for name in sys.modules if name.startswith("eval.documents.d")],
    }


if __name__ == "__main__":
    print(json.dumps(shown()))
