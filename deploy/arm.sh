#!/usr/bin/env bash
# Tries the companion on 64-bit Arm, without a Raspberry Pi: a Debian Trixie for arm64 is made and run by emulation, the
# installer runs in it, and it has to read the recorded pictures as this computer does. As root; an hour or more. A tool
# that is missing is a failure, not a skip.
#
#   sudo bash deploy/arm.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

MOST_APART=0.002 # of 1,183 cells one differs by 0.0013, at 0.56; all others by less than 0.001
PANEL=deploy/pi/examples/panels/display.toml

for tool in mmdebstrap arch-test qemu-aarch64-static git; do
  command -v "$tool" >/dev/null || stop "missing: $tool (sudo apt install mmdebstrap arch-test qemu-user-static binfmt-support git)"
done
[ "$(id -u)" -eq 0 ] || stop "a root file system is made: run it with sudo"

# The kernel has to start programs of arm64 by the emulator, also where the emulator's file is not (flag F). In a
# container that table may not even be mounted, and then dpkg fails.
BINFMT=/proc/sys/fs/binfmt_misc
emulation() {
  [ -e "$BINFMT/register" ] || mount -t binfmt_misc binfmt_misc "$BINFMT" ||
    stop "the kernel has no $BINFMT: modprobe binfmt_misc, or run this outside of a container"
  [ -e "$BINFMT/qemu-aarch64" ] || update-binfmts --enable qemu-aarch64 ||
    stop "qemu-aarch64 is not registered: sudo apt install binfmt-support qemu-user-static"
  grep -q '^flags:.*F' "$BINFMT/qemu-aarch64" || stop "qemu-aarch64 is registered without the flag F: reinstall qemu-user-static"
  arch-test arm64 >/dev/null || stop "programs of arm64 do not start here: see $BINFMT/qemu-aarch64"
}
emulation

export QEMU_CPU=cortex-a72 # the default processor of the emulation is eight times slower
set_up dev
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
say "a Trixie for arm64"
mmdebstrap --quiet --variant=minbase --architectures=arm64 --include=python3-venv,python3-numpy,ca-certificates trixie "$root"
mkdir -p "$root/companion"
git archive HEAD | tar -x -C "$root/companion"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" # this network's, whose packages pip takes

inside() { chroot "$root" bash -c "cd /companion && $1"; }

say "the installer"
inside "bash deploy/install.sh --no-start"

say "the recorded pictures"
pictures=$(find tests/recorded -name '*.jpg' | sort | tr '\n' ' ')
inside "companion read --json $pictures" >"$root/arm.jsonl" || true
# shellcheck disable=SC2086 # several files
.venv/bin/companion read --json $pictures >"$root/here.jsonl" || true
.venv/bin/python - "$root/here.jsonl" "$root/arm.jsonl" "$MOST_APART" <<'PYTHON'
import json
import sys

here, arm = ([json.loads(line) for line in open(name)] for name in sys.argv[1:3])
assert here and len(here) == len(arm), (len(here), len(arm))
for one, other in zip(here, arm):
    assert one["status"] == other["status"], one["image"]
    for cell, read in one.get("cells", {}).items():
        emulated = other["cells"][cell]
        assert read["label"] == emulated["label"], (one["image"], cell, read, emulated)
        apart = abs(read["confidence"] - emulated["confidence"])
        assert apart <= float(sys.argv[3]), (one["image"], cell, read, emulated)
print(f"{len(here)} pictures read alike")
PYTHON

say "an engine, a typed game and the panel"
inside "echo '{\"do\": \"new\", \"game\": \"royal-ur\", \"players\": [\"white\", \"black\"]}' | companion engine | head -n 1"
inside "printf 'roll\nquit\n' | companion play royal-ur --camera none --players white,black --journal /tmp/journal.sqlite3"
inside "companion panel test --simulated --yes --hardware $PANEL"
say "Arm answers as this computer does"
