#!/usr/bin/env bash
# Makes a card set the box up by itself at its first start: adds packages and commands to the file user-data that
# Raspberry Pi Imager 2 has written on the card's small partition (Raspberry Pi OS Trixie). What the Imager wrote there,
# user, password and Wi-Fi, stays. A second run changes nothing.
#
#   bash deploy/card.sh /media/$USER/bootfs/user-data [ADDRESS]
#
# ADDRESS is what the box clones from; without it, what this folder was cloned from.
set -euo pipefail
file=${1:-}
[[ -z "$file" || "$file" == /* ]] || file=$PWD/$file
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

[ -n "$file" ] || stop "expected the file user-data on the card's small partition, such as /media/anna/bootfs/user-data"
address=${2:-$(git config --get remote.origin.url || true)}
[[ "$address" == *://* ]] || stop "expected an address to clone from, such as https://example.org/companion.git, found \"$address\""
[[ "$address" != *[[:space:]\"\\]* ]] || stop "an address has no blanks, quotes or backslashes: $address"
[ -f "$file" ] || stop "there is no file $file: is the card put in once more, and its system Raspberry Pi OS Trixie?"
if grep -q companion-source "$file"; then
  say "as it was: $file"
  exit 0
fi
[ -s "$file" ] || printf '#cloud-config\n' >"$file"
[ "$(head -n 1 "$file")" = "#cloud-config" ] || stop "$file: expected #cloud-config in its first line"
! grep -qE '^(packages|runcmd): *[^ #]' "$file" || stop "$file: expected the items of packages and runcmd in lines of their own"

# Adds items to the end of a list of the file, with the list's own indent; a list that is not there is begun.
add() { # key, item...
  local key=$1 added
  shift
  added=$(KEY="$key" ITEMS="$(printf '%s\n' "$@")" awk '
    function put(  i) { for (i = 1; i <= n; i++) print indent "- " item[i] }
    BEGIN { n = split(ENVIRON["ITEMS"], item, "\n"); key = ENVIRON["KEY"]; indent = "  " }
    inside && /^ *- / && !found { match($0, /^ */); indent = substr($0, 1, RLENGTH); found = 1 }
    inside && /^[^ #-]/ { put(); inside = 0; done = 1 }
    $0 ~ "^" key ": *$" { inside = 1 }
    { print }
    END { if (inside) put(); else if (!done) { print key ":"; put() } }' "$file")
  printf '%s\n' "$added" >"$file"
}

add packages git polkitd
add runcmd '[raspi-config, nonint, do_i2c, "0"]' \
  "[git, clone, --depth, \"1\", \"$address\", /opt/companion-source]" \
  '[bash, /opt/companion-source/deploy/install.sh]'
say "written: $file; the first start installs the companion, and ends with the box in its lobby"
