"""Chromium without a window, and what it says of a page."""

import base64
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

# What a page may have wider than its window, but for the page itself: nothing at a desk's width.
WIDER = """
return [...document.querySelectorAll("body *")]
  .filter((e) => e.checkVisibility() && !e.closest("svg svg, svg g")
    && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
    && !e.closest(".scroll"))
  .map((e) => e.tagName + "." + e.className);
"""
SCROLLING = """
return [...document.querySelectorAll(".scroll")]
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.textContent.slice(0, 60));
"""


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Start the browser; skip the test where there is none."""
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("tool missing: chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, Service(programs[1]))
    try:
        yield browser
    finally:
        browser.quit()


def show(browser: webdriver.Chrome, page: Path, width: int = 1280, script: bool = True) -> None:
    """Open a page in a window so wide, with its script or without."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    browser.get("about:blank")
    browser.get(page.as_uri())


def wider(browser: webdriver.Chrome) -> list[str]:
    """List what leaves the window, or scrolls sideways at a desk's width."""
    across = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    scrolling = browser.execute_script(SCROLLING) if across[1] >= 1280 else []
    page = [f"the page, {across[0]} of {across[1]}"] if across[0] > across[1] else []
    return [*page, *browser.execute_script(WIDER), *scrolling]


def messages(browser: webdriver.Chrome) -> list[str]:
    """List what was said on the console since one last asked."""
    return [entry["message"] for entry in browser.get_log("browser")]


def pages_in_print(browser: webdriver.Chrome) -> int:
    """Count the pages of the print."""
    pdf = base64.b64decode(browser.print_page())
    return len(re.findall(rb"/Type\s*/Page\b", pdf))
