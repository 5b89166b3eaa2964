# SPDX-License-Identifier: MIT
# The documentation as a site: Sphinx with MyST, over the pages of this repository as they are.  `make html` calls it.
# The pages lie where readers of the repository look for them; index.md and the pages that it leads to put them into an
# order.  The theme is Furo (Debian: furo), and where that is missing one that Sphinx has itself.
import importlib.util
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import headers

project = "libg6gpu"
version = release = os.environ.get("G6_VERSION", "")
author = copyright = "the authors of libg6gpu"
extensions = ["myst_parser"]
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
    """Puts a header's calls into the page that asks for them, and leads links to headers to these pages."""
    def calls(marker):
        path = Path(app.srcdir, marker.group(1))
        app.env.note_dependency(str(path))
        return headers.page(path.read_text(), path.stem)
    text = re.sub(r"^<!-- calls of (\S+) -->$", calls, source[0], flags=re.M)
    source[0] = re.sub(r"\]\((?:\.\./)*include/(\w+)\.h\)", r"](/docs/site/\1.md)", text)


def setup(app):
    app.connect("source-read", read)
