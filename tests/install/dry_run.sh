#!/bin/sh
# SPDX-License-Identifier: MIT
# `make -n test` says what it would run, and runs none of it.  Neither `make` nor `make test` installs packages.
# make of g6test alone makes the programs that g6test starts.  make shows a counter of the files that it compiles, V=1
# the commands.  A compiler that is not there gets one line of make's own.
. "$(dirname "$0")/../script.inc"

timeout 120 "$MAKE" --no-print-directory -n B="$B" all test >"$work/out" 2>&1 || fail "status $?: $(tail -n 3 "$work/out")"
grep -q '^sh tests/run.sh .*g6test' "$work/out" || fail "no line of tests/run.sh: $(tail -n 3 "$work/out")"
grep -q '^== part' "$work/out" && fail "the tests were run"
HOME=$work "$MAKE" --no-print-directory -n B="$B" PREFIX='~/p' DESTDIR='~/d' MANDIR='~/m' \
    MODULES_FOLDER='~/o' BASH_FOLDER='~/b' ZSH_FOLDER='~/z' install >"$work/install" 2>&1
grep -q "^install .* $work/d$work/p/bin\$" "$work/install" || fail "PREFIX=~/p DESTDIR=~/d: $(grep -m1 '^install -d' "$work/install")"
grep '~' "$work/install" && fail "a ~ is kept"
for empty in PREFIX B; do
    "$MAKE" --no-print-directory -n $empty= install 2>&1 | grep -q "$empty is empty: name a folder" || fail "$empty= is taken"
done
grep -Eq 'apt-get|tools/setup.sh' "$work/out" && fail "packages would be installed: $(grep -E 'apt-get|setup.sh' "$work/out")"
# g6test alone comes with the program that it starts.
"$MAKE" --no-print-directory -n B="$work/b" "$work/b/bin/g6test" >"$work/out" 2>&1
grep -q -e "-o $work/b/bin/g6test-probe" "$work/out" || fail "make .../g6test builds no g6test-probe"

# No flag of the user's lets the compiler drop NaN or the rounding of sums.
"$MAKE" --no-print-directory -n V=1 B="$work/b" OPT=-Ofast CXXFLAGS=-ffast-math "$work/b/obj/libg6gpu/base/fork.o" >"$work/out" 2>&1
grep -q -e ' -Ofast .* -ffast-math .* *-fno-fast-math .* -c ' "$work/out" || fail "-Ofast holds: $(cat "$work/out")"

# A compiler that takes no time.
cat >"$work/compiler" <<'END'
#!/bin/sh
case "$*" in
*' -c '*.cpp\ -o\ *) for word; do output=$word; done; : >"$output" ;;
*) exec g++ "$@" ;;
esac
END
chmod +x "$work/compiler"
counted() { # settings of make
    "$MAKE" --no-print-directory -j2 B="$work/c" CXX="$work/compiler" NVCC= OPENCL= MPI= "$@" \
        "$work/c/obj/libg6gpu/base/fork.o" "$work/c/obj/tools/common/text.o" >"$work/out" 2>&1 ||
        fail "$*: status $?: $(cat "$work/out")"
}
counted
[ "$(sort "$work/out")" = "  1 of 2  libg6gpu/base/fork.cpp
  2 of 2  tools/common/text.cpp" ] || fail "make shows: $(cat "$work/out")"
counted
[ ! -s "$work/out" ] || fail "nothing to do: $(cat "$work/out")"
rm "$work/c/obj/tools/common/text.o"
counted
[ "$(cat "$work/out")" = "  1 of 1  tools/common/text.cpp" ] || fail "make shows: $(cat "$work/out")"
counted -s -B
[ ! -s "$work/out" ] || fail "make -s shows: $(cat "$work/out")"
counted -B V=1
[ "$(grep -c "^$work/compiler .* -c .*\.cpp -o " "$work/out")" = 2 ] || fail "V=1 shows: $(cat "$work/out")"
grep -q ' of 2 ' "$work/out" && fail "V=1 shows a counter: $(cat "$work/out")"

# Programs that are not there.
none="CXX=$work/none CC=$work/none FC=$work/none PYTHON=$work/none MPICXX=$work/none NVCC=$work/none NVARCH=all-major"
"$MAKE" --no-print-directory B="$work/d" $none help >"$work/out" 2>"$work/err" || fail "help: status $?"
[ ! -s "$work/err" ] || fail "make help without compilers: $(cat "$work/err")"
without() { # message, settings of make
    want=$1
    shift
    "$MAKE" --no-print-directory B="$work/d" "$@" all >"$work/out" 2>"$work/err" && fail "$*: status 0"
    [ "$(grep -v '^make' "$work/out" "$work/err" | grep -v ':left out')" = "$work/out:$want" ] ||
        fail "$*: $(cat "$work/out" "$work/err")"
    ! grep -qs "$work/none" "$work/d/cuda-choice.txt" || fail "$*: chosen for later calls, too"
}
without "no C++ compiler: $work/none cannot be started (Debian: apt install g++)" CXX="$work/none" NVCC=
without "no nvcc: $work/none cannot be started (NVCC=FILE names another, NVCC= leaves CUDA out)" NVCC="$work/none"
finish
