# shellcheck shell=bash
# Sourced by install.sh after places.sh: the versions of the program, of which one is in use and the one before is kept.
#
#   /opt/companion/versions/ID/venv   a version, ID being the beginning of its fingerprint
#   /opt/companion/venv               a link to the one in use
#   /opt/companion/previous           a file with the folder of the one that was in use before
#   /opt/companion/before             the unit and its drop-in as they were with that one
# shellcheck disable=SC2154 # the variables of install.sh and places.sh

STARTS_S=20 # a Zero 2 W takes some seconds to import everything; a service that is up for so long has started

previous_version() { cat "$PROGRAM/previous" 2>/dev/null || true; }

# Prints the environment that is in use, "" if there is none.
venv_in_use() {
  if [ -L "$PROGRAM/venv" ]; then
    readlink "$PROGRAM/venv"
  elif [ -d "$PROGRAM/venv" ]; then
    echo "$PROGRAM/venv.before" # of an installer that had one environment only: use_version will move it there
  fi
}

# use_version VENV: from now on this is what the command and the service start.
use_version() {
  local before
  before=$(venv_in_use)
  if [ "$before" = "$1" ]; then
    return
  fi
  keep_units
  if [ -d "$PROGRAM/venv" ] && [ ! -L "$PROGRAM/venv" ]; then
    mv "$PROGRAM/venv" "$PROGRAM/venv.before"
  fi
  point_to "$1"
  if [ -n "$before" ]; then
    echo "$before" >"$PROGRAM/previous"
  fi
}

# point_to VENV: in one step, so that there is an environment at every moment.
point_to() {
  if [ "$1" = "$PROGRAM/venv.before" ]; then # its scripts name the place that it had
    rm -f "$PROGRAM/venv"
    mv "$PROGRAM/venv.before" "$PROGRAM/venv"
  else
    ln -s "$1" "$PROGRAM/venv.next"
    mv -T "$PROGRAM/venv.next" "$PROGRAM/venv"
  fi
}

keep_units() {
  rm -rf "$PROGRAM/before"
  mkdir -p "$PROGRAM/before"
  [ ! -e "$UNIT" ] || cp -p "$UNIT" "$PROGRAM/before/companion.service"
  [ ! -e "$NETWORK_DROP_IN" ] || cp -p "$NETWORK_DROP_IN" "$PROGRAM/before/network.conf"
}

units_as_before() {
  [ ! -e "$PROGRAM/before/companion.service" ] || install -m 644 "$PROGRAM/before/companion.service" "$UNIT"
  if [ -e "$PROGRAM/before/network.conf" ]; then
    install -D -m 644 "$PROGRAM/before/network.conf" "$NETWORK_DROP_IN"
  else
    rm -f "$NETWORK_DROP_IN"
  fi
}

# Returns whether the service is up now and still is, without having been started again, a while later.
stays_up() {
  local second restarts
  restarts=$(times_restarted)
  for ((second = 0; second < STARTS_S; second++)); do
    sleep 1
    systemctl -q is-active companion.service && [ "$(times_restarted)" = "$restarts" ] || return 1
  done
}

times_restarted() { systemctl show --property NRestarts --value companion.service; }

# Goes back to the version before: journal first, then program and unit. It fails where it cannot be done.
roll_back() {
  local before bad
  before=$(previous_version)
  bad=$(venv_in_use)
  [ -x "$before/bin/companion" ] || stop "there is no version before this one to go back to"
  ! systemd_runs || systemctl -q stop companion.service
  journal_back "$bad" "$before"
  units_as_before
  point_to "$before"
  rm -f "$PROGRAM/previous"
  [[ $bad != "$PROGRAM/versions/"*/venv ]] || rm -rf "${bad%/venv}"
  if systemd_runs; then
    systemctl daemon-reload
    systemctl restart companion.service
  fi
}

# journal_back NEWER OLDER: brings the journal to the older program's version, with all games that were played since.
journal_back() {
  local newer older
  [ -e "$STATE/journal.sqlite3" ] || return 0
  newer=$(journal_version_of "$1")
  older=$(journal_version_of "$2")
  [ -n "$older" ] || stay "$2 does not say which journals it can read: see deploy/GUIDE.md, \"Update\""
  if [ "${newer:-0}" -gt "$older" ]; then
    as_service "$1/bin/companion" journal downgrade "$older" --journal "$STATE/journal.sqlite3" ||
      stay "the journal cannot be brought back to version $older; nothing was changed: see deploy/GUIDE.md, \"Update\""
  fi
}

# stay WHY: leaves the version in use, and stops.
stay() {
  ! systemd_runs || systemctl restart companion.service || true
  stop "$1"
}

# journal_version_of VENV: prints the version of the journals that its program writes.
journal_version_of() {
  "$1/bin/python" -c '
try:
    from companion.shell.journal_schema import SCHEMA_VERSION
except ImportError:
    from companion.shell.journal import SCHEMA_VERSION
print(SCHEMA_VERSION)' 2>/dev/null || true
}

as_service() { runuser -u "$SERVICE_USER" -- "$@"; }

# Removes every version but the one in use and the one before.
remove_old_versions() {
  local folder kept
  kept=" $(venv_in_use) $(previous_version) "
  for folder in "$PROGRAM"/versions/*/; do
    [ ! -d "$folder" ] || [[ $kept == *" ${folder}venv "* ]] || rm -rf "$folder"
  done
  [[ $kept == *" $PROGRAM/venv.before "* ]] || rm -rf "$PROGRAM/venv.before"
}
