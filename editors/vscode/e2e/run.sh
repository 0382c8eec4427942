#!/usr/bin/env bash
# Tests the packaged extension in a real VS Code workbench in headless Chromium.
#
#   [VSCODE=1.139] [SLOW=SEED] [SCREENS=all] editors/vscode/e2e/run.sh PLOKE_BINARY ARTIFACTS_DIR [SCENARIO...]
#
# SCREENS=all makes the pictures of each screen in each theme and size; see screens.mjs.
# SLOW makes a slow machine of this one, which shows the races of tests and product; see slow.mjs.
# Prints "N passed, N failed" at the end, and fails if any test failed. Screenshots
# go to ARTIFACTS_DIR/vscode-*.png, logs beside them.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: run.sh PLOKE_BINARY ARTIFACTS_DIR [SCENARIO...]" >&2; exit 2; }
binary=$(realpath "$1")
artifacts=$(realpath -m "$2")
shift 2
[ -x "$binary" ] || { echo "no executable at $binary; build the server first" >&2; exit 2; }
mkdir -p "$artifacts"
rm -rf "$artifacts"/vscode-*
. "$(dirname "$0")/../testbed.sh"
npm test --silent >&2
exec node e2e/main.mjs "$testbed" "$vsix" "$binary" "$artifacts" "$@"
