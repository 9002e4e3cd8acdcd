"""`modexplorer serve`: the report of what is there, which follows the store."""

import base64
import json
import os
import signal
import socket
import subprocess
import sysconfig
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import to_builtins
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from eval.catalog.point import Point
from eval.cli.serve import LOOPBACK, Server, open_server
from eval.report.live import Live
from eval.study.study import Study
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.store import Store
from tests.command_line import assert_refused
from tests.eval.made_up import flow_row, simulated
from tests.eval.report.browser import chromium, messages, waiting
from tests.eval.tasks.test_layout import PNG, RESULT, TASK

MODEXPLORER = Path(sysconfig.get_path("scripts")) / "modexplorer"
POINT = Point("mul-rem", 8)
FIGURES = {"area_um2": 90.0, "setup_slack_ns": 0.5, "period_ns": 2.5}
ROWS = [
    simulated(POINT, "d", {"xcel_cycles_d": 9}),
    flow_row(FlowRun(POINT, "accelerator", 3.0), FIGURES),
]
STUDY = Study("some", "some rows", lambda plan: [*(row.task for row in ROWS), TASK])


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build folder of the test's own."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    return tmp_path


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the study that makes a page of every row."""
    with open_server(LOOPBACK, 0) as opened:
        opened.live = looked_up(STUDY, seconds=0.0)
        threading.Thread(target=opened.serve_forever, daemon=True).start()
        yield opened
        opened.shutdown()


def looked_up(study: Study, seconds: float = 20.0) -> Live:
    """What answers once all keys are known."""
    live = Live(study, seconds)
    live.look_up()
    return live


def put(number: int) -> None:
    """Store a row of the study."""
    with Store() as store:
        row = ROWS[number]
        store.put(row.task.key, to_builtins(row.result))


def asked(server: Server, path: str) -> bytes:
    """What it answers."""
    with urllib.request.urlopen(f"http://{LOOPBACK}:{server.server_port}{path}") as answer:
        return answer.read()


def test_the_page_follows_the_store(server: Server) -> None:
    assert json.loads(asked(server, "/rows")) == {"rows": 0, "of": 3, "on page": 0}
    assert b"0 of 3 rows" in asked(server, "/")
    put(0)
    assert json.loads(asked(server, "/rows")) == {"rows": 1, "of": 3, "on page": 1}
    assert b"1 of 3 rows" in asked(server, "/")
    with Store() as store:
        store.put(TASK.key, RESULT)
    page = asked(server, "/").decode()
    assert "2 of 3 rows" in page
    assert 'href="files/mul-rem-8-accelerator.png"' in page
    assert asked(server, "/files/mul-rem-8-accelerator.png") == base64.b64decode(PNG)
    for path in ("/files/other.png", "/results.sqlite", "/files/../results.sqlite", "/etc"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            asked(server, path)


def test_a_page_is_not_made_for_every_row() -> None:
    live = looked_up(STUDY, seconds=1000.0)
    before = live.answer("/")
    put(0)
    assert live.answer("/") is not None
    assert live.answer("/") == before
    assert json.loads(live.answer("/rows")[1]) == {"rows": 1, "of": 3, "on page": 0}
    live.seconds = 0.0
    assert live.answer("/") != before


def test_what_follows_from_the_rows_is_waited_for() -> None:
    first, after = (row.task for row in ROWS)
    live = looked_up(Study("a", "rows", lambda plan: [first], then=lambda plan, found: [after]))
    assert json.loads(live.answer("/rows")[1])["of"] == 1
    put(0)
    assert json.loads(live.answer("/rows")[1]) == {"rows": 1, "of": 2, "on page": 1}
    put(1)
    assert b"2 of 2 rows" in live.answer("/")[1]


def test_the_page_is_there_before_all_rows_are_found() -> None:
    """Each row is on it as soon as its key is known: 0, 1 and 2 before each of three."""
    for number in (0, 1):
        put(number)
    live, seen = Live(STUDY, seconds=0.0), []

    def step(task: str, done: int) -> None:
        seen.append(done)
        assert f"{done} of 3 rows" in live.answer("/")[1].decode()

    assert b"0 of 3 rows" in live.answer("/")[1]
    live.look_up(step)
    assert seen == [0, 1, 2]
    assert b"2 of 3 rows" in live.answer("/")[1]


def test_a_browser_sees_new_rows_and_keeps_what_is_chosen(server: Server) -> None:
    put(0)
    put(1)
    with chromium() as browser:
        browser.get(f"http://{LOOPBACK}:{server.server_port}/")
        assert browser.find_element(By.ID, "live").text == "2 of 3 rows"
        Select(browser.find_element(By.NAME, "across")).select_by_value("area-time")
        browser.find_element(By.NAME, "families").click()
        with Store() as store:
            store.put(TASK.key, RESULT)
        waiting(browser).until(
            lambda _: browser.find_elements(By.CSS_SELECTOR, "#live[data-rows='3']")
        )
        across = Select(browser.find_element(By.NAME, "across"))
        assert across.first_selected_option.get_attribute("value") == "area-time"
        assert not browser.find_element(By.NAME, "families").is_selected()
        assert messages(browser) == []


def test_the_command_says_where_it_is_and_ends_when_told(build: Path) -> None:
    with subprocess.Popen(
        [MODEXPLORER, "serve", "quick", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        lines = [process.stdout.readline() for _ in range(4)]
        address = json.loads("".join(lines))["address"]
        with urllib.request.urlopen(address) as answer:
            assert b"0 of 3 rows" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=600) == 130
        assert "interrupted" in process.stderr.read()


def test_an_address_that_is_taken_is_refused() -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        assert_refused(f"serve quick --port {taken.getsockname()[1]}", "--port: cannot take")
    assert_refused("serve nothing", "study: no study named")
