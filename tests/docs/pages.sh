#!/bin/sh
# SPDX-License-Identifier: MIT
# README.md is short.  Parts of pages that are generated are up to date: the table of
# docs/settings.md from the library, the tables of docs/measurements from the CSV files there.  The
# check of links finds each fault on pages with faults.
. "$(dirname "$0")/../script.inc"

lines=$(wc -l <README.md)
[ "$lines" -le 130 ] || fail "README.md has $lines lines; at most 130, the rest belongs into docs"

if [ -x "$B/bin/g6info" ]; then
    sh docs/settings.sh "$B/bin" docs/settings.md >"$work/settings.md" || fail "settings.sh: status $?"
    cmp -s docs/settings.md "$work/settings.md" ||
        fail "docs/settings.md is not what the library says (make settings-page): $(diff docs/settings.md "$work/settings.md")"
    # A page with another value gets the library's.
    sed 's/| auto, hermite, treeonly, treewalk |/| slow, fast |/' docs/settings.md >"$work/stale.md"
    cmp -s docs/settings.md "$work/stale.md" && fail "docs/settings.md has no row of G6_MODE"
    sh docs/settings.sh "$B/bin" "$work/stale.md" | cmp -s - docs/settings.md || fail "settings.sh keeps a stale row"
else
    echo "pages.sh: the table of settings is left out (g6info was not built)"
fi

if command -v "${PYTHON:-python3}" >/dev/null 2>&1; then
    PYTHONDONTWRITEBYTECODE=1
    export PYTHONDONTWRITEBYTECODE
    "${PYTHON:-python3}" docs/measurements/figures.py --check || fail "docs/measurements"
    cp -r docs/measurements "$work/measurements"
    chmod -R u+w "$work/measurements"
    sed '2s/[0-9][0-9]*/7/' docs/measurements/energy.csv >"$work/measurements/energy.csv"
    "${PYTHON:-python3}" "$work/measurements/figures.py" --check >"$work/out" && fail "a changed CSV file goes unnoticed"
    grep -q 'energy.md is not' "$work/out" || fail "energy.csv was changed: $(cat "$work/out")"
    # A plot has a line for each N that its file has.
    echo 'mixed,10000000,1024,15000,,,,' >>"$work/measurements/direct-cuda.csv"
    (cd "$work/measurements" && "${PYTHON:-python3}" -c 'import figures, plots
for line in figures.lines_of(next(p for p in plots.PLOTS if p["file"] == "direct-cuda.svg")):
    print(line["label"], figures.points(line))') >"$work/out" 2>&1
    grep -qxF 'mixed, N = 10000000 [(1024.0, 15000.0)]' "$work/out" || fail "no line of another N: $(cat "$work/out")"
else
    echo "pages.sh: the tables of measurements are left out (no python3)"
fi

# ---- links.sh finds what is wrong ----
mkdir -p "$work/site/docs"
good='[a](docs/a.md) [b](docs/a.md#two-words-2nd) [c](https://nowhere.invalid/) `[d](none.md)`'
printf '# A\n\n```\n# None\n```\n\n## Two words: `2nd`\n[up](../README.md#top)\n' >"$work/site/docs/a.md"
wrong() { # a line more on the page, what links.sh must say ("": nothing)
    printf '# Top\n%s\n%s\n' "$good" "$1" >"$work/site/README.md"
    sh tests/docs/links.sh "$work/site" >"$work/out" 2>&1
    status=$?
    [ -n "$2" ] || [ "$status" = 0 ] || fail "good pages: $(cat "$work/out")"
    [ -z "$2" ] || { [ "$status" = 1 ] && grep -qF "$2" "$work/out"; } || fail "links.sh misses $1: $(cat "$work/out")"
}
wrong '' ''
wrong '[x](docs/b.md)' 'docs/b.md leads nowhere'
wrong '![x](docs/b.svg)' 'docs/b.svg leads nowhere'
wrong '[x](docs/a.md#none)' 'names no heading'
wrong '[x](#two-words-2nd)' 'names no heading'
echo '# B' >"$work/site/docs/b.md"
wrong '' 'no page links to: docs/b.md'
finish
