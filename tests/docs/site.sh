#!/bin/sh
# SPDX-License-Identifier: MIT
# `make html` makes a site of all pages without a warning, and each page of docs is in its list.  A page that is in no
# list, and a link to nowhere, are errors.
. "$(dirname "$0")/../script.inc"
find_python sphinx myst_parser || skip "no Python with Sphinx and MyST"
"$MAKE" --no-print-directory B="$work" PYTHON="$python" html >"$work/log" 2>&1 || fail "make html: $(tail -n 5 "$work/log")"
grep -q 'href="../../README.html"' "$work/html/docs/site/index.html" || fail "the first page has no link to README"
grep -q 'g6_set_j_particle' "$work/html/docs/site/calls.html" || fail "the page of calls has no g6_set_j_particle"
for page in docs/*.md; do
    [ -s "$work/html/${page%.md}.html" ] || fail "$page is no page of the site"
done

cp -r docs/site "$work/pages"
printf '# A page\n\n[nowhere](none.md)\n' >"$work/pages/page.md"
printf '# First\n\n```{toctree}\npage\n```\n' >"$work/pages/index.md"
rm "$work/pages/calls.md"
build() { "$python" -m sphinx -q -W -c "$work/pages" -D root_doc=index -D include_patterns='*.md' "$work/pages" "$work/out" >"$work/log" 2>&1; }
build && fail "a link to nowhere goes unnoticed"
printf '# A page\n' >"$work/pages/page.md"
build || fail "two good pages: $(tail -n 3 "$work/log")"
printf '# First\n' >"$work/pages/index.md"
build && fail "a page that is in no list goes unnoticed"
finish
