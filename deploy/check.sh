#!/usr/bin/env bash
# The gate: style, types, import contracts, and tests with warnings as errors. CI calls the same. At most five minutes
# on two cores; what takes longer, the coverage among it, is in deploy/long.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

set_up dev
export PATH="$PWD/.venv/bin:$PATH" HYPOTHESIS_PROFILE=gate
failed=()
began=$SECONDS

# step WHAT COMMAND...: says what is done, how long it took, and remembers a failure.
step() {
  local what=$1 from=$SECONDS
  shift
  say "$what ($*)"
  "$@" || failed+=("$what")
  say "  took $((SECONDS - from)) s"
}

# What has one processor's work to do runs beside the tests, which take all that is left.
types_and_imports() { mypy && lint-imports; }

types_and_imports_ended() {
  wait "$beside" && beside=""
  cat .venv/types.log
  [ -z "$beside" ]
}

# Tests commit thousands of times to journals, and wait for the disk each time unless their folders are in memory. In
# a container there may be room for 64 MB only; they need some hundred.
free_kb=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1 || true)
if [ "${free_kb:-0}" -gt 2000000 ]; then
  folder=$(mktemp -d -p /dev/shm)
else
  folder=$(mktemp -d)
fi
trap 'rm -rf "$folder"' EXIT

# Tests wait for programs that they have started: one more process runs than there are processors. Each collects all
# tests, in a third of the time once their assertions have been rewritten.
tests() {
  pytest -q --collect-only >/dev/null 2>&1 || true # the tests themselves say what is wrong
  pytest -q --numprocesses $((1 + $(nproc))) --dist worksteal --durations 15 --basetemp "$folder/tests" 2>&1 | tee .venv/pytest.log
}

python -m compileall -q -j 0 companion vision hardware engines
step "style" ruff check .
step "format" ruff format --check .
types_and_imports >.venv/types.log 2>&1 &
beside=$!
step "tests on all processors, warnings as errors" tests
step "types, and who may import whom (beside the tests)" types_and_imports_ended
say "pytest: $(tail -n 1 .venv/pytest.log)"
say "the gate took $((SECONDS - began)) s"

if [ "${#failed[@]}" -gt 0 ]; then
  say "the gate is shut: $(printf '%s; ' "${failed[@]}")"
  exit 1
fi
say "the gate is open"
