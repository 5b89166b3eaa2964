# SPDX-License-Identifier: MIT
# The documentation as a site: Sphinx with MyST, over the pages of this repository as they are.  `make html` calls it.
# The pages lie where readers of the repository look for them; index.md and the pages that it leads to put them into an
# order.  The theme is Furo (Debian: furo), and where that is missing one that Sphinx has itself.
import ctypes
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import types
import unittest.mock
from pathlib import Path

from sphinx.ext.autodoc.mock import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import headers

project = "libg6gpu"
version = release = os.environ.get("G6_VERSION", "")
author = copyright = "the authors of libg6gpu"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_mock_imports = []
package = tempfile.TemporaryDirectory()  # goes away at the end
myst_enable_extensions = ["colon_fence"]
root_doc = "docs/site/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "packaging/README.md",
                    "docs/*.md", "docs/site/*.md", "docs/measurements/*.md"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_title = f"libg6gpu {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
if importlib.util.find_spec("furo"):
    html_theme = "furo"
    html_theme_options = {"light_css_variables": {"color-brand-primary": "#1f4e8c", "color-brand-content": "#1f5fae"}}
else:
    html_theme = "alabaster"
    html_theme_options = {"description": "Gravity behind the calls of the GRAPE-6 computer", "page_width": "1150px",
                          "sidebar_width": "260px", "font_family": "sans-serif", "head_font_family": "sans-serif",
                          "code_font_size": "0.8em"}
    html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}


def read(app, name, source):
    """Puts a header's calls, or the Python package, into the page that asks for them; links to headers lead to their pages."""

    def calls(marker):
        path = Path(app.srcdir, marker.group(1))
        app.env.note_dependency(str(path))
        return headers.page(path.read_text(), path.stem)

    def modules(marker):
        g6gpu = sys.modules["g6gpu"]
        inner = [name for name in g6gpu.__all__ if isinstance(getattr(g6gpu, name), types.ModuleType) and name != "calls"]
        names = ["g6gpu", *(f"g6gpu.{name}" for name in inner)]
        return "\n\n".join(f"```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n   :imported-members:\n```" for name in names)

    text = re.sub(r"^<!-- calls of (\S+) -->$", calls, source[0], flags=re.M)
    text = re.sub(r"^<!-- modules of g6gpu -->$", modules, text, flags=re.M)
    source[0] = re.sub(r"\]\((?:\.\./)*include/(\w+)\.h\)", r"](/docs/site/\1.md)", text)


def import_package(top):
    """Imports the Python package from its source, with the header and a library that computes nothing."""
    shutil.copytree(top / "python/g6gpu", Path(package.name, "g6gpu"))
    shutil.copy(top / "include/g6lib.h", Path(package.name, "g6gpu"))
    sys.path.insert(0, package.name)
    library = unittest.mock.MagicMock(_name="")
    library.g6_version.return_value = version.encode()
    if importlib.util.find_spec("numpy"):
        import numpy  # noqa: F401  # loads libraries of its own
    else:
        autodoc_mock_imports.append("numpy")
    with mock(autodoc_mock_imports), unittest.mock.patch.object(ctypes, "CDLL", lambda name: library):
        import g6gpu.calls  # noqa: F401


def skip(app, what, name, thing, skipped, options):
    """The calls by their names are those of g6lib.h."""
    return True if name in sys.modules["g6gpu.calls"].__all__ else None


def plain(app, what, name, thing, options, lines):
    """Docstrings are plain text: an indented block after an empty line is Python, and |W| is no substitution."""
    is_code, out = False, []
    for k, line in enumerate(lines):
        indented = line.startswith("    ")
        if indented and not is_code and k > 1 and not lines[k - 1] and not lines[k - 2].startswith(" "):
            out += [".. code-block:: python", ""]
            is_code = True
        is_code = is_code and (indented or not line)
        out.append(line if is_code else line.replace("|", "\\|"))
    lines[:] = out


def setup(app):
    app.connect("source-read", read)
    if Path(app.srcdir, "python").exists():
        import_package(Path(app.srcdir))
        app.connect("autodoc-skip-member", skip)
        app.connect("autodoc-process-docstring", plain)
