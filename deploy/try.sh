#!/usr/bin/env bash
# Sets up what is needed and shows a whole game on the simulated table; arguments go to `companion demo`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

set_up run
say "companion demo $*"
exec .venv/bin/companion demo "$@"
