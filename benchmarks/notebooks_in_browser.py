"""Run the notebooks in JupyterLab in Chromium, and time every slider move.

    python benchmarks/notebooks_in_browser.py [NOTEBOOK ...] [--shots FOLDER]

It needs the extra `notebook`, selenium, and Debian's chromium and chromium-driver. It prints the kernel's processor
time and the wall time until the picture is shown: median and maximum over a control's moves.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

NAMES = ("preemptive", "dmlrs", "multiserver", "jrp", "placement", "adversary")
PORT, MOST = 8899, 900.0  # seconds
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--window-size=1500,1300",
)
FLAGS += ("--disable-background-networking", "--disable-component-update", "--disable-sync")
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # cells out of sight are in the page, too
    "apputils-extension/notification": {"fetchNews": "false"},
}
SESSION = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
READY, KERNEL = f"return {SESSION}?.status === 'idle'", f"return {SESSION}.id"
RUN = "window.ran = false; window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => window.ran = true)"
LAST = "return arguments[0].querySelector('.noUi-target').noUiSlider.options.range.max"
BOXES = ".jp-Notebook .widget-vbox"
PRESSED, UNPRESSED = ".mod-active", ":not(.mod-active)"
ERRORS = "return document.querySelectorAll('[data-mime-type=\"application/vnd.jupyter.error\"]').length"


def main() -> int:
    """Return the number of failed cells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", default=NAMES)
    parser.add_argument("--shots", type=Path)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as work, jupyter(work) as server, chromium(work) as browser:
        print(
            "| notebook | control | moves | processor, s: median, most | wall, s: median, most |\n|---|---|---|---|---|"
        )
        for name in given.notebooks:
            browser.get(f"http://localhost:{PORT}/lab/workspaces/{name}/tree/{name}.ipynb")  # no other notebook is open
            until(lambda: browser.execute_script(READY))
            id = browser.execute_script(KERNEL)
            (kernel,) = (p for p in psutil.Process(server.pid).children() if id in " ".join(p.cmdline()))
            browser.execute_script(RUN)
            took = timed(kernel, lambda: until(lambda: browser.execute_script("return window.ran")))
            errors = int(browser.execute_script(ERRORS))
            failed += errors
            print(f"| {name} | all cells, {errors} errors | | {took[0]:.0f} | {took[1]:.0f} |", flush=True)
            if given.shots:
                for n, picture in enumerate(browser.find_elements(By.CSS_SELECTOR, ".jp-RenderedImage img")):
                    picture.screenshot(str(given.shots / f"{name}_{n}.png"))
            pictures = Path(work, f"{name}.ipynb").read_text().count('"sliders(')
            for control, words, moves in controls(browser, pictures):
                *first, back = moves(control)
                times = [timed(kernel, move) for move in first]
                cells = [f"{statistics.median(column):.2f}, {max(column):.2f}" for column in zip(*times, strict=True)]
                print(f"| {name} | {words} | {len(times)} | {' | '.join(cells)} |", flush=True)
                if given.shots:
                    browser.save_screenshot(str(given.shots / f"{name}_{words.replace(' ', '_')}.png"))
                back()
            kernel.terminate()
    return failed


class jupyter(subprocess.Popen[bytes]):
    """JupyterLab on copies of the notebooks."""

    def __init__(self, work: str) -> None:
        folder = Path(__file__).parents[1] / "notebooks"
        for file in folder.glob("*.*"):
            shutil.copy(file, work)
        for place, setting in SETTINGS.items():
            file = Path(work, "settings", "@jupyterlab", f"{place}.jupyterlab-settings")
            file.parent.mkdir(parents=True)
            file.write_text(json.dumps(setting))
        options = (
            f"--port={PORT}",
            "--no-browser",
            "--allow-root",
            "--IdentityProvider.token=",
            "--expose-app-in-browser",
        )
        command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={work}"]
        quiet, there = (
            subprocess.DEVNULL,
            {f"JUPYTERLAB_{kind.upper()}_DIR": f"{work}/{kind}" for kind in ("settings", "workspaces")},
        )
        super().__init__(command, stdout=quiet, stderr=quiet, env=os.environ | there)
        until(
            lambda: subprocess.run(["curl", "-sf", f"http://localhost:{PORT}/api"], capture_output=True).returncode == 0
        )

    def __exit__(self, *_error: Any) -> None:
        self.terminate()
        self.wait()


def chromium(work: str) -> WebDriver:
    """Start a browser with a new profile."""
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={work}/profile"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


def controls(
    browser: WebDriver, pictures: int
) -> Iterator[tuple[WebElement, str, Callable[[WebElement], list[Callable[[], None]]]]]:
    """Return each control, its label, and a function that lists its moves.

    The last move returns to the initial value. ``pictures`` is the number of pictures to wait for.
    """
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, f"{BOXES} img")) >= pictures)
    for box in browser.find_elements(By.CSS_SELECTOR, BOXES):
        image = box.find_element(By.CSS_SELECTOR, "img")

        def wait(act: Callable[[], None], image: WebElement = image) -> Callable[[], None]:
            def move() -> None:
                before = image.get_attribute("src")
                act()
                until(lambda: image.get_attribute("src") != before and image.get_property("complete"))

            return move

        def drags(slider: WebElement, wait: Any = wait) -> list[Callable[[], None]]:
            handle, track = (slider.find_element(By.CSS_SELECTOR, f".noUi-{part}") for part in ("handle", "connects"))
            until(lambda: track.rect["width"])
            last = round(browser.execute_script(LAST, slider))
            wide = track.rect["width"] / last

            def drag(place: int) -> None:
                x = track.rect["x"] + place * wide - handle.rect["x"] - handle.rect["width"] / 2
                ActionChains(browser, 0).click_and_hold(handle).move_by_offset(round(x), 0).release().perform()

            now = round((handle.rect["x"] + handle.rect["width"] / 2 - track.rect["x"]) / wide)
            places = [*(place for place in range(last + 1) if place != now), now]
            return [wait(lambda place=place: drag(place)) for place in places]

        def clicks(buttons: WebElement, wait: Any = wait) -> list[Callable[[], None]]:
            others, first = (buttons.find_elements(By.CSS_SELECTOR, f"button{which}") for which in (UNPRESSED, PRESSED))
            return [wait(button.click) for button in (*others, *first)]

        for kind, moves in ((".widget-hslider", drags), (".widget-toggle-buttons", clicks)):
            for control in box.find_elements(By.CSS_SELECTOR, kind):
                browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", control)
                time.sleep(1)  # the page settles
                yield control, control.find_element(By.CSS_SELECTOR, ".widget-label").text, moves


def timed(kernel: psutil.Process, act: Callable[[], Any]) -> tuple[float, float]:
    """Return the kernel's processor time and the wall time of an action."""
    start, begin = kernel.cpu_times(), time.monotonic()
    act()
    wall, end = time.monotonic() - begin, kernel.cpu_times()
    return end.user + end.system - start.user - start.system, wall


def until(done: Callable[[], Any]) -> None:
    """Repeat a query until it is true."""
    end = time.monotonic() + MOST
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"no answer within {MOST:g} s")
        time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main())
