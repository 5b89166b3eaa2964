#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source file is as clang-format 14 leaves it (.clang-format); `make format` makes it so.  Other versions break
# lines in other places, so that without this one the test is left out.
# usage: sh tests/format.sh
. "$(dirname "$0")/script.inc"
cd "$(dirname "$0")/.." || exit 1
if ! command -v clang-format-14 >/dev/null 2>&1; then
    echo "format: skipped, there is no clang-format-14"
    exit 0
fi
find include libg6gpu fortran backends tools examples tests -name '*.h' -o -name '*.cpp' -o -name '*.c' -o -name '*.cu' -o \
    -name '*.cuh' -o -name '*.cl' >"$work/files"
[ "$(wc -l <"$work/files")" -gt 600 ] || fail "only $(wc -l <"$work/files") source files were found"
xargs clang-format-14 --dry-run -Werror <"$work/files" 2>"$work/wrong" ||
    fail "make format changes lines of: $(sed -n 's/^\([^:]*\):.*code should be clang-formatted.*/\1/p' "$work/wrong" | sort -u | tr '\n' ' ')"
[ -s "$work/wrong" ] && cat "$work/wrong"
# clang-format leaves the lines of comments as they are.
xargs awk 'length($0) > 100 && /^ *\/\/ / { print FILENAME ":" FNR }' <"$work/files" >"$work/long"
[ -s "$work/long" ] && fail "comments of more than 100 columns: $(tr '\n' ' ' <"$work/long")"
finish
