#!/usr/bin/env bash
# The box's own Wi-Fi, for a place without a network: it opens if no known network is in reach, and gives way to one that is.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh
# shellcheck source=deploy/places.sh
. deploy/places.sh

usage() {
  cat <<'TEXT'
usage: sudo bash deploy/access-point.sh [--dry-run] [--open] [--remove] [--join NAME]

Lets NetworkManager open a Wi-Fi "companion" if no known network is in reach. A phone that joins it is shown the page.
The password is made once and printed; the page is at http://10.42.0.1. There the box is told the network of the house; if
that one is lost, the box opens its own again.

  --dry-run    tell every step and do none
  --open       without a password: everybody near by can read what phones send, the password of your network as well
  --remove     take it away again
  --join NAME  join a home network (its password is asked for, or in WIFI_PASSWORD); it is preferred from then on

example: sudo bash deploy/access-point.sh --dry-run
TEXT
}

NAME=companion
ADDRESS=10.42.0.1
PORTAL=$UNDER/etc/NetworkManager/dnsmasq-shared.d/companion.conf
open=no
removing=no
join=

main() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --dry-run) dry_run=yes ;;
      --open) open=yes ;;
      --remove) removing=yes ;;
      --join)
        [ $# -gt 1 ] || stop "--join needs the name of a network"
        join=$2
        shift
        ;;
      -h | --help) usage && exit 0 ;;
      *) stop "unknown argument \"$1\", expected --dry-run, --open, --remove, --join NAME or --help" ;;
    esac
    shift
  done
  need_root
  command -v nmcli >/dev/null || stop "NetworkManager's nmcli is missing: Raspberry Pi OS Bookworm and Trixie have it"
  if [ "$removing" = yes ]; then
    remove
  elif [ -n "$join" ]; then
    change "join the network $join" join_network
  else
    offer
  fi
}

known() { nmcli connection show "$NAME" >/dev/null 2>&1; }

# A low priority: any other known network goes first, and this one opens by itself when none is there.
offer() {
  if known; then
    same "the Wi-Fi $NAME"
  else
    change "the Wi-Fi $NAME, if no known network is in reach" add
  fi
  change "a phone that joins it is shown the page ($PORTAL)" portal
  put deploy/pi/51-companion-wifi.rules "$WIFI_RULE" 644
  say "the page there: http://$ADDRESS (listen = \"0.0.0.0\" in $SETTINGS/companion.toml); it takes the name of your network"
}

add() {
  local secret=() password
  if [ "$open" = no ]; then
    password=$(tr -dc 'a-z2-9' </dev/urandom | head -c 10 || true)
    secret=(wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$password")
  fi
  nmcli connection add type wifi ifname '*' con-name "$NAME" ssid "$NAME" mode ap wifi.band bg \
    connection.autoconnect yes connection.autoconnect-priority -100 connection.autoconnect-retries 0 \
    ipv4.method shared ipv4.addresses "$ADDRESS/24" ipv6.method disabled "${secret[@]}" >/dev/null &&
    if [ "$open" = no ]; then say "its password: $password"; fi
}

portal() { mkdir -p "$(dirname "$PORTAL")" && printf 'address=/#/%s\n' "$ADDRESS" >"$PORTAL"; }

# The password goes by standard input: other users of the box can read a command line.
join_network() {
  printf '%s\n' "${WIFI_PASSWORD:-$(ask_password)}" | nmcli --ask device wifi connect "$join" >/dev/null &&
    nmcli connection modify "$join" connection.autoconnect yes connection.autoconnect-priority 10
}

ask_password() {
  local typed
  read -rsp "password of $join: " typed </dev/tty && printf '%s' "$typed"
}

remove() {
  known && change "the Wi-Fi $NAME is no longer offered" nmcli connection delete "$NAME"
  [ ! -e "$PORTAL" ] || change "remove $PORTAL" rm -f "$PORTAL"
  [ ! -e "$WIFI_RULE" ] || change "remove $WIFI_RULE" rm -f "$WIFI_RULE"
}

main "$@"
