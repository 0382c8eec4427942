#!/usr/bin/env bash
# Measures the chat of the packaged extension in a real VS Code workbench.
#
#   [VSIX=FILE] editors/vscode/bench/run.sh PLOKE_BINARY [RUNS]
#
# VSIX is another package to measure, such as that of an earlier commit.
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: run.sh PLOKE_BINARY [RUNS]" >&2; exit 2; }
binary=$(realpath "$1")
shift
[ -x "$binary" ] || { echo "no executable at $binary; build the server first" >&2; exit 2; }
measured=${VSIX:+$(realpath "$VSIX")}
. "$(dirname "$0")/../testbed.sh"
exec node bench/main.mjs "$testbed" "${measured:-$vsix}" "$binary" "$@"
