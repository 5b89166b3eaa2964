#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands on the pages for users run, in the order of each page, and those with output print what the page shows.
# (docs/python.md has tests/python/pytest.sh.)  Options of our programs and targets of make that the text of a page names
# exist.
#
# A command is a line behind "$ " in a block of code, or a block that begins with ```sh.  Comments in front of a block,
# which the site does not show, say what this machine cannot do:
#     <!-- not run: WHY -->              the block
#     <!-- not run (TEXT): WHY -->       lines with this text
#     <!-- smaller (OLD => NEW): WHY --> NEW is run in place of OLD
#     <!-- other output: WHY -->         what it prints is not compared
# Each page has a folder of its own, in which my_code is a client, my_code.c and its like are its sources, and the folders
# of this repository are links.  Building, installing and being root are left out: tests/install and tests/link have them.
# So is what Fortran, Python or ffmpeg does where they are missing.
. "$(dirname "$0")/../script.inc"
pages="start install gpus tools initial-conditions settings modes moving linking trace grape5 debug troubleshooting opencl machines clients amuse"
case $B in /*) build=$B ;; *) build=$PWD/$B ;; esac
[ -z "${SAN:-}" ] || skip "clients of the pages have no sanitizer"
for tool in g6info g6bench g6run g6check; do [ -x "$build/bin/$tool" ] || skip "$tool was not built"; done
find_python numpy h5py matplotlib && export PYTHON="$python" || python=
has() { command -v "$1" >/dev/null 2>&1; }
top=$PWD docs=$PWD/docs

# What is installed, and programs that do nothing.
mkdir -p "$work/prefix/lib/pkgconfig" "$work/bin"
mkdir "$work/prefix/include"
for file in include/*.h fortran/g6lib.f90; do ln -s "$top/$file" "$work/prefix/include/"; done
for file in "$build"/lib/*; do ln -s "$file" "$work/prefix/lib/"; done
ln -s libg6gpu.so "$work/prefix/lib/libpg5.so"
stubs="make sudo"
has gfortran && fortran=yes || fortran= stubs="$stubs gfortran"
for stub in $stubs; do printf '#!/bin/sh\n' >"$work/bin/$stub" && chmod +x "$work/bin/$stub"; done
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$work/bin/python3" && chmod +x "$work/bin/python3"
ln -s "$(command -v "${CC%% *}")" "$work/bin/cc"
libraries=$("$MAKE" --no-print-directory -f Makefile -f - B="$B" archive-libs <<'END'
archive-libs: ; @echo $(ARCHIVE_LIBS)
END
)
printf '#!/bin/sh\necho %s\n' "$libraries" >"$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
export G6_BACKEND=cpu MPLCONFIGDIR="$work/bin" PATH="$work/bin:$build/bin:$PATH" LC_ALL=C
export CPATH="$work/prefix/include" LIBRARY_PATH="$work/prefix/lib" LD_LIBRARY_PATH="$work/prefix/lib"
cp examples/two_body.c "$work/my_code.c"
"${CC%% *}" "$work/my_code.c" -o "$work/bin/my_code" -lg6gpu -lm || fail "my_code.c"

# A page as files N.command, N.page (what it prints), N.kind (sh or $) and N.marks.
take_apart() { # page, folder
    awk -v to="$2" '
        function begin(kind) { n++; printf "" > (to "/" n ".page"); print kind > (to "/" n ".kind"); printf "%s", marks > (to "/" n ".marks") }
        !code && /^<!-- / { marks = marks $0 "\n"; next }
        !code && /^ *```/ { code = 1; shell = /```sh/; if (shell) begin("sh"); next }
        code && /^ *```/ { code = 0; marks = ""; next }
        code && shell { print > (to "/" n ".command"); next }
        code && /^\$ / { begin("$"); print substr($0, 3) > (to "/" n ".command"); shown = 1; next }
        code { if (n && shown) print > (to "/" n ".page"); next }
        NF { marks = ""; shown = 0 }' "$1"
}
# The command of a file after its marks: nothing when all of it is left out.
marked() { # folder/N
    awk -v marks="$1.marks" '
        BEGIN {
            while ((getline line < marks) > 0) {
                if (match(line, /^<!-- not run: /)) none = 1
                inside = line; sub(/^[^(]*\(/, "", inside); sub(/\): .*/, "", inside)
                if (line ~ /^<!-- not run \(/) skip[++s] = inside
                if (line ~ /^<!-- smaller \(/) { split(inside, two, " => "); old[++o] = two[1]; new[o] = two[2] }
            }
        }
        none { next }
        {
            for (k = 1; k <= s; k++) if (index($0, skip[k])) { used[k] = 1; next }
            for (k = 1; k <= o; k++) if (at = index($0, old[k])) {
                $0 = substr($0, 1, at - 1) new[k] substr($0, at + length(old[k])); done[k] = 1
            }
            print
        }
        END {
            for (k = 1; k <= s; k++) if (!used[k]) print "echo no line has the text of a mark: " skip[k] "; exit 1"
            for (k = 1; k <= o; k++) if (!done[k]) print "echo no line has the text of a mark: " old[k] "; exit 1"
        }' "$1.command"
}
# What a machine may change becomes one letter.
plain() {
    sed -E '/^Matplotlib is building/d
        s/device [^,]*(\([^)]*\))?, precision/device, precision/; s/^    0  .*/    0  DEVICE/
        s/instruction set [a-z0-9]*/instruction set/; s|/.*(/lib/libg6gpu)|FOLDER\1|; s|/[^ ]*/build/|build/|
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
run_page() { # page
    mkdir -p "$work/$1/parts" "$work/$1/run"
    take_apart "$docs/$1.md" "$work/$1/parts"
    cp "$work/my_code.c" "$work/$1/run"
    cp "$top/examples/two_body.f" "$work/$1/run/my.f"
    cp "$top/examples/cluster.f90" "$work/$1/run/my.f90"
    cp "$top/examples/own_names.cpp" "$work/$1/run/my_code.cc"
    for folder in include examples fortran; do ln -s "$top/$folder" "$work/$1/run"; done
    ln -s "$build" "$work/$1/run/build"
    number=1
    while [ -e "$work/$1/parts/$number.kind" ]; do
        part=$work/$1/parts/$number
        marked "$part" | sed "s|/usr/local|$work/prefix|g" >"$part.sh"
        number=$((number + 1))
        [ -s "$part.sh" ] || continue
        case $(cat "$part.sh") in
        *g6plot*film*) has ffmpeg && [ -n "$python" ] || continue ;;
        *g6plot* | python3*) [ -n "$python" ] || continue ;;
        gfortran*) [ -n "$fortran" ] || continue ;;
        esac
        (cd "$work/$1/run" && sh -e "$part.sh") >"$part.out" 2>&1 ||
            { fail "docs/$1.md: $(cat "$part.sh"): $(tail -n 5 "$part.out")"; continue; }
        tried=$((tried + 1))
        [ "$(cat "$part.kind")" = sh ] && continue
        grep -q '^<!-- other output' "$part.marks" && continue
        plain <"$part.out" >"$part.have"
        plain <"$part.page" >"$part.want"
        matches "$part.want" "$part.have" >"$work/why" || fail "docs/$1.md: $(cat "$part.sh"): $(cat "$work/why")"
        # The largest energy error depends on the instruction set in its digits, not in its size.
        grep -q '^<!-- smaller' "$part.marks" || grep -h '^# max |dE/E| = ' "$part.page" "$part.out" |
            awk '{ e[NR] = $5 } END { exit NR == 2 && (e[1] > 2 * e[2] || e[2] > 2 * e[1]) }' ||
            fail "docs/$1.md: $(cat "$part.sh"): $(grep dE/E "$part.out")"
    done
}

# ---- what the text of a page names ----
for tool in g6info g6run g6bench g6check g6worker g6plot; do
    [ -x "$build/bin/$tool" ] || continue
    { "$build/bin/$tool" --help; [ $tool != g6plot ] || for verb in map film halos bench; do g6plot $verb --help; done; } >"$work/$tool.help" 2>&1
done
grep -hoE '^[a-zA-Z0-9_.-]+:' "$top/Makefile" "$top"/*/*.mk "$top"/*/*/*.mk 2>/dev/null | sort -u >"$work/targets"
grep -hE '^\.PHONY' "$top/Makefile" "$top"/*/*.mk | tr ' ' '\n' | sed 's/$/:/' >>"$work/targets"
names() { # page: options and targets in code within its text
    awk '/^ *```/ { code = !code; next } !code { text = text " " $0 }
        END { while (match(text, /`[^`]+`/)) { print substr(text, RSTART + 1, RLENGTH - 2); text = substr(text, RSTART + RLENGTH) } }' \
        "$docs/$1.md" | while read -r code; do
        set -f
        tool=
        for word in $code; do
            case $word in
            g6info | g6run | g6bench | g6check | g6worker | g6plot) tool=$word ;;
            make) tool=make ;;
            :) tool= ;;
            --*) [ -z "$tool" ] || [ "$tool" = make ] || [ ! -s "$work/$tool.help" ] ||
                grep -q -e "${word%%=*}" "$work/$tool.help" || echo "$code: $tool has no ${word%%=*}" ;;
            -C) tool= ;;
            *=*) ;;
            [a-z]*) [ "$tool" != make ] || grep -qx "$word:" "$work/targets" || echo "$code: no target $word" ;;
            *) ;;
            esac
        done
    done
}

# ---- faults are found ----
docs=$work/docs tried=0
mkdir "$docs"
finds() { # name, a page, what must be said ("": nothing)
    printf '%b' "$2" >"$docs/$1.md"
    (run_page "$1" && names "$1") >"$work/said" 2>&1
    [ -z "$3" ] || grep -qF -e "$3" "$work/said" || fail "$1 goes unnoticed: $(cat "$work/said")"
    [ -n "$3" ] || [ ! -s "$work/said" ] || fail "$1: $(cat "$work/said")"
}
finds good '<!-- not run (none): x -->\n```sh\nG6_DEBUG= my_code\nnone\n```\n`g6run --seed 3` `make install`\n```\n$ echo 1 a\n2 a\n```\n' ''
finds wrong-command '```sh\nno_such_program\n```\n' 'no_such_program'
finds wrong-output '```\n$ echo a\nb\n```\n' 'not printed: b'
finds wrong-mark '<!-- not run (absent): x -->\n```sh\nmy_code\n```\n' 'no line has the text'
finds wrong-option 'Text `g6run --sead 3`.\n' 'g6run has no --sead'
finds wrong-target 'Text `make instal`.\n' 'no target instal'

docs=$top/docs tried=0
for page in $pages; do
    run_page "$page"
    names "$page" >"$work/wrong"
    [ ! -s "$work/wrong" ] || fail "docs/$page.md: $(cat "$work/wrong")"
done
[ "$tried" -ge 20 ] || fail "only $tried commands of the pages were tried"
[ -z "${VERBOSE:-}" ] || echo "commands.sh: $tried commands and blocks"
finish
