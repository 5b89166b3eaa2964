#!/bin/sh
# SPDX-License-Identifier: MIT
# `make html` makes a site of all pages without a warning, each page of docs is in its list, and each exported call is in
# the page of calls, and in Doxygen's where that is there.  A page that is in no list, and a link to nowhere, are errors.
. "$(dirname "$0")/../script.inc"
find_python sphinx myst_parser || skip "no Python with Sphinx and MyST"
"$MAKE" --no-print-directory B="$work" PYTHON="$python" html >"$work/log" 2>&1 || fail "make html: $(tail -n 5 "$work/log")"
grep -q 'href="../../README.html"' "$work/html/docs/site/index.html" || fail "the first page has no link to README"
# Names of exports.txt without their underscores.  A compiler's small letters are those of a name with MC, and a C++ name that
# starts with _Z belongs to one without.
calls() { sed 's/<[^>]*>//g' "$@" | tr -c 'A-Za-z0-9_' '\n' | sed 's/_*$//' | tr 'A-Z' 'a-z' | LC_ALL=C sort -u; }
grep -v -e '^#' -e '^$' -e '^\[' -e '^_Z' tests/exports.txt | tr 'A-Z' 'a-z' | LC_ALL=C sort -u >"$work/names"
grep -qx g6_set_j_particle "$work/names" || fail "exports.txt was not read"
for pages in docs/site/calls.html "doxygen/*_8h.html"; do
    # shellcheck disable=SC2086  # a pattern
    (cd "$work/html" && ls $pages >/dev/null 2>&1 && calls $pages) >"$work/here" || continue
    missing=$(LC_ALL=C comm -23 "$work/names" "$work/here")
    # shellcheck disable=SC2086  # words on one line
    [ -z "$missing" ] || fail "$pages lacks" $missing
done
[ -s "$work/html/docs/site/calls.html" ] || fail "no page of calls"
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
