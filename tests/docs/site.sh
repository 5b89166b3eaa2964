#!/bin/sh
# SPDX-License-Identifier: MIT
# `make html` makes a site of all pages without a warning.  Its first page has five doors, each exported call has an anchor,
# and links to headers lead to the pages of their calls.  A comment on a parameter that a call lacks is an error.
. "$(dirname "$0")/../script.inc"
find_python sphinx myst_parser || skip "no Python with Sphinx and MyST"
html() { "$MAKE" --no-print-directory B="$1" PYTHON="$python" html >"$work/log" 2>&1 || fail "make html: $(tail -n 5 "$work/log")"; }
html "$work"
first=$work/html/docs/site/index.html
doors=$(awk '/class="doors/ { on = 1 } on && /<li>/ { n++ } on && /<\/ul>/ { exit } END { print n + 0 }' "$first")
[ "$doors" = 5 ] || fail "the first page has $doors doors"
grep -q '<img [^>]*class="front' "$first" || fail "the first page has no picture"
grep -q 'href="docs/site/g6lib.html"' "$work/html/README.html" || fail "README has no link to the page of g6lib.h"
# Names without their underscores.  A compiler's small letters are those of a name with MC, and a C++ name that starts with _Z
# belongs to one without; g6_get_j_part_data is get_j_part_data of g6lib.h.
sed -n 's/.*id="c\.\([A-Za-z0-9_]*\)".*/\1/p' "$work"/html/docs/site/g*.html | sed 's/_*$//' | tr 'A-Z' 'a-z' | LC_ALL=C sort -u >"$work/here"
sh tests/names.sh | grep -v -e '^_Z' -e '^g6_get_j_part_data$' | sed 's/_*$//' | tr 'A-Z' 'a-z' | LC_ALL=C sort -u >"$work/names"
grep -qx g6_set_j_particle "$work/names" || fail "names.sh gives no names"
missing=$(LC_ALL=C comm -23 "$work/names" "$work/here")
# shellcheck disable=SC2086  # words on one line
[ -z "$missing" ] || fail "no anchors:" $missing
grep -q 'id="g6gpu.Cluster.acceleration"' "$work/html/docs/site/g6gpu.html" || fail "no anchor of Cluster.acceleration()"
for page in docs/*.md; do
    [ -s "$work/html/${page%.md}.html" ] || fail "$page is no page of the site"
done

# ---- errors are found ----
mkdir -p "$work/pages/include" "$work/hide"
cp -r docs/site/conf.py docs/site/headers.py docs/site/static "$work/pages"
build() {
    "$python" -m sphinx -q -W -E -c "$work/pages" -D root_doc=index -D include_patterns='*.md' "$work/pages" "$work/out" >"$work/log" 2>&1
}
header() { # parameter that the comment names
    printf '/* SPDX\n *\n * a.h - a header.\n */\n/** Does it.\n *  @param %s one */\nG6_API int g6_do(int id);\n' "$1" >"$work/pages/include/a.h"
}
printf '# First\n\n```{toctree}\npage\n```\n' >"$work/pages/index.md"
printf '# A page\n\n<!-- calls of include/a.h -->\n' >"$work/pages/page.md"
header id
build || fail "two good pages: $(tail -n 3 "$work/log")"
grep -q 'id="c.g6_do"' "$work/out/page.html" || fail "a call has no anchor"
# The theme without Furo.
echo 'import sys; sys.modules["furo"] = None' >"$work/hide/sitecustomize.py"
(export PYTHONPATH="$work/hide" && build) || fail "without Furo: $(tail -n 3 "$work/log")"
grep -q alabaster "$work/out/page.html" || fail "Furo was not hidden"
header wrong
build && fail "a comment on a parameter that is none goes unnoticed"
grep -q 'g6_do(int id) has no parameter wrong' "$work/log" || fail "a wrong parameter: $(tail -n 3 "$work/log")"
finish
