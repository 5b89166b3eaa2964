#!/bin/sh
# SPDX-License-Identifier: MIT
# The first hour on bare machines: makes a root of each Debian release with nothing but apt and make,
# and there does what the README says.  Then it installs the Debian package on a second bare root,
# which has no compiler.  At the end it prints a table of times.  Not a part of make check.
# Needs root, mmdebstrap, a package mirror, and up to 4 GB in TMPDIR for each release.
# usage: sh tests/install/bare_roots.sh [RELEASE...]        RELEASE: 12, 13; default: both
#   PARTS="demo check install deb"    parts to do; check takes most of the time.  container: the shell commands of
#                                     packaging/container
#   MIRROR=URL                        default: the Debian mirror of this machine's apt
#   KEEP=1                            keeps the roots
set -u
B=${B:-build}
parts=${PARTS:-demo check install deb}
[ $# -gt 0 ] || set -- 12 13
stop() {
    echo "bare_roots.sh: $*" >&2
    exit 2
}
[ "$(id -u)" = 0 ] || stop "needs root, for chroot"
command -v mmdebstrap >/dev/null 2>&1 || stop "needs mmdebstrap (Debian: mmdebstrap)"
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep '/debian/*$' | head -n 1)}
[ -n "$mirror" ] || stop "this machine's apt has no Debian mirror; give one as MIRROR=URL"
git rev-parse HEAD >/dev/null 2>&1 || stop "needs a git checkout"
[ -z "$(git status --porcelain)" ] || echo "bare_roots.sh: changes that are not committed are left out"

logs=$(mkdir -p "$B/bare-roots" && cd "$B/bare-roots" && pwd) || exit 2
table=$logs/table.txt
rm -f "$logs"/*
work=$(mktemp -d "${TMPDIR:-/tmp}/bare_roots.XXXXXX") || exit 2
leave() {
    if [ "${KEEP:-0}" = 1 ]; then echo "kept: $work"; else rm -rf --one-file-system "$work"; fi
}
trap leave EXIT
trap 'exit 130' INT TERM

packages() { dpkg-query --admindir="$1/var/lib/dpkg" -W 2>/dev/null | wc -l; }

# Runs a command in a root, in a mount namespace of its own, so that no mount outlives it.
inside() { # root, shell command
    # shellcheck disable=SC2016  # for the inner shell
    unshare --mount sh -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" || exit 1
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            LC_ALL=C DEBIAN_FRONTEND=noninteractive chroot "$1" sh -c "$2"' inside "$1" "$2" </dev/null
}

# One row of the table: wall time, processor time and number of new packages of a step.
step() { # name, root (or - for this machine), shell command
    name=$1 root=$2 command=$3 log=$logs/$release-$(echo "$1" | tr ' /' '__').txt
    echo "== Debian $release: $name"
    have=$(packages "$root") begin=$(date +%s) result=good
    (
        if [ "$root" = - ]; then sh -c "$command"; else inside "$root" "$command"; fi >"$log" 2>&1
        status=$?
        times >"$work/times"
        exit $status
    ) || result=FAILED
    # The second line of times: user and system time of the children, as 1m2.34s.
    processor=$(sed -n '2{s/[ms]/ /g;p}' "$work/times" | awk '{ printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }')
    printf '%-8s %-34s %7d %12d %9d  %s\n' "$release" "$name" $(($(date +%s) - begin)) "$processor" \
        $(($(packages "$root") - have)) "$result" | tee -a "$table"
    [ "$result" = good ] && return
    failed=$((failed + 1))
    tail -n 15 "$log" | sed 's/^/    /'
    return 1
}

bare_root() { # folder
    step "bare root" - "mmdebstrap --quiet --variant=apt --include=make --components=main $suite $1 $mirror"
}

# shellcheck disable=SC2016  # the steps' own variables
one_release() {
    build=$work/$release-build user=$work/$release-user
    bare_root "$build" || return
    cp -a "$build" "$user"
    mkdir "$build/src" && git archive HEAD | tar -x -C "$build/src" || stop "no sources in $build"
    for part in $parts; do
        case $part in
        demo) step "make demo" "$build" 'cd /src && make demo' ;;
        check) step "make check" "$build" 'cd /src && make check' ;;
        install)
            step "make install" "$build" 'cd /src && make install' &&
                step "a program with it" "$build" 'cd /src && g6info && cc examples/two_body.c -o /src/two_body -lg6gpu -lm &&
                    /src/two_body && cd / && rm /src/two_body' &&
                step "make uninstall" "$build" 'cd /src && make uninstall &&
                    left=$(find /usr/local -name "*g6*") && echo "left: $left" && test -z "$left"'
            ;;
        deb)
            step "apt install dpkg-dev" "$build" 'apt-get update && apt-get install -y --no-install-recommends dpkg-dev' &&
                step "make deb" "$build" 'cd /src && make deb' || return
            step "a program with the package" "$build" 'cd /src && dpkg -i build/deb/libg6gpu_*.deb &&
                cc examples/two_body.c -o /two_body -lg6gpu -lm && /two_body' || return
            cp "$build"/src/build/deb/libg6gpu_*.deb "$build/two_body" "$user/"
            step "package on a bare root" "$user" 'apt-get update && apt-get install -y --no-install-recommends ./libg6gpu_*.deb' &&
                step "g6info, the program, g6run there" "$user" 'g6info && /two_body &&
                    g6run --plummer 256 --eps 0.01 --t-end 0.125 --output /output' &&
                step "package removed" "$user" 'apt-get purge -y libg6gpu && rm -r /output /libg6gpu_*.deb &&
                    left=$(find / -xdev -name "g6*" -o -xdev -name "libg6*") && echo "left: $left" && test -z "$left"'
            ;;
        container)
            # Docker and Apptainer run these lines in the two images of packaging/container.
            step "the container's build" "$build" 'sh /src/packaging/container/build.sh build /src' || return
            mkdir -p "$user/deb" && cp "$build"/src/build/deb/libg6gpu_*.deb "$build/src/packaging/container/build.sh" "$user/deb/" &&
                step "the container's image" "$user" 'sh /deb/build.sh install /deb && rm -r /deb &&
                    g6run --plummer 256 --eps 0.01 --t-end 0.125 --output /output && g6plot /output &&
                    python3 -c "import g6gpu; g6gpu.Cluster()" && rm -r /output'
            ;;
        *) stop "no part is called $part" ;;
        esac
    done
}

failed=0
printf '%-8s %-34s %7s %12s %9s\n' release step 'wall s' 'processor s' packages >"$table"
for release; do
    case $release in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    *) stop "releases are 12 and 13" ;;
    esac
    one_release
    [ "${KEEP:-0}" = 1 ] || rm -rf --one-file-system "$work/$release-build" "$work/$release-user"
done
echo
cat "$table"
echo "logs: $logs"
[ "$failed" = 0 ]
