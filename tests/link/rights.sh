#!/bin/sh
# SPDX-License-Identifier: MIT
# A process with more rights than the user who starts it takes no file name from the user.  Root gives a client the setuid
# bit, and another user starts it.  The client contains the archive, because the system does not look for a shared library
# in the build folder when it starts a setuid program.
. "$(dirname "$0")/../script.inc"
fake=$B/test-backends/fakes/g6_fake.so
[ -e "$fake" ] || skip "$fake was not built"
cat >"$work/client.c" <<'C'
#include <g6lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
/* "user": prints its effective user; another argument: starts itself under this name. */
int main(int argc, char **argv)
{
    struct g6_backend_info info = {0};
    int n;
    if (argc > 1 && !strcmp(argv[1], "user")) return printf("%d", (int)geteuid()) < 0;
    if (argc > 1) return execl(argv[0], argv[1], (char *)0);
    info.size = sizeof info;
    g6_open(0);
    printf("on %s, %d pipes", g6_backend_name(0), g6_npipes());
    for (n = 0; g6_get_backend_info(n, &info) == 0; n++)
        if (!strcmp(info.name, "fake")) printf(", fake %s", info.reason);
    return g6_close(0);
}
C
program=$work/client
# shellcheck disable=SC2086  # words
$CC -std=c99 -D_POSIX_C_SOURCE=200809L ${SAN:-} -Iinclude "$program.c" "$B/lib/libg6gpu.a" ${ARCHIVE_LIBS:--lstdc++ -ldl -lpthread -lm} -o "$program" ||
    { fail "the client does not link"; exit 1; }
# A backend beside the program, in the folder that a variable names, and beside a name of the program.
mkdir -p "$work/g6gpu" "$work/elsewhere/g6gpu"
for place in g6gpu elsewhere elsewhere/g6gpu; do cp "$fake" "$work/$place"; done
echo 'npipes = 96' >"$work/settings"
hostile="G6_BACKEND=fake G6_BACKEND_DIR=$work/elsewhere G6_CONFIG=$work/settings G6_TRACE=$work/trace"
says() { # what the program must say, then how it is started, in an environment of its own
    text=$1
    shift
    said=$(cd / && env -i "$@" 2>/dev/null) || fail "$*: status $?"
    [ "$said" = "$text" ] || fail "$*: '$said' is not '$text'"
}

# ---- the program's own rights ----
says "on fake, 96 pipes, fake " $hostile "$program"
[ -e "$work/trace" ] || fail "G6_TRACE without more rights: no file"
rm -f "$work/trace"
# Whoever starts a program chooses its name.
says "on fake, 48 pipes, fake " G6_BACKEND=fake "$program" "$work/elsewhere/client"
mv "$work/g6gpu" "$work/away"
says "on cpu, 48 pipes" G6_BACKEND=fake "$program" "$work/elsewhere/client"
mv "$work/away" "$work/g6gpu"

# ---- root's rights in the hands of another user ----
[ "$(id -u)" = 0 ] || { echo "$script: the setuid bit is left out, only root can give it"; finish; }
chmod -R a+rX "$work" && chmod 4755 "$program"
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$($as_nobody "$program" user 2>/dev/null)" = 0 ]; then
    says "on cpu, 48 pipes, fake not opened in a process with more rights than its user (AT_SECURE: setuid, setgid, \
capabilities): drivers load what variables of the user name" $hostile $as_nobody "$program"
    [ ! -e "$work/trace" ] || fail "G6_TRACE in a setuid program: a file"
else
    echo "$script: the setuid bit is left out, it has no effect on $work in this process"
fi
finish
