# Sourced by e2e/run.sh and bench/run.sh: prepares what drives the packaged extension.
# Sets testbed and vsix; VSCODE names VS Code's version, 1.100 or 1.139.
set -euo pipefail

VSCODE=${VSCODE:-1.100}
extension=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
repository=$(realpath "$extension/../..")
testbed=$repository/build/vscode-testbed
[ "$VSCODE" = 1.100 ] || testbed=$testbed-$VSCODE
vsix=$extension/out/ploke.vsix

"$repository/scripts/install-vscode-testbed.sh" "$testbed" "$VSCODE"
export PATH=$testbed/node/node_modules/.bin:$PATH # Node.js for this version, if the machine's does not fit

cd "$extension"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --loglevel=error >&2
npm run --silent package >&2
