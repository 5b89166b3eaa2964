#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/start.md: its commands run, in its order, and print what the page shows.  Numbers, names of
# devices and paths may differ; "..." stands for any lines.  Commands that build or install are left
# out, those of Fortran without gfortran, those of Python where it lacks h5py or matplotlib, and films
# without ffmpeg.  The
# Python package is tests/python's.
. "$(dirname "$0")/../script.inc"
. "$(dirname "$0")/../docs/printed.inc"
page=$PWD/docs/start.md
case $B in /*) build=$B ;; *) build=$PWD/$B ;; esac
for tool in g6info g6bench g6run; do [ -x "$build/bin/$tool" ] || skip "$tool was not built"; done
find_python numpy h5py matplotlib || python=
mkdir "$work/tree" "$work/bin"
for part in include examples fortran; do ln -s "$PWD/$part" "$work/tree/$part"; done
ln -s "$build" "$work/tree/build"
ln -s "$(command -v "${CC%% *}")" "$work/bin/cc"
export G6_BACKEND=cpu PYTHON="$python" MPLCONFIGDIR="$work/bin" PATH="$work/bin:$PATH"
cd "$work/tree" || exit 1

try() { # the number of a command; its lines are in command.N and page.N
    command=$(cat "$work/command.$1")
    case $command in
    git* | make* | sudo* | PYTHONPATH*) return ;;
    gfortran*) command -v gfortran >/dev/null 2>&1 || return ;;
    *g6plot*)
        [ -n "$python" ] && [ -x "$build/bin/g6plot" ] || return
        case $command in *film*) command -v ffmpeg >/dev/null 2>&1 || return ;; esac
        ;;
    python3*)
        [ -n "$python" ] || return
        command="$python ${command#python3 }"
        ;;
    esac
    sh -c "$command" >"$work/out" 2>&1 || fail "$command: status $?: $(cat "$work/out")"
    plain <"$work/out" >"$work/have"
    plain <"$work/page.$1" >"$work/want"
    matches "$work/want" "$work/have" >"$work/why" || fail "$command: $(cat "$work/why")"
    # The largest energy error depends on the instruction set in its digits, not in its size.
    grep -h '^# max |dE/E| = ' "$work/page.$1" "$work/out" >"$work/errors"
    awk '{ e[NR] = $5 } END { exit NR == 2 && (e[1] > 2 * e[2] || e[2] > 2 * e[1]) }' "$work/errors" ||
        fail "$command: $(cat "$work/errors")"
    tried=$((tried + 1))
}

awk -v work="$work" '/^```/ { on = !on; next }
    on && /^\$ / { n++; print substr($0, 3) > (work "/command." n); printf "" > (work "/page." n); next }
    on && n { print > (work "/page." n) }' "$page"
tried=0 number=1
while [ -e "$work/command.$number" ]; do
    try $number
    number=$((number + 1))
done
[ "$tried" -ge 9 ] || fail "only $tried commands of the page were tried"
finish
