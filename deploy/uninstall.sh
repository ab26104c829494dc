#!/usr/bin/env bash
# Takes the companion off this Pi. Games, pictures and settings stay unless --games and --settings say otherwise.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=deploy/setup.sh
. "$here/setup.sh"
# shellcheck source=deploy/places.sh
. "$here/places.sh"

usage() {
  cat <<'TEXT'
usage: sudo bash /opt/companion/uninstall.sh [--dry-run] [--games] [--settings]

Stops and removes the service, the program, its user and its command. apt packages stay: other programs may use them.

  --dry-run    tell every step and do none
  --games      remove the journal with all games and the kept pictures as well (/var/lib/companion)
  --settings   remove /etc/companion as well

example: sudo bash /opt/companion/uninstall.sh --dry-run --games
TEXT
}

with_games=no
with_settings=no
changes=0

main() {
  read_arguments "$@"
  need_root
  stop_service
  remove "$UNIT"
  remove "$NETWORK_DROP_IN"
  ! systemd_runs || change "systemd forgets the service" systemctl daemon-reload
  remove "$UDEV_RULE"
  remove "$POLKIT_RULE"
  remove "$WIFI_RULE"
  remove "$COMMAND"
  remove "$PROGRAM"
  [ "$with_settings" = no ] || remove "$SETTINGS"
  [ "$with_games" = no ] || remove "$STATE"
  remove_user
  ending
}

read_arguments() {
  local word
  for word in "$@"; do
    case "$word" in
      --dry-run) dry_run=yes ;;
      --games) with_games=yes ;;
      --settings) with_settings=yes ;;
      -h | --help) usage && exit 0 ;;
      *) stop "unknown argument \"$word\", expected --dry-run, --games, --settings or --help" ;;
    esac
  done
}

stop_service() {
  [ -e "$UNIT" ] || return 0
  if systemd_runs; then
    change "the service stops" systemctl -q stop companion.service
  fi
  change "the service no longer starts with the box" systemctl -q disable companion.service
}

remove() {
  if [ -e "$1" ] || [ -L "$1" ]; then
    change "remove $1" rm -rf "$1"
  else
    same "no $1"
  fi
}

# The user stays while its games do: files without an owner could fall to the next user that is made.
remove_user() {
  if [ -e "$STATE" ] && ! { [ "$dry_run" = yes ] && [ "$with_games" = yes ]; }; then
    same "user $SERVICE_USER, whose games stay in $STATE"
  elif getent passwd "$SERVICE_USER" >/dev/null; then
    change "remove user $SERVICE_USER" userdel "$SERVICE_USER"
  fi
}

ending() {
  if [ "$dry_run" = yes ]; then
    say "nothing was done; without --dry-run that would be $changes changes"
    return
  fi
  say "removed, $changes changes"
  [ ! -e "$STATE" ] || say "the games are kept in $STATE; a new installation goes on with them"
  [ ! -e "$SETTINGS" ] || say "the settings are kept in $SETTINGS"
}

main "$@"
