#!/usr/bin/env bash
# Brings the catalogues in companion/locale up to date with the sentences in the code, and compiles them.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=deploy/setup.sh
. deploy/setup.sh

set_up dev
export PATH="$PWD/.venv/bin:$PATH"
folder=companion/locale
template=$(mktemp)
trap 'rm -f "$template"' EXIT

pybabel extract --no-default-keywords -k _ -k ngettext:1,2 -k Sentence -k unexpected:2 --add-location=file --sort-by-file --no-wrap \
  --output-file="$template" companion vision hardware engines
pybabel update --domain=companion --input-file="$template" --output-dir=$folder --no-wrap \
  --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
pybabel compile --domain=companion --directory=$folder --statistics
