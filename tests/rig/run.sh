#!/usr/bin/env bash
# Installs the companion in a clean Debian, boots that on a kernel with pins and cameras, and tries there what needs them.
# Exit codes: 0 all held, 1 something did not, 77 the rig cannot be had on this machine (told in one sentence).
set -euo pipefail
rig=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$rig/../.." && pwd)
# shellcheck source=tests/rig/build.sh
. "$rig/build.sh"

main() {
  build
  work=$(mktemp -d "$CACHE/run.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  say "a fresh copy of the guest"
  cp -a "$CACHE/guest/." "$work"
  lay_in
  install_twice
  boot
  remove_again
  say "all held"
}

# The project as a checkout has it, and what is tried inside.
lay_in() {
  mkdir -p "$work/usr/src/companion" "$work/rig"
  tar --create --exclude-vcs --exclude-vcs-ignores --directory="$project" . |
    tar --extract --directory="$work/usr/src/companion"
  install -m 755 "$rig/inside/start.sh" "$work/rig/start.sh"
  install -m 644 "$rig/inside/rig.service" "$work/etc/systemd/system/rig.service"
  within "$work" systemctl -q enable rig.service
}

deploy() { within "$work" env PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels bash "/usr/src/companion/deploy/$1" "${@:2}"; }

install_twice() {
  say "deploy/install.sh in a clean Debian"
  deploy install.sh | tee "$work/rig/installed.log"
  say "and again: nothing may change"
  echo '# mine' >>"$work/etc/companion/companion.toml"
  deploy install.sh >"$work/rig/again.log"
  grep -q 'nothing to change' "$work/rig/again.log" || failed "a second run of install.sh changed: $(grep '^ +' "$work/rig/again.log")"
  grep -q '^# mine' "$work/etc/companion/companion.toml" || failed "install.sh has overwritten the configuration"
}

# With time-travel=inf-cpu time passes only while everybody waits, so that neither emulation nor a busy machine stretches a
# bounce. Without the tunable, glibc registers memory for restartable sequences that User-Mode Linux then takes from its processes.
boot() {
  say "booting"
  (cd "$work" && GLIBC_TUNABLES=glibc.pthread.rseq=0 timeout 1800 "$CACHE/kernel/linux" rootfstype=hostfs rootflags="$work" rw init=/sbin/init mem=1G \
    con=null con0=fd:0,fd:1 time-travel=inf-cpu quiet systemd.show_status=false loglevel=3 </dev/null) | tr -d '\r' || failed "the guest did not end by itself"
  [ "$(cat "$work/rig/status" 2>/dev/null)" = 0 ] || failed "what was tried inside did not hold: see above"
}

remove_again() {
  say "deploy/uninstall.sh keeps the games"
  deploy uninstall.sh
  [ ! -e "$work/opt/companion" ] || failed "uninstall.sh has left the program"
  [ -e "$work/var/lib/companion/journal.sqlite3" ] || failed "uninstall.sh has removed the games"
}

failed() {
  printf 'the rig: %s\n' "$*" >&2
  exit 1
}

main "$@"
