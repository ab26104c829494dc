#!/usr/bin/env bash
# The long evaluation: what takes hours or needs tools that the gate does not ask for. A tool that is missing is a
# failure, not a skip. Names of parts as arguments run only those: bash deploy/long.sh fuzz soak
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

# How exposed the service may be, as systemd-analyze security counts it, times ten: 0 is nothing, 100 everything.
MOST_EXPOSED=16
# Per cent of lines and branches. Raise it when the coverage has risen; never lower it for a change.
COVERAGE_FLOOR=95
PARTS=(tools newcomer page panel brokers coverage properties benchmarks recorded printed kills disks fuzz mending soak privacy mutants exposure lowest bookworm audit rig)

tools() {
  local tool lacking=()
  for tool in shellcheck systemd-analyze gcc strace btrfs mkfs.btrfs mkfs.ext4 mosquitto chromium chromedriver npm; do
    command -v "$tool" >/dev/null || lacking+=("$tool")
  done
  [ "${#lacking[@]}" -eq 0 ] || { say "missing: ${lacking[*]}"; return 1; }
}

# The README's first command in a clone of its own: set-up from the locked files, then a turn of each game.
newcomer() {
  local folder
  folder=$(mktemp -d)
  git clone -q . "$folder/companion" && (cd "$folder/companion" && bash deploy/try.sh --fast --turns 2)
}
coverage() {
  HYPOTHESIS_PROFILE=gate pytest -q --numprocesses auto --dist worksteal --cov --cov-report= &&
    command coverage report --format=total --fail-under="$COVERAGE_FLOOR"
}
# The page in a real Chromium: every game, or those of PAGE_GAMES with commas between them, set up and played to its end
# on two phones; then again at a simulated table with a phone as the camera, which takes hours. Selenium has a folder of
# its own: beside the program its trio would be found by httpx, and asks ldconfig for libraries.
page() {
  local folder only=()
  [ -z "${PAGE_GAMES:-}" ] || only=(--games "$PAGE_GAMES")
  folder=$(mktemp -d)
  local -x PYTHONPATH=$folder/python
  python -m pip install --quiet --target "$PYTHONPATH" 'selenium>=4.20' &&
    (cd "$folder" && npm pack --silent axe-core@4 && tar xzf axe-core-*.tgz) &&
    python -m tests.evaluate.browser "${only[@]}" --idle --axe "$folder/package/axe.min.js" &&
    python -m tests.evaluate.browser --board --axe "$folder/package/axe.min.js" &&
    python -m tests.evaluate.browser "${only[@]}" --camera 0 --width 800 --minutes 60
}
# Every game by people who see nothing but the panel: its display, or three lamps; over a socket with pictures as well.
panel() {
  local wirings=deploy/pi/examples/panels
  python -m tests.evaluate.by_panel --games 3 --wiring "$wirings/display.toml" &&
    python -m tests.evaluate.by_panel --games 3 --wiring "$wirings/three-lamps.toml" &&
    python -m tests.evaluate.by_panel --see pictures
}
brokers() { python -m tests.evaluate.brokers; }
properties() { HYPOTHESIS_PROFILE=long pytest -q --numprocesses auto --dist worksteal; }
benchmarks() { pytest -q tests/benchmarks --benchmark-enable; }
recorded() { python -m tests.evaluate tests/recorded --baseline tests/recorded/baseline.json --untimed; }
printed() { python -m tests.evaluate.printed; }
kills() { python -m tests.evaluate.kills; }
disks() { python -m tests.evaluate.disks; } # as root, in a mount namespace of its own
fuzz() { python -m tests.evaluate.fuzz --inputs 10000; }
mending() { python -m tests.evaluate.mending --evenings 200; }
soak() { python -m tests.evaluate.soak --evenings 80; }
privacy() { python -m tests.evaluate.privacy; }
mutants() { python -m pip install --quiet --editable '.[mutants]' && python -m tests.evaluate.mutants; }
exposure() { systemd-analyze security --offline=yes --threshold="$MOST_EXPOSED" deploy/pi/companion.service; }
# The gate's own checks, without types, with the lowest versions that pyproject.toml allows. The lock is of other
# versions, which need other packages: what is tested of it is not asked here.
lowest() {
  local folder
  folder=$(mktemp -d)
  python -m pip install --quiet uv && uv venv --quiet --seed --python "$(command -v python)" "$folder" &&
    uv pip install --quiet --python "$folder/bin/python" --resolution lowest-direct --editable '.[dev]' &&
    "$folder/bin/python" -m pytest -q --numprocesses auto --dist worksteal --ignore tests/deploy/test_supply.py
}
# Reading, judging and advising with the NumPy of Bookworm's apt, which a Pi there keeps: pip may not replace it.
bookworm() {
  local folder
  folder=$(mktemp -d)
  python -m pip install --quiet --no-deps --target "$folder" 'numpy==1.24.2' &&
    PYTHONPATH=$folder pytest -q tests/recorded tests/vision tests/engines tests/companion/core tests/companion/games
}
# Known weaknesses of the locked packages; it asks PyPI, and fails if PyPI knows nothing of a package.
audit() { python -m pip install --quiet pip-audit && pip-audit --strict --requirement deploy/requirements.lock --disable-pip; }
rig() { bash tests/rig/run.sh; }

set_up dev
export PATH="$PWD/.venv/bin:$PATH"
failed=()
for part in "${@:-${PARTS[@]}}"; do
  [[ " ${PARTS[*]} " == *" $part "* ]] || stop "unknown part \"$part\", expected some of: ${PARTS[*]}"
  from=$SECONDS
  say "$part"
  "$part" || failed+=("$part")
  say "  $part took $((SECONDS - from)) s"
done
if [ "${#failed[@]}" -gt 0 ]; then
  say "did not hold: ${failed[*]}"
  exit 1
fi
say "all held"
