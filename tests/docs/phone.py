# SPDX-License-Identifier: MIT
"""Prints each page of a site that is wider than a phone's screen, with the elements that make it so.

usage: python3 phone.py FOLDER [WIDTH]     FOLDER: the site; WIDTH: of the screen in CSS pixels, by default 390
A page fits when nothing but what scrolls by itself, as tables and blocks of code do, reaches over the screen's edge.
Needs chromium, which loads one page after the other into a frame of this width.  The status is 1 when a page is wider.
"""
import base64
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

SCRIPT = """
const pages = PAGES, found = [], frame = document.createElement('iframe');
frame.style = 'border: 0; width: WIDTHpx; height: 844px';
document.body.append(frame);
function scrolls(element) {
    if (!element || element.tagName == 'BODY') return false;
    return ['auto', 'scroll', 'hidden'].includes(frame.contentWindow.getComputedStyle(element).overflowX)
        || scrolls(element.parentElement);
}
function look(page) {
    const inside = frame.contentDocument, root = inside.documentElement, width = root.clientWidth;
    if (root.scrollWidth <= width) return;
    const wide = [...inside.querySelectorAll('article *, div.body *')]
        .filter(e => e.getBoundingClientRect().right > width + 0.5 && !scrolls(e.parentElement));
    found.push([page, root.scrollWidth, wide.slice(0, 3).map(e => e.tagName + ' ' + e.textContent.slice(0, 60))]);
}
function next() {
    if (!pages.length) { document.body.innerText = 'FOUND' + btoa(encodeURIComponent(JSON.stringify(found))) + 'END'; return; }
    const page = pages.shift();
    frame.onload = () => { look(page); next(); };
    frame.src = page;
}
next();
"""
CHROMIUM = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--allow-file-access-from-files", "--virtual-time-budget=600000", "--dump-dom"]


def wide_pages(pages, width):
    """[address, its width, elements] of each page that is too wide."""
    script = SCRIPT.replace("PAGES", json.dumps([page.resolve().as_uri() for page in pages])).replace("WIDTH", str(width))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        page = Path(work, "frame.html")
        page.write_text(f"<!doctype html><body style='margin: 0'><script>{script}</script>")
        out = subprocess.run([*CHROMIUM, f"--user-data-dir={work}/profile", page.as_uri()],
                             capture_output=True, text=True, timeout=300).stdout
    found = re.search("FOUND(.*)END", out)
    if not found:
        sys.exit("phone.py: chromium did not look at all pages")
    return json.loads(unquote(base64.b64decode(found.group(1)).decode()))


def main(folder, width=390):
    pages = sorted(page for page in Path(folder).rglob("*.html") if page != Path(folder, "index.html"))
    if not pages:
        sys.exit(f"phone.py: no pages in {folder}")
    wide = wide_pages(pages, width)
    for page, reached, elements in wide:
        print(f"{page}: {reached} pixels wide: {'; '.join(elements)}")
    print(f"{len(pages)} pages, {len(wide)} wider than {width} pixels")
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
