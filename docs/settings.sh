#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/settings.md with its table made from what the library says of its settings, by g6info.  The
# table follows the line "<!-- settings -->" and is replaced.
# usage: sh docs/settings.sh FOLDER_OF_TOOLS PAGE > NEW_PAGE
set -eu
table=$(mktemp)
trap 'rm -f "$table"' EXIT
# Without any variable of the user each value is the default.
env -i PATH="$PATH" "$1/g6info" 2>/dev/null | awk '
    function row() { if (name) print "| " name " | " values " | " value " | " text " |" }
    BEGIN { print "| variable | values | default | meaning |\n|---|---|---|---|" }
    /^Settings in force/ { on = 1; next }
    /^$/ { on = 0 }
    on && /^  G6_/ {
        row(); name = $1; value = $3; text = ""
        if (value == "(empty)") value = ""
        values = $0; sub(/^  G6_[A-Z_]* *= [^ ]* *\(/, "", values); sub(/\)$/, "", values)
        # The library shows the number that auto stands for.
        if (values ~ /^auto, or / && value ~ /^[0-9]/) value = "auto"
        next
    }
    on { sub(/^ */, ""); gsub(/\|/, "\\|"); text = text (text ? " " : "") $0 }
    END { row() }' >"$table"
grep -q G6_BACKEND "$table" || { echo "settings.sh: $1/g6info lists no settings" >&2; exit 1; }
awk -v table="$table" '
    skip && (/^\|/ || /^$/) { next }
    skip { print ""; skip = 0 }
    { print }
    $0 == "<!-- settings -->" { print ""; while ((getline line < table) > 0) print line; skip = 1 }' "$2"
