# shellcheck shell=bash
# Sourced by check.sh and try.sh in the project's folder: makes the virtual environment .venv and fills it once.
#
#   set_up run    what the companion needs to run
#   set_up dev    that, and the tools of the gate
#
# Set-up is done again only when pyproject.toml, the folder's place or .venv itself has changed.

# Programs that are started again and again are compiled once; a container's image may have switched that off.
unset PYTHONDONTWRITEBYTECODE

say() { printf '== %s\n' "$*"; }

stop() {
  printf 'stopped: %s\n' "$*" >&2
  exit 2
}

set_up() {
  local extra=$1
  if [ "$(cat ".venv/set-up-$extra" 2>/dev/null)" = "$(stamp)" ] && works; then
    return
  fi
  say "setting up .venv (once; some minutes on a Raspberry Pi)"
  make_environment
  install_packages "$extra"
  works || stop "the packages are installed but do not start: see .venv/set-up.log"
  stamp >".venv/set-up-run"
  if [ "$extra" = dev ]; then
    stamp >".venv/set-up-dev"
  fi
}

# What the environment was made for: the declared packages, and the folder that its scripts name.
stamp() { printf '%s %s\n' "$(cat pyproject.toml deploy/requirements.lock | cksum)" "$PWD"; }

works() { .venv/bin/python -c 'import companion, msgspec, rich' >/dev/null 2>&1; }

make_environment() {
  local python
  if .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && .venv/bin/pip --version >/dev/null 2>&1; then
    return
  fi
  python=$(find_python)
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    stop "$python lacks its venv module: sudo apt install python3-venv"
  say "making .venv with $("$python" --version)"
  "$python" -m venv --clear .venv >/dev/null 2>&1 ||
    stop "$PWD/.venv cannot be made: is the folder writable, is the disk full ($(free_mb) MB free)?"
}

# Prints the name of a Python that is new enough; python3 first, then those beside it.
find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      printf '%s\n' "$name"
      return
    fi
  done
  if command -v python3 >/dev/null 2>&1; then
    stop "Python 3.11 or newer is needed, found only $(python3 --version 2>&1)"
  fi
  stop "Python is missing: sudo apt install python3 python3-venv"
}

install_packages() {
  local log=.venv/set-up.log
  say "installing the packages with pip (log: $log)"
  "install_$1" >"$log" 2>&1 || stop "$(why_pip_failed "$log")"
}

# Only files with the hashes of the lock; the companion itself is built from this folder.
install_run() {
  pip_install --no-deps --require-hashes --requirement deploy/requirements.lock &&
    pip_install --no-deps --no-build-isolation --editable .
}

install_dev() { pip_install --editable '.[dev]'; }

pip_install() { .venv/bin/pip install --disable-pip-version-check --no-input "$@"; }

# One sentence about what pip's log says.
why_pip_failed() {
  if grep -qi 'no space left' "$1"; then
    echo "the disk is full ($(free_mb) MB free, about 700 MB are needed)"
  elif grep -qiE 'NewConnectionError|NameResolutionError|name resolution|ConnectTimeout|ReadTimeout|ProxyError|unreachable|from versions: none' "$1"; then
    echo "pip cannot reach the package index: is there a network? (log: $1)"
  else
    echo "pip failed: $(grep -i '^ *error' "$1" | tail -n 1 | cut -c1-200) (log: $1)"
  fi
}

free_mb() { df -Pk . | awk 'NR == 2 { print int($4 / 1024) }'; }
