#!/usr/bin/env bash
# Installs the model server that we did not write, and that our clients are tested
# against: aimock, from npm.
#
#   scripts/install-mock-model.sh DIR
set -euo pipefail

AIMOCK=1.43.0
dir=$(realpath -m "${1:?usage: install-mock-model.sh DIR}")
package=$dir/node_modules/@copilotkit/aimock

if [ ! -f "$package/package.json" ] || [ "$(node -p "require('$package/package.json').version")" != "$AIMOCK" ]; then
  mkdir -p "$dir"
  npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --loglevel=error "@copilotkit/aimock@$AIMOCK"
fi
echo "mock model server: aimock $AIMOCK"
