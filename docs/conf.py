"""The documentation as a site: ``make site`` builds it into build/site, with warnings as errors. Nothing is fetched from elsewhere."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import deckwood

project = "deckwood"
version = release = deckwood.__version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_copybutton"]
root_doc = "docs/index"
include_patterns = ["CHANGELOG.md", "CONTRIBUTING.md", "docs/**"]
exclude_patterns = ["docs/conf.py", "**/.ipynb_checkpoints", "docs/results/**", "docs/sheet/**", "docs/data/**"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

myst_heading_anchors = 4
myst_enable_extensions: list[str] = []
nb_execution_mode = "off"  # the outputs are stored; tests/test_notebooks.py runs the code
nb_output_stderr = "remove"  # that rules are compiled
copybutton_exclude = ".linenos, .gp, .go"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "deckwood"
html_copy_source = False
html_css_files = ["site.css"]
html_static_path = ["site"]
html_theme_options = {"navigation_with_keys": True}


def index_page(app: Sphinx, error: Exception | None) -> None:
    """The site's root leads to the first page, which lies in docs/ as its source does."""
    if error is None and app.builder.format == "html":
        Path(app.outdir, "index.html").write_text('<!doctype html><meta http-equiv="refresh" content="0; url=docs/index.html">\n')


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", index_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
