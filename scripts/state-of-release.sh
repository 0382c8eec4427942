#!/usr/bin/env bash
# Keeps the state.db that a release leaves behind, from which the tests upgrade:
#   scripts/state-of-release.sh v0.1.0
# Run it on the commit that gets the tag. "unreleased" stands for the next release, once its schema is new.
set -euo pipefail
release=${1:?name a tag, like v0.1.0, or unreleased}
cd "$(dirname "$0")/.."
file=$PWD/internal/store/testdata/releases/$release.db
work=/tmp/ploke-lsp-state-of-release # the tests put another folder in its place
mkdir -m 700 "$work"
trap 'rm -rf "$work"' EXIT
go build -o "$work/ploke-lsp" ./cmd/ploke-lsp

export HOME=$work PLOKE_STATE_DIR=$work/state
run() { "$work/ploke-lsp" "$1" --workspace "$work/w" "${@:2}"; }
proposed() { sed -n 's/.*proposals accept \([^ ]*\).*/\1/p'; }
mkdir "$work/w"
printf 'package a\n\nfunc first() {}\n\nfunc second() { first() }\n' >"$work/w/a.go"
run ask "who calls first" >"$work/answer"
accepted=$(run ask "rename second to next" | proposed)
run proposals accept "$accepted" >"$work/accepted"
run ask "rename first to initial" >"$work/waiting"
rm -f "$file"
run backup "$file"
