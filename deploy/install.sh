#!/usr/bin/env bash
# Installs the companion on a Raspberry Pi (4, 5, Zero 2 W; Raspberry Pi OS Bookworm or Trixie, 64 bit), or updates it.
# Run it again after a `git pull`: what is there already stays, and the configuration is never overwritten.
set -euo pipefail
umask 022 # whatever root's is: the service's user must be able to read what is installed
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh
# shellcheck source=deploy/places.sh
. deploy/places.sh
# shellcheck source=deploy/versions.sh
. deploy/versions.sh

usage() {
  cat <<'TEXT'
usage: sudo bash deploy/install.sh [--dry-run] [--no-start] [--roll-back]

Installs apt packages for camera and pins, the companion in /opt/companion, a service that starts with the box, and an
example configuration in /etc/companion. A second run updates and changes nothing else. A version that does not start
is taken back: the one before goes on with all games.

  --dry-run    tell every step and do none
  --no-start   leave the service stopped and not starting with the box
  --roll-back  go back to the version before, with all games that were played since

example: sudo bash deploy/install.sh --dry-run
TEXT
}

# What a Raspberry Pi's own archive has; elsewhere the first two are missing, and that is told.
APT_CAMERA_AND_PINS=(python3-picamera2 python3-lgpio)
APT_NEEDED=(python3-venv ca-certificates)
GROUPS_WANTED=(gpio video i2c spi audio input)

start=yes
going_back=no
changed_version=no
changes=0

main() {
  read_arguments "$@"
  need_root
  if [ "$going_back" = yes ]; then
    back_by_hand
    return
  fi
  need_python
  apt_packages
  user_and_groups
  device_permissions
  switching_off
  program
  configuration
  local_name
  service
  ending
}

read_arguments() {
  local word
  for word in "$@"; do
    case "$word" in
      --dry-run) dry_run=yes ;;
      --no-start) start=no ;;
      --roll-back) going_back=yes ;;
      -h | --help) usage && exit 0 ;;
      *) stop "unknown argument \"$word\", expected --dry-run, --no-start, --roll-back or --help" ;;
    esac
  done
}

need_python() {
  command -v apt-get >/dev/null || stop "this installs on Raspberry Pi OS and Debian only: there is no apt-get here"
  if command -v python3 >/dev/null; then
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
      stop "Python 3.11 or newer is needed, found $(python3 --version): Raspberry Pi OS Bookworm and Trixie have it"
  fi
}

# Only what is missing is looked up, so that a second run needs no network.
apt_packages() {
  local package wanted=()
  for package in "${APT_NEEDED[@]}" "${APT_CAMERA_AND_PINS[@]}"; do
    if has_package "$package" || stood_in "$package"; then
      same "$package"
    else
      wanted+=("$package")
    fi
  done
  if [ "${#wanted[@]}" -gt 0 ] && [ "$dry_run" = no ]; then
    say "looking for ${wanted[*]}"
    apt-get -qq update || warn "apt cannot look for packages: is there a network?"
  fi
  for package in "${wanted[@]}"; do
    if offered "$package"; then
      change "apt package $package" apt_install "$package"
    elif [ "$dry_run" = yes ]; then
      say "apt knows no $package: its lists are old (sudo apt update), or it is left out"
    else
      do_without "$package"
    fi
  done
}

has_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# picamera2 and lgpio may have come another way than from apt.
stood_in() {
  case "$1" in
    python3-picamera2 | python3-lgpio) has_module "${1#python3-}" ;;
    *) return 1 ;;
  esac
}

has_module() { python3 -c "import importlib.util, sys; sys.exit(not importlib.util.find_spec('$1'))" 2>/dev/null; }

offered() { [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]; }

apt_install() { DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$1" >/dev/null; }

do_without() {
  case "$1" in
    python3-picamera2) warn "apt has no $1 here (Raspberry Pi OS has): no ribbon camera" ;;
    python3-lgpio) warn "apt has no $1 here (Raspberry Pi OS has): no panel on pins" ;;
    *) stop "apt has no package $1: is this Raspberry Pi OS or Debian, and is there a network?" ;;
  esac
}

# The service's own user: no shell, no home but its state, and in the groups of the devices.
user_and_groups() {
  local group
  for group in gpio video; do
    has_group "$group" || change "group $group" groupadd --system "$group"
  done
  if has_user; then
    same "user $SERVICE_USER"
  else
    change "user $SERVICE_USER" useradd --system --user-group --no-create-home --home-dir "$STATE" \
      --shell /usr/sbin/nologin "$SERVICE_USER"
  fi
  for group in "${GROUPS_WANTED[@]}"; do
    if has_group "$group" && ! in_group "$group"; then
      change "user $SERVICE_USER in group $group" usermod -aG "$group" "$SERVICE_USER"
    fi
  done
}

has_group() { getent group "$1" >/dev/null; }

has_user() { getent passwd "$SERVICE_USER" >/dev/null; }

in_group() { [[ " $(id -nG "$SERVICE_USER" 2>/dev/null) " == *" $1 "* ]]; }

# Raspberry Pi OS lets the groups gpio and video at pins and cameras; elsewhere rules of ours do.
device_permissions() {
  if grep -rqs 'gpiochip' /etc/udev/rules.d/99-com.rules /usr/lib/udev/rules.d/60-raspberrypi.rules; then
    same "permission for pins and cameras (the system's own)"
    return
  fi
  put deploy/pi/60-companion.rules "$UDEV_RULE" 644
  if [ "$put_changed" = yes ] && [ -d "$UNDER/run/udev" ]; then
    change "read the rules for devices again" udev_again
  fi
}

udev_again() { udevadm control --reload && udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap; }

# Each version has a virtual environment of its own; it is used only once it is complete. It sees apt's packages
# (picamera2, lgpio), and pip may not replace the NumPy that they were built for.
program() {
  local wanted version
  wanted=$(fingerprint)
  version=$PROGRAM/versions/${wanted:0:12}
  if [ "$(venv_in_use)" = "$version/venv" ] && [ "$(cat "$version/installed" 2>/dev/null)" = "$wanted" ] && version_starts "$version"; then
    same "the program in $PROGRAM"
  else
    changed_version=yes
    change "virtual environment in $version/venv" make_venv "$version"
    change "the companion and its packages, with pip (log: $PROGRAM/pip.log)" install_program "$version"
    change "mark of what is installed" write_mark "$version" "$wanted"
    change "this version in $PROGRAM/venv" use_version "$version/venv"
  fi
  link "$PROGRAM/venv/bin/companion" "$COMMAND"
}

# What is installed: this version's files, and the Python that they run on.
fingerprint() {
  {
    find pyproject.toml deploy/requirements.lock companion vision hardware engines -type f ! -path '*__pycache__*' -print0 |
      sort -z | xargs -0 sha256sum
    python3 --version
    supplied_by_apt
  } | sha256sum | cut -d ' ' -f 1
}

# Prints the locked packages that apt supplies.
supplied_by_apt() {
  local version
  version=$(dpkg-query -W -f '${Version}' python3-numpy 2>/dev/null | sed 's/^[0-9]*://; s/[+-].*//') || true
  [ -z "$version" ] || echo numpy
}

make_venv() {
  rm -rf "$1"
  mkdir -p "$1" &&
    python3 -m venv --system-site-packages "$1/venv"
}

# Only packages with the hashes of requirements.lock are installed; the companion itself is built from this folder.
install_program() {
  local log=$PROGRAM/pip.log pip=("$1/venv/bin/pip" install --disable-pip-version-check --no-input --no-deps)
  locked >"$1/requirements.lock"
  { "${pip[@]}" --require-hashes --requirement "$1/requirements.lock" && "${pip[@]}" --no-build-isolation .; } >"$log" 2>&1 ||
    give_up "$1" "$(why_pip_failed "$log")"
  version_starts "$1" || give_up "$1" "the companion is installed but does not start: see $log"
}

# Prints requirements.lock without what apt supplies.
locked() {
  awk -v without=" $(supplied_by_apt | tr '\n' ' ') " '
    /^[a-zA-Z0-9]/ { split($1, name, "=="); left_out = index(without, " " name[1] " ") }
    !left_out' deploy/requirements.lock
}

version_starts() { "$1/venv/bin/companion" --version >/dev/null 2>&1; }

# give_up VERSION WHY: leaves what was installed before as it is.
give_up() {
  rm -rf "$1"
  stop "$2"
}

write_mark() { echo "$2" >"$1/installed"; }

# A file of yours is never touched; beside it lies the newest example.
configuration() {
  case "$(stat -f -c %T "${STATE%/*}" 2>/dev/null)" in
    tmpfs | ramfs | overlayfs)
      warn "${STATE%/*} is in memory (an overlay file system?): games are gone when the power is; switch the overlay off first" ;;
  esac
  make_folder "$SETTINGS" 755
  configure companion.toml deploy/pi/companion.toml
  configure hardware.toml companion/shell/hardware.toml
}

# configure NAME FIRST: what FIRST has if there is no such file yet.
configure() {
  put "companion/shell/$1" "$SETTINGS/$1.example" 644
  if [ -e "$SETTINGS/$1" ]; then
    same "$SETTINGS/$1 (yours)"
  else
    put "$2" "$SETTINGS/$1" 644
  fi
}

# The pause and the lobby have "switch the box off": the service asks systemd for it, and systemd asks polkit.
switching_off() {
  if [ -d "$UNDER/etc/polkit-1" ] || [ "$dry_run" = yes ]; then
    put deploy/pi/50-companion.rules "$POLKIT_RULE" 644
  else
    warn "there is no polkit here: the panel cannot switch the box off (sudo apt install polkitd, then run this again)"
  fi
}

service() {
  put deploy/pi/companion.service "$UNIT" 644
  local unit_changed=$put_changed
  network
  [ "$put_changed" = no ] || unit_changed=yes
  put deploy/uninstall.sh "$PROGRAM/uninstall.sh" 755
  put deploy/places.sh "$PROGRAM/places.sh" 644
  put deploy/setup.sh "$PROGRAM/setup.sh" 644
  if [ "$start" = no ]; then
    say "the service is left as it is; start it with: sudo systemctl enable --now companion"
    return
  fi
  if is_enabled; then
    same "the service starts with the box"
  else
    change "the service starts with the box" systemctl -q enable companion.service
  fi
  if ! systemd_runs; then
    say "systemd does not run here: the service starts at the next boot"
    return
  fi
  [ "$unit_changed" = no ] || change "systemd reads the service again" systemctl daemon-reload
  if [ "$changes" -gt 0 ]; then
    change "the service starts (a game that was not finished goes on)" start_service
  fi
}

# A new version has to stay up; otherwise the one before is taken back.
start_service() {
  systemctl restart companion.service || true
  if [ "$changed_version" = no ] || stays_up; then
    remove_old_versions
    return
  fi
  [ -n "$(previous_version)" ] || stop "the companion does not start: journalctl -u companion says why"
  warn "the new version does not start: journalctl -u companion says why"
  roll_back
  if stays_up; then
    say "the version before goes on, with all games"
  else
    warn "the version before does not start either: is $SETTINGS/companion.toml right?"
  fi
  exit 1
}

back_by_hand() {
  [ -n "$(previous_version)" ] || stop "there is no version before this one to go back to"
  change "the version before, with all games that were played since" roll_back
  ending
}

# Phones find the page as NAME.local: avahi announces the name of the box, where the page is for them.
local_name() {
  [ -n "$(configured listen)" ] || return 0
  if has_package avahi-daemon; then
    same avahi-daemon
  elif offered avahi-daemon; then
    change "apt package avahi-daemon" apt_install avahi-daemon
  else
    warn "apt has no avahi-daemon here: phones find the page by its numeric address only"
    return 0
  fi
  [ "$(hostname)" = companion ] ||
    say "the page is at http://$(hostname).local; for http://companion.local: sudo hostnamectl set-hostname companion"
}

# The service may use the network only while the configured camera, page or broker is in it. Sets put_changed.
network() {
  put_changed=no
  if [[ $(configured camera) == stream:* || -n $(configured listen) || -n $(configured publish) ]]; then
    put deploy/pi/companion-network.conf "$NETWORK_DROP_IN" 644
  elif [ -e "$NETWORK_DROP_IN" ]; then
    put_changed=yes
    change "the service no longer uses the network: remove $NETWORK_DROP_IN" rm -f "$NETWORK_DROP_IN"
  else
    same "the service uses no network"
  fi
}

# Prints a setting of the service: the environment outranks the file. A camera or broker is never shown: it may have a
# password.
configured() {
  local value
  value=$(value_of "COMPANION_${1^^}" "$SETTINGS/environment")
  [ -n "$value" ] || value=$(value_of "$1" "$SETTINGS/companion.toml")
  printf '%s\n' "$value"
}

# value_of KEY FILE: prints the last value of a line KEY=VALUE, without spaces and quotes around it.
value_of() {
  [ -r "$2" ] || return 0
  sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*[\"']\{0,1\}\([^\"'#[:space:]]*\).*/\1/p" "$2" | tail -n 1
}

is_enabled() { [ -L "${UNIT%/*}/multi-user.target.wants/companion.service" ]; }

ending() {
  if [ "$dry_run" = yes ]; then
    say "nothing was done; without --dry-run that would be $changes changes"
  elif [ "$changes" -eq 0 ]; then
    say "nothing to change: everything is installed already"
  else
    say "installed, $changes changes. Which game, camera and panel: $SETTINGS/companion.toml; then: sudo systemctl restart companion"
    say "what it says: journalctl -u companion -f        does everything work: companion doctor"
  fi
}

main "$@"
