#!/bin/sh
# SPDX-License-Identifier: MIT
# Each link of a page of this repository to another file leads to a file, and to a heading where it
# names one; each page and picture of docs is linked from somewhere.
# usage: sh tests/docs/links.sh [FOLDER]     FOLDER: what to look at, by default this repository
. "$(dirname "$0")/../script.inc"
cd "${1:-$(dirname "$0")/../..}" || exit 1

# The pages, without build folders and what else begins with a point.
find . \( -name '.?*' -o -name 'build*' \) -prune -o -name '*.md' -print | sed 's/^\.\///' | sort >"$work/pages"
[ -s "$work/pages" ] || fail "no pages here"

# "page target" for each link of a page, which may go over the end of a line; code is no link.
links() {
    awk -v page="$1" '
        /^ *```/ { code = !code; next }
        !code { text = text " " $0 }
        END {
            gsub(/`[^`]*`/, "", text)
            while (match(text, /\]\([^ ()]*\)/)) {
                print page, substr(text, RSTART + 2, RLENGTH - 3)
                text = substr(text, RSTART + RLENGTH)
            }
        }' "$1"
}
# The anchors that the headings of a page have: small letters, blanks become hyphens, most other signs go.
anchors() {
    awk '/^ *```/ { code = !code; next }
        !code && /^#+ / {
            sub(/^#+ */, ""); $0 = tolower($0); gsub(/[^a-z0-9 _-]/, ""); gsub(/ /, "-")
            print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
        }' "$1"
}

while read -r page; do links "$page"; done <"$work/pages" >"$work/links"
[ -s "$work/links" ] || fail "no links on these pages"
: >"$work/reached"
while read -r page target; do
    case $target in *://* | mailto:*) continue ;; esac
    file=${target%%#*} folder=$(dirname "$page")
    path=$page
    [ -z "$file" ] || path=$folder/$file
    if [ ! -e "$path" ]; then
        fail "$page: $target leads nowhere"
        continue
    fi
    (cd "$(dirname "$path")" && echo "$(pwd -P)/$(basename "$path")") >>"$work/reached"
    case $target in *'#'*) ;; *) continue ;; esac
    anchors "$path" | grep -qxF -e "${target#*#}" || fail "$page: $target names no heading of $path"
done <"$work/links"

if [ -d docs ]; then
    find docs -name '*.md' -o -name '*.svg' -o -name '*.png' | while read -r file; do
        grep -qxF "$(pwd -P)/$file" "$work/reached" || echo "$file"
    done >"$work/lost"
    [ ! -s "$work/lost" ] || fail "no page links to: $(tr '\n' ' ' <"$work/lost")"
fi
finish
