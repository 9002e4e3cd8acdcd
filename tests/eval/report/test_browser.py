"""The page in a real browser: it says nothing on the console, fits, filters, sorts, leads to cards,
and is read without script and in print, too."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from eval.catalog.point import Point
from eval.report.page import write
from eval.report.report import Report
from eval.report.space import AXES, SPECIAL, places
from eval.study.results import StudyResult
from eval.tasks.flow_run.task import FlowRun
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of, module, path
from tests.eval.report.browser import chromium, messages, pages_in_print, show, waiting, wider
from tests.eval.report.test_chart import made_up

PRINTED_PAGES = 25
POINTS = "#space-view path[aria-roledescription=point]"
MISSES = Point("mont-best", 32)
MODULES = [
    module("top", 1, 1000.0, 200.0, {"LoopRTL__nbits_32": 1}),
    module("LoopRTL__nbits_32", 1, 2000.0, 500.0, {"MulRTL__nbits_32": 2}),
    module("MulRTL__nbits_32", 2, 4000.0, 0.0, {}),
]


def found_to_look_at() -> StudyResult:
    """The default study's made-up results, with modules, a critical path, energies and a miss."""
    rows = []
    for row in made_up("default").rows:
        if isinstance(row.task, FlowRun):
            energy = energy_of()
            metrics = row.result.metrics | metrics_of(energy)
            if row.task.point == MISSES:
                metrics |= {"setup_slack_ns": -0.5, "period_reached_ns": 3.5}
            more = {"modules": MODULES, "critical_path": path(("MulRTL__nbits_32", 2.5))}
            row = flow_row(row.task, metrics, energy=energy, **more)
        rows.append(row)
    return found_of(*rows)


FOUND = found_to_look_at()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of it."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    write(Report(FOUND), file)
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    """One browser for all tests."""
    with chromium() as started:
        yield started


def shown(browser: webdriver.Chrome) -> int:
    """The points in the picture, when it says how many they are."""

    def count(driver: webdriver.Chrome) -> int | None:
        said = driver.find_element(By.ID, "space-count").text
        points = len(driver.find_elements(By.CSS_SELECTOR, POINTS))
        return points if said.split() and int(said.split()[0]) == points else None

    return waiting(browser).until(lambda driver: count(driver) or False)


def choose(browser: webdriver.Chrome, control: str, value: str) -> None:
    """Choose a value of a control, and wait until the picture has it."""
    browser.execute_script("document.getElementById('space-count').textContent = ''")
    Select(browser.find_element(By.NAME, control)).select_by_value(value)


@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_says_nothing(browser: webdriver.Chrome, page: Path, width: int) -> None:
    show(browser, page, width)
    assert shown(browser) > 20
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert wider(browser) == []
    assert messages(browser) == []


def test_each_filter_leaves_the_points_that_it_names(browser: webdriver.Chrome, page: Path) -> None:
    space = places(FOUND)
    at_32 = [p for p in space if (p["bits"], p["workload"]) == (32, "d")]
    show(browser, page)
    assert shown(browser) == len(at_32)
    for control, value in (("moduli", SPECIAL), ("constant", "yes"), ("clock", "misses")):
        choose(browser, control, value)
        assert shown(browser) == len([p for p in at_32 if p[control] == value]) > 0
        choose(browser, control, "all")
    choose(browser, "bits", "16")
    assert shown(browser) == len([p for p in space if (p["bits"], p["workload"]) == (16, "d")])
    choose(browser, "bits", "32")
    naive = browser.find_element(By.CSS_SELECTOR, "input[value=naive]")
    browser.execute_script("document.getElementById('space-count').textContent = ''")
    naive.click()
    assert shown(browser) == len([p for p in at_32 if p["family"] != "naive"])


def test_the_axes_are_those_chosen(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    titles = {axis.name: axis.heading for axis in AXES}
    for name in ("energy", "area-time"):
        choose(browser, "across", name)
        shown(browser)
        view = browser.find_element(By.ID, "space-view").text
        assert titles[name] in view
    assert messages(browser) == []


def test_a_point_leads_to_its_card(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    point = browser.find_elements(By.CSS_SELECTOR, POINTS)[3]
    name = re.search(r"design: ([\w-]+)", point.get_attribute("aria-label"))[1]
    webdriver.ActionChains(browser).move_to_element(point).perform()
    row = waiting(browser).until(
        lambda driver: driver.find_element(By.ID, "vg-tooltip-element").text
    )
    shown_of = next(p for p in places(FOUND) if (p["design"], p["bits"]) == (name, 32))
    assert f"{shown_of['values']['area']:,.6g} um2" in row
    assert shown_of["title"] in row
    webdriver.ActionChains(browser).move_to_element(point).click().perform()
    card = browser.find_element(By.ID, f"{name}-32-bits")
    waiting(browser).until(lambda _: card.get_attribute("open"))
    assert browser.current_url.endswith(f"#{name}-32-bits")
    assert "Area and power by module" in card.text
    assert card.find_element(By.CSS_SELECTOR, "svg.blocks").is_displayed()


def test_a_table_sorts_by_the_head_that_is_clicked(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    table = browser.find_element(By.CSS_SELECTOR, "#designs-at-32-bits ~ .scroll table")
    heads = [head.text.split("\n")[0] for head in table.find_elements(By.TAG_NAME, "th")]
    column = heads.index("area")

    def cells() -> list[str]:
        rows = table.find_elements(By.CSS_SELECTOR, "tbody tr")
        return [row.find_elements(By.TAG_NAME, "td")[column].text for row in rows]

    head = table.find_elements(By.CSS_SELECTOR, "th button")[column]
    values = sorted(float(cell) for cell in cells())
    head.click()
    assert [float(cell) for cell in cells()] == values
    head.click()
    assert [float(cell) for cell in cells()] == values[::-1]
    browser.execute_script("arguments[0].rows[9].scrollIntoView()", table)
    top = browser.execute_script("return arguments[0].getBoundingClientRect().top", head)
    assert 0 <= top < 40  # it stays


@pytest.mark.parametrize("script", [True, False])
def test_every_link_leads_somewhere(browser: webdriver.Chrome, page: Path, script: bool) -> None:
    show(browser, page, script=script)
    lost = browser.execute_script(
        "return [...document.querySelectorAll('a')].map(a => a.getAttribute('href')"
        " || a.getAttribute('xlink:href')).filter(h => !h || h[0] !== '#'"
        " || !document.getElementById(h.slice(1)))"
    )
    assert lost == []


def test_it_is_read_without_script(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page, script=False)
    assert not browser.find_element(By.ID, "controls").is_displayed()
    drawn = browser.find_element(By.CSS_SELECTOR, "#space-view svg")
    assert drawn.is_displayed()
    assert "mul-rem" in browser.find_element(By.TAG_NAME, "body").text
    assert wider(browser) == []


def test_it_prints_on_few_pages(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    assert 1 < pages_in_print(browser) <= PRINTED_PAGES


FAULTS = {
    "a table that is too wide": ("</style>", "table { min-width: 1400px }</style>", wider),
    "a script that fails": ('"use strict";', '"use strict"; nothing();', messages),
    "a file from elsewhere": ("</body>", '<img src="nowhere.png"></body>', messages),
}


@pytest.mark.parametrize(("sound", "faulty", "check"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_a_page_is_seen(
    browser: webdriver.Chrome, page: Path, sound: str, faulty: str, check
) -> None:
    text = page.read_text()
    assert sound in text
    broken = page.with_name("broken.html")
    head, _, tail = text.rpartition(sound) if sound == "</body>" else text.partition(sound)
    broken.write_text(head + faulty + tail)
    messages(browser)
    show(browser, broken)
    assert check(browser)
    messages(browser)
