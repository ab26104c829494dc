#!/usr/bin/env bash
# Writes deploy/requirements.lock: what pip installs on a Pi, each package with its version and the hashes of its
# files, for Python 3.11 and newer on x86-64 and aarch64. Run it after a change of the dependencies in pyproject.toml.
#
#   bash deploy/lock.sh              keeps the versions that are locked if they still fit
#   bash deploy/lock.sh --upgrade    takes the newest ones
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

command -v uv >/dev/null || stop "uv is missing: pip install uv"
# hatchling builds the companion itself, and asks for editables when it is only linked into an environment
build=$(mktemp --suffix .in)
trap 'rm -f "$build"' EXIT
python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "editables", sep="\n")' \
  >"$build"
uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command \
  "bash deploy/lock.sh" --extra print --extra report --extra web --extra display --extra mqtt \
  --output-file deploy/requirements.lock "$@" pyproject.toml "$build"
say "deploy/requirements.lock: $(grep -c '==' deploy/requirements.lock) packages"
