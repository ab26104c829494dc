#!/usr/bin/env bash
# The one gate: style, types, import contracts, tests with warnings as errors, coverage told. CI calls the same.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

set_up dev
export PATH="$PWD/.venv/bin:$PATH"
failed=()

step() {
  say "$*"
  "$@" || failed+=("$1 ${2-}")
}

step ruff check .
step ruff format --check .
step mypy
step lint-imports
say "pytest, warnings as errors, under coverage, on all processors"
pytest -q --numprocesses auto --dist loadfile --cov --cov-report= 2>&1 | tee .venv/pytest.log || failed+=(pytest)
say "coverage: $(coverage report --format=total 2>/dev/null || echo '?') % of lines and branches (more: .venv/bin/coverage report)"
say "pytest: $(tail -n 1 .venv/pytest.log)"

if [ "${#failed[@]}" -gt 0 ]; then
  say "the gate is shut: $(printf '%s; ' "${failed[@]}")"
  exit 1
fi
say "the gate is open"
