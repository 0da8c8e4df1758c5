"""Faults of a page of the site: its links, and its layout in a browser's window."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

SITE = Path(__file__).parents[1] / "build" / "site"
OURS = ("file", "data", "blob")  # schemes of what a page opened as a file may ask for
CUT = """
// texts that begin or end outside the window, or outside a box that hides what does not fit, with nothing to scroll
const found = [], wide = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
if (wide > 1000 && !document.querySelector(".linenos")) {
  for (const code of document.querySelectorAll("article pre")) {
    if (code.scrollWidth > code.clientWidth + 1) found.push(`code ${code.scrollWidth} wide in ${code.clientWidth}`);
  }
}
const walker = document.createTreeWalker(document.querySelector("body"), NodeFilter.SHOW_TEXT);
const range = document.createRange();
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const parent = node.parentElement;
  if (!node.data.trim() || parent.closest("script, style, mjx-container, .visually-hidden, .sr-only, dialog")) continue;
  if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    let [left, right] = [0, wide];
    for (let around = parent; around; around = around.parentElement) {
      const style = getComputedStyle(around), scroll = /auto|scroll/.test(style.overflowX);
      if (scroll || style.textOverflow === "ellipsis") { [left, right] = [-Infinity, Infinity]; break; }
      const frame = around.getBoundingClientRect();
      if (!/hidden|clip/.test(style.overflowX)) continue;
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
    }
    if (box.width && (box.left < left - 1 || box.right > right + 1)) found.push(node.data.trim().slice(0, 60));
  }
}
return [...new Set(found)];
"""


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.asked: list[str] = []  # by the browser, without a click
        self.linked: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.places |= {given[key] for key in ("id", "name") if key in given}
        if tag == "a" and "href" in given:
            self.linked.append(given["href"])
        elif tag == "link" and "canonical" not in given.get("rel", ""):
            self.asked.append(given.get("href", ""))
        self.asked += [given[key] for key in ("src", "poster") if key in given]


@cache
def page(path: Path) -> Page:
    return Page(path)


def broken(path: Path, site: Path = SITE) -> Iterator[str]:
    """Return a page's broken links, and its requests to other hosts."""
    for target in page(path).asked:
        if urlsplit(target).scheme not in ("", "data"):
            yield f"asks for {target}"
    for target in {*page(path).asked, *page(path).linked}:
        address, place = urldefrag(target)
        if urlsplit(target).scheme or target.startswith("//"):
            continue
        file = (path.parent / unquote(urlsplit(address).path)).resolve() if address else path
        if not file.is_file() or site.resolve() not in file.resolve().parents:
            yield f"no page {target}"
        elif place and file.suffix == ".html" and "=" not in place and unquote(place) not in page(file).places:
            yield f"no place {target}"


def chromium(width: int, dark: bool = False) -> Any:
    """Return a headless Chromium with a window of this size, or None."""
    binary, driver = which("chromium") or which("google-chrome"), which("chromedriver")
    if binary is None or driver is None:
        return None
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    window = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    return browser


def faults(browser: Any, path: Path) -> list[str]:
    """Return console errors, truncated texts, and requests to other hosts."""
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get(path.as_uri())
    typeset = "return !window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)"
    WebDriverWait(browser, 60).until(lambda it: it.execute_script(typeset))
    return [*said(browser), *(f"cut off: {text}" for text in browser.execute_script(CUT))]


def said(browser: Any) -> list[str]:
    """Return new console warnings, errors, and requests to other hosts."""
    console = [entry["message"] for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    events = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    asked = (event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent")
    return console + [f"asked for {url}" for url in asked if urlsplit(url).scheme not in OURS]
