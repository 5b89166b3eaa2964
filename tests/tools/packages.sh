#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/setup.sh with an apt-get that prints and installs nothing: setup.sh shows its progress while it works and waits
# while another apt holds the lock, and a failure of apt-get does not end make.
. "$(dirname "$0")/../script.inc"
setup=$PWD/tools/setup.sh
mkdir "$work/bin"
# Nothing is there but what every Debian has.
for tool in sh env id grep tail cat tee seq mktemp rm sed dirname awk mawk chmod printf; do
    path=$(command -v "$tool") && ln -s "$path" "$work/bin/$tool"
done
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/sleep"
# Locked as often as the file says; then 20 packages, the last of which waits for a file.
cat >"$work/bin/apt-get" <<END
#!/bin/sh
echo "\$*" >>"$work/calls"
if [ "\$1" = update ]; then
    read -r times <"$work/locked"
    [ "\$times" = 0 ] && exit 0
    echo \$((times - 1)) >"$work/locked"
    echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)' >&2
    exit 100
fi
[ -e "$work/broken" ] && { echo 'E: Unable to locate package'; exit 100; }
echo '0 upgraded, 20 newly installed, 0 to remove and 0 not upgraded.'
for k in \$(seq 20); do echo "Unpacking package\$k ..."; done
while [ ! -e "$work/seen" ]; do $(command -v sleep) 0.1; done
for k in \$(seq 20); do echo "Setting up package\$k ..."; done
END
chmod +x "$work/bin"/sudo "$work/bin/sleep" "$work/bin/apt-get"
run_setup() { env -i PATH="$work/bin" TMPDIR="$work" CXX=no-such-compiler "$@" sh "$setup" run >"$work/out" 2>&1; }

echo 3 >"$work/locked"
run_setup &
wait_until grep -q '20 of 20 packages unpacked' "$work/out" || fail "no progress while apt works: $(cat "$work/out")"
: >"$work/seen"
wait $! || fail "status $?"
grep -q 'waiting for another apt' "$work/out" || fail "not told that another apt is waited for: $(cat "$work/out")"
[ "$(grep -c '^update' "$work/calls")" = 4 ] || fail "calls: $(cat "$work/calls")"
grep -q '^install .*-o DPkg::Lock::Timeout=[1-9]' "$work/calls" || fail "install does not wait: $(cat "$work/calls")"
grep -q '^install .*--no-install-recommends.* g++ libcli11-dev libhdf5-dev' "$work/calls" || fail "installed: $(cat "$work/calls")"
tail -n 1 "$work/out" | grep -q '20 of 20 packages set up' || fail "last line: $(tail -n 1 "$work/out")"
ls "$work" | grep '^tmp' && fail "files are left"

# Python without matplotlib: one whose import fails.  That no picture will be drawn is said ahead of the build.
mkdir -p "$work/without"
echo 'raise ImportError("not there")' >"$work/without/matplotlib.py"
: >"$work/broken"
: >"$work/calls"
run_setup PYTHONPATH="$work/without" || fail "a failure of apt: status $?"
grep -q '^install .* python3-matplotlib' "$work/calls" || fail "installed: $(cat "$work/calls")"
tail -n 1 "$work/out" | grep -q '^the demo will not draw its run: .* matplotlib$' || fail "no picture: $(cat "$work/out")"
grep -q '^apt could not install:.* g++' "$work/out" || fail "a failure of apt: $(cat "$work/out")"
finish
