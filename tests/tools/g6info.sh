#!/bin/sh
# SPDX-License-Identifier: MIT
# g6info: the page, its exit status, and the refusal of wrong options.
. "$(dirname "$0")/../script.inc"
here=$(dirname "$0")
info=$B/bin/g6info
header=$here/../../include/g6lib.h
number() { sed -n "s/^#define G6_VERSION_$1 //p" "$header"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)

page=$(G6_BACKEND=cpu "$info" 2>&1) || fail "status $? although the cpu computes"
has() { printf '%s\n' "$page" | grep -q -e "$1" || fail "the page lacks: $1"; }
has "^libg6gpu $version\$"
has "^  npipes   48\$"
has "^  cpu      1 device"
has "^  G6_PRECISION  *= mixed "
has "^In use: cpu; a test force is right\.\$"

# A backend without a file is named, too: the user asks why the GPU is not used.
page=$(G6_BACKEND=cpu G6_BACKEND_DIR="$work" "$info")
has "^  cuda     not there: .*g6_cuda.so"
[ ! -e "$B/lib/g6gpu/g6_opencl.so" ] || { page=$(G6_BACKEND=opencl OCL_ICD_VENDORS="$work" OCL_ICD_FILENAMES= "$info" 2>&1)
    has "no OpenCL platform (no driver's .icd file in $work)"; }

# The environment rules.
page=$(G6_BACKEND=cpu G6_PRECISION=double G6_PROFILE=grape6 "$info")
has "^  G6_PRECISION  *= double "
has "^  npipes   48\$"

# A value that does not parse is named with the allowed ones; the default goes on.
page=$(G6_BACKEND=cpu G6_PRECISION=tripel "$info" 2>/dev/null) || fail "a bad setting must not be fatal"
has "G6_PRECISION=tripel"
has "^  G6_PRECISION  *= mixed "

# A misspelt variable is named.
page=$(G6_BACKEND=cpu G6_PRECISIONS=double G6_Mode=treewalk "$info" 2>/dev/null) || fail "an unknown variable must not be fatal"
has "G6_PRECISIONS is no setting"
has "G6_Mode is no setting; the variable is G6_MODE"

[ "$("$info" --version)" = "g6info $version" ] || fail "--version"
"$info" --help | grep -q '^Usage: g6info' || fail "--help"
text=$("$info" --nonsense 2>&1 >/dev/null)
[ $? = 2 ] || fail "a wrong option must give status 2"
case $text in *--nonsense*) ;; *) fail "the message does not name the wrong option: $text" ;; esac

# ---- settings that are not in force ----
names_settings "$info"
text=$(G6_LOG=none G6_BACKEND=cpu G6_MULTIPOLE=2 "$info" --strict 2>&1 >/dev/null)
[ $? = 2 ] || fail "G6_MULTIPOLE without a tree: --strict must give status 2"
[ "$text" = "g6info: G6_MULTIPOLE has no effect: direct sums have no tree; G6_MODE=treewalk has" ] ||
    fail "G6_MULTIPOLE without a tree: $text"
G6_BACKEND=cpu G6_MODE=treewalk G6_MULTIPOLE=2 "$info" --strict >/dev/null 2>&1 || fail "G6_MULTIPOLE: status $?"

# How blocks are divided: with several devices only.
table() { # settings; the rows of the table
    env "$@" "$info" 2>/dev/null | awk '/^Devices, of [0-9]+, that share/ { on = 1 } on'
}
[ -z "$(table G6_BACKEND=cpu)" ] || fail "one device: $(table G6_BACKEND=cpu)"
fakes=$PWD/$B/test-backends/fakes
[ "${B#/}" = "$B" ] || fakes=$B/test-backends/fakes
if [ -e "$fakes/g6_fake.so" ]; then
    # Fake devices tell no speed, so that each one that gets 32 i-particles takes part.
    cat >"$work/expected" <<'END'
Devices, of 4, that share a block of n i-particles over N j-particles
          N     n = 16    n = 256   n = 1024  n = 16384      n = N
      16384          1          4          4          4          4
     131072          1          4          4          4          4
    1048576          1          4          4          4          4
END
    table G6_BACKEND_DIR="$fakes" G6_BACKEND=fake G6_DEVICES=all >"$work/table"
    cmp -s "$work/expected" "$work/table" || fail "four fake devices: $(cat "$work/table")"
    [ -z "$(table G6_BACKEND_DIR="$fakes" G6_BACKEND=fake G6_DEVICES=2)" ] || fail "a table for one of four devices"
else
    echo "g6info.sh: four devices are left out (the fake backend was not built)"
fi
# PoCL shows its processor as often as it is told.
export POCL_DEVICES="pthread pthread"
if "$info" 2>/dev/null | grep -q '^  opencl *2 devices'; then
    # Two devices compute N = n = 1048576: 1e12 pairs take seconds.  16 i-particles are too few to share.
    table G6_BACKEND=opencl G6_DEVICES=all >"$work/table"
    awk '/^ *[0-9]/ { rows++; good += NF == 6 && $2 == 1 && ($1 < 1048576 || $6 == 2) }
         END { exit !(rows == 3 && good == 3) }' "$work/table" || fail "two OpenCL devices: $(cat "$work/table")"
    # One device walks the host's tree.
    table G6_BACKEND=opencl G6_DEVICES=0,1 G6_MODE=treewalk G6_DIRECT=0 >"$work/table"
    awk '/^ *[0-9]/ { for (k = 2; k <= NF; k++) ones += $k == 1 } END { exit ones != 15 }' "$work/table" ||
        fail "walks on two OpenCL devices: $(cat "$work/table")"
    [ -z "$(table G6_BACKEND=opencl)" ] || fail "a table for one of two OpenCL devices"
else
    echo "g6info.sh: two OpenCL devices are left out (PoCL is not here)"
fi
unset POCL_DEVICES

for option in "" --help --version; do disk_full "$info" $option; done
finish
