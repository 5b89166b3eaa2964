#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/start.md: its commands run, in its order, and print what the page shows.  Numbers, names of
# devices and paths may differ; "..." stands for any lines.  Commands that build or install are left
# out, and those of Python where it lacks h5py or matplotlib.
. "$(dirname "$0")/../script.inc"
page=$PWD/docs/start.md
case $B in /*) build=$B ;; *) build=$PWD/$B ;; esac
for tool in g6info g6bench g6run; do [ -x "$build/bin/$tool" ] || skip "$tool was not built"; done
find_python numpy h5py matplotlib || python=
mkdir "$work/tree" "$work/bin"
for part in include examples; do ln -s "$PWD/$part" "$work/tree/$part"; done
ln -s "$build" "$work/tree/build"
ln -s "$(command -v "${CC%% *}")" "$work/bin/cc"
export G6_BACKEND=cpu MPLCONFIGDIR="$work/bin" PATH="$work/bin:$PATH"
cd "$work/tree" || exit 1

# What a machine may change becomes one letter.
plain() {
    sed -E '/^Matplotlib is building/d
        s/device [^,]*(\([^)]*\))?, precision/device, precision/; s/^    0  .*/    0  DEVICE/
        s/instruction set [a-z0-9]*/instruction set/; s|/[^ ]*/build/|build/|
        s/[-+]?[0-9][0-9.]*(e[-+]?[0-9]+)?/N/g; s/ +/ /g; s/ $//'
}
# Whether the lines of a file match those of a page, where "..." is any number of lines.
matches() { # page, file
    awk 'NR == FNR { want[++n] = $0; next }
        { have[++m] = $0 }
        END {
            for (k = at = 1; k <= n; k++) {
                if (want[k] == "...") { free = 1; continue }
                while (free && at <= m && have[at] != want[k]) at++
                if (have[at] != want[k]) { print "not printed: " want[k]; exit 1 }
                at++; free = 0
            }
            if (!free && at <= m) { print "not on the page: " have[at]; exit 1 }
        }' "$1" "$2"
}
try() { # the number of a command; its lines are in command.N and page.N
    command=$(cat "$work/command.$1")
    case $command in
    git* | make* | sudo*) return ;;
    python3*)
        [ -n "$python" ] || return
        command="$python ${command#python3 }"
        ;;
    esac
    sh -c "$command" >"$work/out" 2>&1 || fail "$command: status $?: $(cat "$work/out")"
    plain <"$work/out" >"$work/have"
    plain <"$work/page.$1" >"$work/want"
    matches "$work/want" "$work/have" >"$work/why" || fail "$command: $(cat "$work/why")"
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
