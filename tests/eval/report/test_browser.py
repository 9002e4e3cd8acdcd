"""The page in a real browser: it says nothing on the console, fits, filters, sorts, leads to cards,
and is read without script and in print, too."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from eval.catalog.point import Point
from eval.report.page import write
from eval.report.picture import MEASURES
from eval.report.report import Report
from eval.report.space import AXES, SPECIAL, ours, places
from eval.study.results import StudyResult
from eval.table.units import engineering
from eval.tasks.flow_run.task import FlowRun
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of, module, path, row
from tests.eval.report.browser import chromium, messages, pages_in_print, show, waiting, wider
from tests.eval.report.test_chart import made_up
from tests.eval.tasks.test_layout import RESULT, TASK

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
    for made in made_up("default").rows:
        if isinstance(made.task, FlowRun):
            energy = energy_of()
            metrics = made.result.metrics | metrics_of(energy)
            if made.task.point == MISSES:
                metrics |= {"setup_slack_ns": -0.5, "period_ns": 3.5}
            more = {"modules": MODULES, "critical_path": path(("MulRTL__nbits_32", 2.5))}
            made = flow_row(made.task, metrics, energy=energy, **more)
        rows.append(made)
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

    def count(driver: webdriver.Chrome) -> list[int]:
        said = driver.find_element(By.ID, "space-count").text
        points = len(driver.find_elements(By.CSS_SELECTOR, POINTS))
        return [points] if said.split() and int(said.split()[0]) == points else []

    return waiting(browser).until(count)[0]


def choose(browser: webdriver.Chrome, control: str, value: str) -> None:
    """Choose a value of a control, and wait until the picture has it."""
    browser.execute_script("document.getElementById('space-count').textContent = ''")
    if control == "bits":
        tab = f"input[name=bits][value='{value}'] + span"
        browser.find_element(By.CSS_SELECTOR, tab).click()
    else:
        Select(browser.find_element(By.NAME, control)).select_by_value(value)


def at(nbits: int, workload: str = "d") -> list[dict]:
    """The places of a width under a workload."""
    found = ours(places(FOUND))
    return [p for p in found if (p["bits"], p["workload"]) == (nbits, workload)]


def open_at_32(browser: webdriver.Chrome, page: Path) -> None:
    """Open the page, and choose the tab of 32 bits."""
    show(browser, page)
    shown(browser)
    choose(browser, "bits", "32")
    assert shown(browser) == len(at(32))


@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_says_nothing(browser: webdriver.Chrome, page: Path, width: int) -> None:
    show(browser, page, width)
    assert shown(browser) > len(at(1024)) > 1
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert wider(browser) == []
    assert messages(browser) == []


def test_each_filter_leaves_the_points_that_it_names(browser: webdriver.Chrome, page: Path) -> None:
    open_at_32(browser, page)
    for control, value in (("moduli", SPECIAL), ("constant", "yes")):
        choose(browser, control, value)
        assert shown(browser) == len([p for p in at(32) if p[control] == value]) > 0
        choose(browser, control, "all")
    choose(browser, "bits", "16")
    assert shown(browser) == len(at(16))
    choose(browser, "bits", "32")
    naive = browser.find_element(By.CSS_SELECTOR, "input[value=naive]")
    browser.execute_script("document.getElementById('space-count').textContent = ''")
    naive.click()
    assert shown(browser) == len([p for p in at(32) if p["family"] != "naive"])


def test_the_first_screen_says_who_is_best_and_shows_it(
    browser: webdriver.Chrome, page: Path
) -> None:
    show(browser, page, height=800)
    shown(browser)
    [sentence] = [
        one for one in browser.find_elements(By.CSS_SELECTOR, ".headline") if one.is_displayed()
    ]
    assert sentence.text.startswith("At 1024 bits, workload d, of 2 designs for any key, ")
    picture = browser.find_element(By.CSS_SELECTOR, "#space-view svg").rect
    assert sentence.rect["y"] < picture["y"]
    assert picture["y"] + picture["height"] < 800
    lacks = browser.find_element(By.CSS_SELECTOR, ".lacks").text
    assert lacks == f"2048 bits: not measured here; {MEASURES} measures it."
    choose(browser, "bits", "32")
    shown(browser)
    assert not sentence.is_displayed()
    assert "At 32 bits, workload d, of 26 designs" in browser.find_element(By.ID, "headlines").text


OVERLAPPING = """
const texts = [...document.querySelectorAll("#space-view .role-mark.mark-text text")]
  .filter((one) => one.getAttribute("opacity") !== "0" && one.textContent.trim());
const boxes = texts.map((one) => one.getBoundingClientRect());
const points = [...document.querySelectorAll("#space-view path[aria-roledescription=point]")]
  .map((one) => one.getBoundingClientRect())
  .map((box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2]);
const onPoint = (box) => points.some(([x, y]) => box.left < x && x < box.right
  && box.top + 2 < y && y < box.bottom - 2);
return [texts.map((one) => one.textContent), boxes.flatMap((a, i) => boxes.slice(i + 1)
  .filter((b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 4 && b.top < a.bottom - 4)),
  texts.filter((one, i) => onPoint(boxes[i])).map((one) => one.textContent)];
"""


@pytest.mark.parametrize("width", [1280, 390])
def test_no_name_is_on_another_or_on_a_point(
    browser: webdriver.Chrome, page: Path, width: int
) -> None:
    show(browser, page, width)
    shown(browser)
    choose(browser, "bits", "32")
    shown(browser)
    names, on_others, on_points = browser.execute_script(OVERLAPPING)
    assert (on_others, on_points) == ([], [])
    assert {*names} <= {place["name"] for place in at(32)}
    assert len(names) > (15 if width > 1000 else 5)


def test_an_empty_picture_says_why(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    empty = browser.find_element(By.ID, "space-empty")
    assert not empty.is_displayed()
    choose(browser, "constant", "yes")
    assert shown(browser) == 0
    assert empty.text == "No design has all that is chosen."
    choose(browser, "constant", "all")
    assert shown(browser) > 0
    assert not empty.is_displayed()
    assert messages(browser) == []


def test_what_was_not_measured_is_said_with_its_command(
    browser: webdriver.Chrome, page: Path
) -> None:
    """The page of a study whose designs of 8 bits have no energy."""
    less = page.with_name("less.html")
    text = page.read_text()
    head, spec, tail = re.split(r"(?<=id=\"space-spec\">)(.*?)(?=</script>)", text, maxsplit=1)
    chart = json.loads(spec)
    [data] = [one for one in chart["data"] if "values" in one]
    for place in data["values"]:
        if place["bits"] == 8:
            place.pop("energy", None)
    less.write_text(head + json.dumps(chart).replace("</", "<\\/") + tail)
    show(browser, less)
    shown(browser)
    choose(browser, "up", "energy")
    shown(browser)
    choose(browser, "bits", "8")
    assert shown(browser) == 0
    assert browser.find_element(By.ID, "space-empty").text == (
        "energy with glitches at 8 bits: not measured here; modexplorer clocks mul-rem --nbits 8 "
        "--energy measures it of one design."
    )


def test_a_view_is_shared_by_its_address(browser: webdriver.Chrome, page: Path) -> None:
    open_at_32(browser, page)
    choose(browser, "up", "energy")
    choose(browser, "constant", "yes")
    count = shown(browser)
    address = browser.current_url
    assert address.startswith(f"{page.as_uri()}?")
    browser.get("about:blank")
    browser.get(address)
    assert shown(browser) == count
    assert Select(browser.find_element(By.NAME, "up")).first_selected_option.text == (
        "energy with glitches"
    )
    assert browser.find_element(By.CSS_SELECTOR, "input[name=bits]:checked + span").text.startswith(
        "32 bits"
    )
    browser.get(f"{page.as_uri()}?bits=nothing&up=nothing")
    assert shown(browser) > 0  # what there is not to choose is not chosen
    assert messages(browser) == []


def test_points_are_reached_by_keyboard(browser: webdriver.Chrome, page: Path) -> None:
    open_at_32(browser, page)
    reached = browser.execute_script(
        f"return [...document.querySelectorAll('{POINTS}')].filter(p => p.tabIndex === 0).length"
    )
    assert reached == 1
    first = browser.find_element(By.CSS_SELECTOR, f"{POINTS}[tabindex='0']")
    browser.execute_script("arguments[0].focus()", first)
    first.send_keys(Keys.ARROW_RIGHT)
    now = browser.switch_to.active_element
    name = re.search(r"design: ([\w-]+)", now.get_attribute("aria-label"))[1]
    assert now != first
    tooltip = waiting(browser).until(
        lambda driver: driver.find_element(By.ID, "vg-tooltip-element")
    )
    assert name in tooltip.text
    assert "undefined" not in tooltip.text
    now.send_keys(Keys.ENTER)
    card = browser.find_element(By.ID, f"{name}-32-bits")
    waiting(browser).until(lambda _: card.get_attribute("open"))


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_told_of_a_point_is_on_the_screen(
    browser: webdriver.Chrome, page: Path, width: int
) -> None:
    show(browser, page, width)
    shown(browser)
    choose(browser, "bits", "32")
    shown(browser)
    points = browser.find_elements(By.CSS_SELECTOR, POINTS)
    for point in (points[0], points[-1]):
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", point)
        webdriver.ActionChains(browser).move_to_element(point).perform()
        row = waiting(browser).until(
            lambda driver: driver.find_element(By.CSS_SELECTOR, "#vg-tooltip-element.visible")
        )
        box = browser.execute_script(
            "const r = arguments[0].getBoundingClientRect(); return [r.left, r.top,"
            " innerWidth - r.right, innerHeight - r.bottom]",
            row,
        )
        assert min(box) >= 0
        assert "undefined" not in row.text


def test_the_search_leads_to_a_design_and_to_a_table(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    field = browser.find_element(By.CSS_SELECTOR, "#search input")
    field.send_keys("MONT-CT" + Keys.ENTER)
    card = browser.find_element(By.ID, "mont-ct-32-bits")
    waiting(browser).until(lambda _: card.get_attribute("open"))
    field.clear()
    field.send_keys("pareto fronts at 32" + Keys.ENTER)
    assert browser.current_url.endswith("#pareto-fronts-at-32-bits-of-designs-for-any-rsa-key")
    field.clear()
    field.send_keys("nothing of this name" + Keys.ENTER)
    assert not browser.execute_script("return arguments[0].validity.valid", field)
    assert browser.find_element(By.ID, "contents").is_displayed()


# Of axe's rules: landmark-one-main, region, empty-table-header, and what is named by no text.
RULES = """
const broken = [];
if (document.querySelectorAll("main").length !== 1) broken.push("landmark-one-main");
const outside = [...document.body.querySelectorAll("*")].filter((e) =>
  e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
  && !e.closest("main, header, nav, script, style, datalist, #vg-tooltip-element"));
if (outside.length) broken.push("region: " + outside[0].outerHTML.slice(0, 80));
const heads = [...document.querySelectorAll("th")].filter((e) => !e.textContent.trim());
if (heads.length) broken.push("empty-table-header: " + heads.length);
const fields = [...document.querySelectorAll("input:not([type=hidden]), select")]
  .filter((e) => !e.labels.length && !e.ariaLabel);
if (fields.length) broken.push("label: " + fields[0].name);
return broken;
"""


def rules(browser: webdriver.Chrome) -> list[str]:
    """List the rules of accessibility that the page breaks."""
    return browser.execute_script(RULES)


def test_it_keeps_the_rules_of_accessibility(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    assert rules(browser) == []


def test_it_is_dark_where_that_is_preferred(browser: webdriver.Chrome, page: Path) -> None:
    def paper() -> int:
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    for scheme, dark in (("dark", True), ("light", False)):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        show(browser, page)
        shown(browser)
        assert (paper() < 200) == dark


def test_the_axes_are_those_chosen(browser: webdriver.Chrome, page: Path) -> None:
    open_at_32(browser, page)
    titles = {axis.name: axis.title for axis in AXES}
    shown_first = browser.find_element(By.ID, "space-view").text
    assert "us" in shown_first.split()
    assert "time, private operation (d)" in shown_first
    for name in ("energy", "area-time"):
        choose(browser, "across", name)
        shown(browser)
        view = browser.find_element(By.ID, "space-view").text
        assert titles[name] in view
    assert messages(browser) == []


def test_a_point_leads_to_its_card(browser: webdriver.Chrome, page: Path) -> None:
    open_at_32(browser, page)
    point = browser.find_elements(By.CSS_SELECTOR, POINTS)[3]
    name = re.search(r"design: ([\w-]+)", point.get_attribute("aria-label"))[1]
    webdriver.ActionChains(browser).move_to_element(point).perform()
    row = waiting(browser).until(
        lambda driver: driver.find_element(By.ID, "vg-tooltip-element").text
    )
    shown_of = next(p for p in at(32) if p["design"] == name)
    assert engineering(shown_of["values"]["area"], "um2") in row
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
    assert 0 <= top < 80  # it stays, below the bar


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
    assert not browser.find_element(By.NAME, "across").is_displayed()
    drawn = browser.find_element(By.CSS_SELECTOR, "#space-view svg")
    assert drawn.is_displayed()
    assert "mul-rem" in browser.find_element(By.TAG_NAME, "body").text
    assert wider(browser) == []


def test_it_prints_on_few_pages(browser: webdriver.Chrome, page: Path) -> None:
    show(browser, page)
    shown(browser)
    assert 1 < pages_in_print(browser) <= PRINTED_PAGES


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a layout."""
    file = tmp_path_factory.mktemp("layout") / "report.html"
    write(Report(found_of(row(TASK, **RESULT), clock_ns=TASK.clock_ns)), file)
    return file


COLOUR_AT = """
const [canvas, x, y] = arguments;
const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
pen.drawImage(canvas, -Math.floor(x * canvas.width), -Math.floor((1 - y) * canvas.height));
return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
"""


def test_a_layout_is_looked_at_in_layers(browser: webdriver.Chrome, laid_out: Path) -> None:
    """The cell below, on the left, is green; that above, on the right, red, and takes less power.
    The path goes from the one to the other."""
    show(browser, laid_out)
    figure = waiting(browser).until(
        lambda driver: driver.find_element(By.CSS_SELECTOR, "figure.layered[data-drawn]")
    )
    canvas = figure.find_element(By.TAG_NAME, "canvas")
    controls = {one.get_attribute("name"): one for one in figure.find_elements(By.NAME, "wires")}
    controls |= {name: figure.find_element(By.NAME, name) for name in ("path", "straps")}

    def colour(x: float, y: float) -> list[int]:
        found: list[int] = browser.execute_script(COLOUR_AT, canvas, x, y)
        return found

    low, high, middle, white = (0.1, 0.05), (0.9, 0.95), (0.5, 0.5), [255, 255, 255]
    assert (colour(*low), colour(*high)) == ([0, 255, 0], [255, 0, 0])
    assert colour(*middle) == [255, 230, 0]
    key = figure.find_element(By.TAG_NAME, "ul").text.split("\n")
    assert key == ["clock tree", "unit", "slowest path"]
    controls["path"].click()
    assert colour(*middle) == white
    controls["wires"].click()
    assert colour(0.3, 0.75) == white
    assert sum(colour(0.6, 0.75)) < sum(colour(0.6, 0.25)) < sum(white)
    assert "wires, 6 um in a um2" in figure.text
    controls["wires"].click()
    controls["straps"].click()
    strap_of = {"VSS": colour(0.15, 0.7), "VDD": colour(0.75, 0.3)}
    (red, _, blue), (darker, _, bluer) = strap_of["VDD"], strap_of["VSS"]
    assert red > blue
    assert bluer > darker
    assert "strap of VDD" in figure.text
    assert "strap of VSS" in figure.text
    controls["straps"].click()
    assert colour(0.15, 0.7) == white
    Select(figure.find_element(By.NAME, "cells")).select_by_visible_text("power")
    assert sum(colour(*low)) < sum(colour(*high)) < sum(white)
    assert "to 1.50 uW" in figure.text
    canvas.send_keys("+", Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert "scale=2" in figure.get_attribute("data-drawn")
    assert sum(colour(0.9, 0.05)) == sum(colour(*low)) != sum(white)
    webdriver.ActionChains(browser).move_to_element_with_offset(canvas, 0, 0).perform()
    assert figure.find_element(By.TAG_NAME, "output").text.startswith(
        "5.0, 3.5 um: no cell; 1.5 um"
    )
    canvas.send_keys("0")
    assert "scale=1" in figure.get_attribute("data-drawn").split()
    assert messages(browser) == []
    assert wider(browser) == []


def test_a_layout_is_a_picture_without_script(browser: webdriver.Chrome, laid_out: Path) -> None:
    show(browser, laid_out, script=False)
    assert browser.find_element(By.CSS_SELECTOR, "figure.layered img").is_displayed()
    assert not browser.find_element(By.CSS_SELECTOR, "figure.layered canvas").is_displayed()


# Whether controls show, how heads of columns are put, and how high drawings are, in millimetres.
IN_PRINT = """
const all = (of) => [...document.querySelectorAll(of)];
return [all("input, select, .tabs, .choices").filter((e) => e.checkVisibility()).length,
  [...new Set(all("th button").map((e) => getComputedStyle(e).display))],
  all("figure svg").filter((e) => e.checkVisibility() && !e.parentElement.closest("svg"))
    .map((e) => e.getBoundingClientRect().height * 25.4 / 96)];
"""


def test_in_print_heads_are_text_and_two_drawings_fit_a_page(
    browser: webdriver.Chrome, page: Path
) -> None:
    """Chromium leaves buttons out where it repeats the head of a table on the next page."""
    show(browser, page)
    shown(browser)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        controls, heads, heights = browser.execute_script(IN_PRINT)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert (controls, heads) == (0, ["contents"])
    assert len(heights) > 3
    assert max(heights) < 115


FAULTS = {
    "a table that is too wide": ("</style>", "table { min-width: 1400px }</style>", wider),
    "a script that fails": ('"use strict";', '"use strict"; nothing();', messages),
    "a head without text": ("</tbody>", "<tr><th></th></tr></tbody>", rules),
    "a text outside of the regions": ("</main>", "</main><p>text</p>", rules),
    "a second main part": ("</main>", "</main><main></main>", rules),
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
