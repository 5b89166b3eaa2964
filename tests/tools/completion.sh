#!/bin/sh
# SPDX-License-Identifier: MIT
# Shell completion: bash offers every option that --help names and the words that an option takes;
# zsh accepts the files, and offers the same words.
. "$(dirname "$0")/../script.inc"
"$MAKE" --no-print-directory B="$B" completion >"$work/log" 2>&1 ||
    fail "make completion: $(tail -n 5 "$work/log")"
folder=$(cd "$B" && pwd)
command -v bash >/dev/null || skip "no bash"
: >"$work/file.hdf5"
mkdir "$work/folder"

offers() { # tool, the words of a command line; prints what bash offers for the last one
    bash -c 'cd "$1" && . "$2" && compopt() { :; }
        COMP_WORDS=("${@:3}") COMP_CWORD=$(($# - 3)) COMPREPLY=()
        "_$3" && printf "%s\n" "${COMPREPLY[@]}"' sh "$work" "$folder/completion/bash/$1" "$@" |
        tr '\n' ' ' | sed 's/ *$//'
}
expect() { # what is offered, the words
    want=$1
    shift
    got=$(offers "$@")
    [ "$got" = "$want" ] || fail "$*: \"$got\" is offered, not \"$want\""
}

for tool in g6info g6bench g6check g6run g6plot g6worker; do
    [ -x "$B/bin/$tool" ] || continue
    offers $tool - | tr ' ' '\n' | sort >"$work/offered"
    "$B/bin/$tool" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p' | tr , '\n' | sort >"$work/named"
    [ "$(wc -l <"$work/named")" -gt 3 ] && cmp -s "$work/offered" "$work/named" ||
        fail "$tool: $(diff "$work/offered" "$work/named")"
    ! command -v zsh >/dev/null || zsh -n "$B/completion/zsh/_$tool" || fail "zsh: _$tool"
done

expect '--strict' g6info --s
if [ -x "$B/bin/g6bench" ]; then
    expect '--precision' g6bench -N 1000 --prec
    expect 'mixed double single' g6bench --precision ''
    expect 'mixed,double' g6bench --precision mixed,d
    expect '' g6bench --seed ''
    expect 'file.hdf5' g6bench --lib fi
fi
if [ -x "$B/bin/g6run" ]; then
    expect '--eps --eps-type --eta --eta-start --eps-comoving-until' g6run --plummer 64 --e
    expect 'block' g6run --steps b
    expect 'file.hdf5' g6run --input fi
    expect 'file.hdf5' g6run --restart fi
    expect 'folder' g6run --restart fo
    expect 'file.hdf5' g6run --z-out fi
    expect '' g6run --output fi
    expect 'folder' g6run --output fo
    expect '' g6run --plummer ''
    expect '--plummer' g6run --overwrite --pl
fi
if [ -x "$B/bin/g6plot" ]; then
    expect 'x y z' g6plot map --axis ''
    expect 'disk,bulge disk,bndry' g6plot map --type disk,b
    expect 'file.hdf5' g6plot map fi
    expect 'folder' g6plot --raw fo
fi

# A zsh with a terminal of its own, where Tab is pressed: each read waits for what Tab completes.
if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty' 2>/dev/null && [ -x "$B/bin/g6run" ]; then
    cat >"$work/tab.zsh" <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
zpty -w -n shell $'g6run --overw\t'
zpty -r shell answer '*--overwrite*'
zpty -w -n shell $'--steps sh\t'
zpty -r shell answer '*--steps shared*' && print good
zpty -d shell
ZSH
    timeout 60 zsh -f "$work/tab.zsh" "$folder/completion/zsh" </dev/null >"$work/out" 2>&1
    grep -q good "$work/out" || fail "zsh: $(cat -v "$work/out")"
fi
finish
