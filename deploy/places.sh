# shellcheck shell=bash
# Sourced by install.sh and uninstall.sh after setup.sh: where things lie on the Pi, and how a step is told and done.
# shellcheck disable=SC2034 # the places are used by those two

# Tests install into a folder instead of the box.
UNDER=${COMPANION_INSTALL_UNDER:-}
PROGRAM=$UNDER/opt/companion
SETTINGS=$UNDER/etc/companion
STATE=$UNDER/var/lib/companion
COMMAND=$UNDER/usr/local/bin/companion
UNIT=$UNDER/etc/systemd/system/companion.service
NETWORK_DROP_IN=$UNIT.d/network.conf
UDEV_RULE=$UNDER/etc/udev/rules.d/60-companion.rules
POLKIT_RULE=$UNDER/etc/polkit-1/rules.d/50-companion.rules
WIFI_RULE=$UNDER/etc/polkit-1/rules.d/51-companion-wifi.rules
SERVICE_USER=companion

dry_run=no
put_changed=no

need_root() {
  [ "$dry_run" = yes ] || [ "$(id -u)" -eq 0 ] || stop "this changes the system: run it with sudo"
}

same() { printf '   as it was: %s\n' "$*"; }

warn() { printf '!! %s\n' "$*" >&2; }

# change WHAT COMMAND...: tells a step, counts it, and does it unless this is a dry run.
change() {
  printf '%s %s\n' "$([ "$dry_run" = yes ] && echo ' would do:' || echo ' + ')" "$1"
  changes=$((${changes:-0} + 1))
  shift
  [ "$dry_run" = yes ] || "$@" || stop "that failed: $*"
}

# put FILE PLACE MODE: copies a file where it is not yet the same; sets put_changed.
put() {
  put_changed=no
  if cmp -s "$1" "$2"; then
    same "$2"
    return
  fi
  put_changed=yes
  change "$2" install -D -m "$3" "$1" "$2"
}

make_folder() { [ -d "$1" ] || change "folder $1" install -d -m "$2" "$1"; }

link() {
  if [ "$(readlink "$2")" = "$1" ]; then
    same "$2"
  else
    change "$2" link_to "$1" "$2"
  fi
}

link_to() { mkdir -p "$(dirname "$2")" && ln -sfn "$1" "$2"; }

systemd_runs() { [ -d "$UNDER/run/systemd/system" ]; }
