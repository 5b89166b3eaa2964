# SPDX-License-Identifier: MIT
# The documentation as a site: Sphinx with MyST, over the pages of this repository as they are.  `make html` calls it.
# The pages lie where readers of the repository look for them; index.md puts them into an order.
import os

project = "libg6gpu"
version = release = os.environ.get("G6_VERSION", "")
author = copyright = "the authors of libg6gpu"
extensions = ["myst_parser"]
root_doc = "docs/site/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "packaging/README.md",
                    "docs/*.md", "docs/site/*.md", "docs/measurements/*.md"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_theme = "alabaster"
html_theme_options = {"description": "Gravity behind the calls of the GRAPE-6 computer", "page_width": "1150px",
                      "sidebar_width": "260px", "font_family": "sans-serif", "head_font_family": "sans-serif",
                      "code_font_size": "0.72em"}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_copy_source = False
html_show_sphinx = False
