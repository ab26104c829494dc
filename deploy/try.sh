#!/usr/bin/env bash
# Sets up what is needed and shows a film of about two minutes on the simulated table; other arguments than --fast alone
# go to `companion demo`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

set_up run
if [ "${*:---fast}" = --fast ]; then set -- --film; fi
say "companion demo $*"
exec .venv/bin/companion demo "$@"
