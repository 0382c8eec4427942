#!/usr/bin/env bash
# Tests the packaged extension in a real VS Code workbench in headless Chromium.
#
#   editors/vscode/e2e/run.sh PLOKE_BINARY ARTIFACTS_DIR [SCENARIO...]
#
# Prints "N passed, N failed" at the end, and fails if any test failed. Screenshots
# go to ARTIFACTS_DIR/vscode-*.png.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: run.sh PLOKE_BINARY ARTIFACTS_DIR [SCENARIO...]" >&2; exit 2; }
binary=$(realpath "$1")
artifacts=$(realpath -m "$2")
shift 2
extension=$(realpath "$(dirname "$0")/..")
repository=$(realpath "$extension/../..")
testbed=$repository/build/vscode-testbed

[ -x "$binary" ] || { echo "no executable at $binary; build the server first" >&2; exit 2; }
mkdir -p "$artifacts"
rm -rf "$artifacts"/vscode-*
"$repository/scripts/install-vscode-testbed.sh" "$testbed"

cd "$extension"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --loglevel=error >&2
npm run --silent package >&2
npm test --silent >&2
exec node e2e/main.mjs "$testbed" "$extension/out/ploke.vsix" "$binary" "$artifacts" "$@"
