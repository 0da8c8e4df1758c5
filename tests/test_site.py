from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from schedproof.core.claims import claims
from schedproof.experiments.ledger import SEVERITIES, is_refuted
from tests.notebooks import NOTEBOOKS
from tests.site import SITE, broken, chromium, faults, said
from tests.support import FAMILIES, size

ROOT = SITE.parents[1]
PAGES = sorted(path for path in SITE.rglob("*.html") if "_static" not in path.parts)
ROWS = {id: row for family in FAMILIES for id, row in claims.ledger(family).items()}
WITNESSES = sorted(id for id, row in ROWS.items() if is_refuted(row))
built = pytest.mark.skipif(not PAGES, reason="sphinx-build -W -b html docs build/site comes first")
FIRST = ("index.html", "idea.html", "glossary.html", "howto.html", "ledger.html", "gallery/jrp.html")
FIRST += ("papers/dmlrs.html", "dmlrs.html", "claims/jrp/prune_safe.html")
CHOSEN = [SITE / page for page in FIRST] + PAGES[:: max(1, len(PAGES) // size(10, 1, len(PAGES)))]


@pytest.fixture(scope="module", params=[1280, 390])
def window(request: pytest.FixtureRequest) -> Iterator[Any]:
    yield from _open(request.param)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from _open(1280)


def _open(width: int, dark: bool = False) -> Iterator[Any]:
    pytest.importorskip("selenium")
    opened = chromium(width, dark)
    if opened is None:
        pytest.skip("no Chromium with its driver on this machine")
    yield opened
    opened.quit()


def find(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def click(browser: Any, element: Any) -> None:
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
    element.click()


def until(browser: Any, true: Any, seconds: float = 180) -> Any:
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(browser, seconds).until(lambda _: true())


def run(browser: Any, id: str, site: Path = SITE) -> str:
    """Press the button of a claim's page; return the final text."""
    browser.get((site / "claims" / f"{id.replace('.', '/')}.html").as_uri())
    return pressed(browser)


def pressed(browser: Any) -> str:
    button, output = find(browser, ".run-it button"), find(browser, ".run-it pre")
    click(browser, button)
    until(browser, lambda: output.text and button.is_enabled())
    return str(output.get_attribute("textContent"))


# --- every page ------------------------------------------------------------------------------------------------------


@built
def test_no_link_is_broken_and_no_page_requests_another_host() -> None:
    found = {str(path.relative_to(SITE)): list(broken(path)) for path in PAGES}
    assert {page: wrong for page, wrong in found.items() if wrong} == {}


@built
def test_every_page_has_one_first_level_heading() -> None:
    headings = {str(path.relative_to(SITE)): len(re.findall(r"<h1[ >]", path.read_text())) for path in PAGES}
    assert {page: count for page, count in headings.items() if count != 1} == {}


@built
def test_every_claim_has_its_page() -> None:
    assert {id for id in ROWS if not (SITE / "claims" / f"{id.replace('.', '/')}.html").is_file()} == set()


@built
def test_pages_have_no_errors_and_no_truncated_text(window: Any) -> None:
    found = {str(path.relative_to(SITE)): faults(window, path) for path in dict.fromkeys(CHOSEN)}
    assert {page: wrong for page, wrong in found.items() if wrong} == {}


def test_faults_of_a_page_are_found(tmp_path: Path, browser: Any) -> None:
    long, wide = "x" * 900, "overflow: hidden; width: 9em; white-space: nowrap"
    texts = {
        "links": '<a href="gone.html">1</a><a href="other.html#gone">2</a><script src="https://example.org/x.js"></script>',
        "loud": "<script>null.x</script>",
        "long": f"<p>{long}</p>",
        "hidden": f'<p style="{wide}">much that does not fit into so little room</p>',
        "scrolls": f'<p style="overflow-x: auto">{long}</p>',
        "code": f'<article><pre style="overflow-x: auto">{long}</pre></article>',
        "other": "<p>nothing</p>",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.html").write_text(f'<!doctype html><link rel="icon" href="data:,"><body>{text}</body>')
    wrong = {name: faults(browser, tmp_path / f"{name}.html") for name in texts if name != "links"}
    assert {name for name in wrong if wrong[name]} == {"loud", "long", "hidden", "code"}
    links = sorted(broken(tmp_path / "links.html", tmp_path))
    assert links == ["asks for https://example.org/x.js", "no page gone.html", "no place other.html#gone"]


# --- what a reader clicks --------------------------------------------------------------------------------------------


@built
def test_the_ledger_is_filtered_by_paper_verdict_severity_evidence_and_words(browser: Any) -> None:
    from selenium.webdriver.support.select import Select

    browser.get((SITE / "ledger.html").as_uri())
    asked = {
        "paper": "Wang et al. 2019",
        "verdict": "refuted",
        "severity": "false theorem",
        "evidence": "exact certificate",
    }
    left = [row for id, row in ROWS.items() if id.startswith("jrp.")]
    assert asked_for(browser) == len(ROWS)
    for name, value in asked.items():
        Select(find(browser, f"#ledger-filters [name={name}]")).select_by_visible_text(value)
        left = [row for row in left if name == "paper" or row[name] == value]
        assert asked_for(browser) == len(left) > 0
    find(browser, "#ledger-filters [name=words]").send_keys("storage_test")
    assert asked_for(browser) == 1
    browser.get(browser.current_url)
    browser.refresh()  # the address keeps what was asked
    assert asked_for(browser) == 1
    click(browser, find(browser, "#ledger-table tr:not([hidden]) td a"))
    assert browser.current_url.endswith("claims/jrp/storage_test_feasible.html")
    assert said(browser) == []


def asked_for(browser: Any) -> int:
    seen, following = [], find(browser, "#ledger-pages button:last-child")
    while True:
        seen += [row.text for row in browser.find_elements("css selector", "#ledger-table tbody tr:not([hidden])")]
        last = find(browser, "#ledger-pages output").text
        if not following.is_enabled():
            break
        click(browser, following)
    assert last.endswith(f"to {len(seen)} of {len(seen)} claims") and len({*seen}) == len(seen)
    return len(seen)


@built
def test_the_ledger_starts_with_false_theorems_and_ends_with_true_claims() -> None:
    page = (SITE / "ledger.html").read_text()
    kinds = re.findall(r"<tr><td>.*?</td><td>.*?</td><td>(.*?)</td><td>(.*?)</td>", page)
    severities = [severity for _, severity in kinds]
    assert severities == sorted(severities, key=[*SEVERITIES, ""].index)
    assert kinds[0] == ("refuted", "false theorem") and kinds[-1] == ("holds", "") and len(kinds) == len(ROWS)


@built
def test_the_search_finds_a_claim_without_a_server(browser: Any) -> None:
    browser.get((SITE / "index.html").as_uri())
    said(browser)
    click(browser, find(browser, ".search-button__button"))
    field = until(
        browser,
        lambda: next(x for x in browser.find_elements("css selector", "input[type=search]") if x.is_displayed()),
    )
    field.send_keys("landing order\n")
    until(browser, lambda: "Search finished" in find(browser, "#search-results").text)
    found = {
        link.get_attribute("href").split("/", 3)[-1]: link
        for link in browser.find_elements("css selector", "ul.search a")
    }
    (lemma,) = (link for address, link in found.items() if "claims/preemptive/lemma2.html" in address)
    around = [text.text for text in browser.find_elements("css selector", "ul.search .context")]
    assert len(around) > len(found) / 2 and any("landing order" in text for text in around)
    click(browser, lemma)
    assert "search.html" not in browser.current_url
    assert said(browser) == []


@built
def test_a_witness_run_in_its_page_equals_python(browser: Any) -> None:
    if not (SITE / "_static" / "pyodide" / "data.js").is_file():
        pytest.skip("the site was built without Pyodide")
    for id in WITNESSES[:: -(-len(WITNESSES) // size(3, 1, len(WITNESSES)))]:
        script = ROOT / "docs" / "refutations" / f"{id.replace('.', '/')}.py"
        told = subprocess.run([sys.executable, "-I", str(script)], check=True, capture_output=True, text=True)
        assert run(browser, id).strip() == told.stdout.strip()
        assert said(browser) == []


@built
def test_without_pyodide_a_page_shows_how_to_run_its_script(tmp_path: Path, browser: Any) -> None:
    copytree(SITE / "_static", tmp_path / "_static", ignore=ignore_patterns("pyodide"))
    copytree(SITE / "claims" / "placement", tmp_path / "claims" / "placement")
    assert "save the script and run python -I on it" in run(browser, "placement.mask12", tmp_path)
    said(browser)  # that there is no such file


@built
def test_links_lead_from_the_start_to_a_witness_and_to_user_policies(browser: Any) -> None:
    browser.get((SITE / "index.html").as_uri())
    click(browser, find(browser, ".sd-card"))
    assert "should be at most" in pressed(browser)
    browser.get((SITE / "index.html").as_uri())
    click(browser, browser.find_element("partial link text", "Your own policy"))
    click(browser, browser.find_element("link text", "A policy"))
    assert ".ratio(" in find(browser, "#a-policy").text


@built
@pytest.mark.parametrize("dark", [False, True])
def test_it_follows_the_readers_light_or_dark_mode(dark: bool) -> None:
    for browser in _open(1280, dark):
        browser.get((SITE / "index.html").as_uri())
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, colour.strip("rgba()").split(",")[:3])) < 3 * 128) == dark


@built
def test_pages_have_their_essential_parts() -> None:
    kinds = Counter(path.relative_to(SITE).parts[0] for path in PAGES)
    assert kinds["claims"] == len(ROWS)
    assert {path.stem for path in (SITE / "papers").glob("*.html")} == {*FAMILIES, "index"}
    assert {path.stem for path in (SITE / "gallery").glob("*.html")} == {path.stem for path in NOTEBOOKS} | {"index"}
