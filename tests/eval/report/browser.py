"""Chromium without a window, and what it says of a page."""

import base64
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

# Seconds after which a test gives up: none that a busy machine needs. By themselves client, driver
# and browser give up after 120 s for any request, 60 s for the browser's start, about 30 s for the
# driver's start and for a script, 300 s for a page.
PATIENCE = 3600

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


class Patient(webdriver.Chrome):
    """A client that waits for every answer, that to the first request included."""

    def start_session(self, capabilities: dict) -> None:
        self.command_executor.client_config.timeout = PATIENCE
        super().start_session(capabilities)


class PatientService(Service):
    """A driver that may take its time to start."""

    def start(self) -> None:
        self._start_process(self.path)
        while not self.is_connectable():
            self.assert_process_still_running()
            time.sleep(0.05)


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
    options.add_experimental_option("browserStartupTimeout", 1000 * PATIENCE)
    browser = Patient(options, PatientService(programs[1]))
    browser.set_script_timeout(PATIENCE)
    browser.set_page_load_timeout(PATIENCE)
    try:
        yield browser
    finally:
        browser.quit()


def waiting(browser: webdriver.Chrome) -> WebDriverWait:
    """Wait for something that a page does by itself."""
    return WebDriverWait(browser, PATIENCE)


def show(
    browser: webdriver.Chrome,
    page: Path,
    width: int = 1280,
    script: bool = True,
    height: int = 900,
) -> None:
    """Open a page in a window so wide and high, with its script or without."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
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
