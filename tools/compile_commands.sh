#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints compile_commands.json, which clangd, clang-tidy and editors read, from the commands that make would run.
# usage: make -nB V=1 TARGET... | sh tools/compile_commands.sh
awk -v folder="$PWD" '
function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
match($0, / -c [^ ]+\.(c|cpp) /) {
    file = substr($0, RSTART + 4, RLENGTH - 5)
    printf "%s\n  {\"directory\": %s, \"file\": %s, \"command\": %s}", rows++ ? "," : "[", quoted(folder), quoted(file), quoted($0)
}
END { print rows ? "\n]" : "[]" }'
