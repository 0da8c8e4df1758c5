"""Sphinx configuration for ``sphinx-build -W -b html docs build/site``."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "schedproof"
author = "The schedproof developers"
copyright = author
release = version = installed("schedproof")
extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_design",
    "sphinxcontrib.bibtex",
    "browser_files",
    "claim_pages",
    "code_pages",
    "figure_pages",
    "gallery",
    "package_pages",
    "paper_pages",
    "repository_links",
    "search_texts",
]
templates_path = ["_templates"]
exclude_patterns = ["_ext", "refutations/*/*"]  # of a refutation the claim's page has the text

html_theme = "pydata_sphinx_theme"
html_title = "schedproof"
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system is
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
FAMILIES = ("preemptive", "dmlrs", "multiserver", "jrp", "placement")
HOWTO = [f"howto/{page.stem}" for page in Path(__file__).parent.glob("howto/*.md")]  # room for code
WIDE = (
    "index",
    "start",
    "your_own",
    "contributing",
    "ledger",
    "claims/**",
    "code/**",
    "evidence/**",
    "gallery/**",
    "papers/**",
    "refutations/**",
    *FAMILIES,
)
html_sidebars = {page: [] for page in WIDE}  # room for tables and code
html_theme_options = {
    "navigation_depth": 1,  # the pages of one kind
    "navbar_align": "left",
    "show_prev_next": False,
    "secondary_sidebar_items": {"**": ["page-toc"]} | {page: [] for page in ("index", "ledger", *HOWTO, *FAMILIES)},
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "default",
    "pygments_dark_style": "github-dark",
}

myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
myst_url_schemes = ("http", "https", "mailto", "code")  # the last for files of code, see code_pages.py
myst_heading_anchors = 4
myst_dmath_double_inline = True
nb_execution_mode = "off"  # outputs are stored in the notebooks
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
nb_code_prompt_show, nb_code_prompt_hide = "Show the code", "Hide the code"

default_role = "literal"
autodoc_typehints = "none"  # the signature's; a docstring says what it means
autodoc_member_order = "bysource"
autosummary_filename_map = {"schedproof.Bound": "schedproof.Bound-class"} | {
    f"schedproof.{name}": f"schedproof.{name}-class" for name in ("Claim", "Group", "Policy", "Program")
}  # files whose names differ by more than a capital
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False

bibtex_bibfiles = ["papers/papers.bib"]
bibtex_default_style = "unsrt"
