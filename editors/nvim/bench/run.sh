#!/usr/bin/env bash
# Measures how long a typed key takes to the screen of a real Neovim, while an answer streams into a long chat.
#
#   editors/nvim/bench/run.sh PLOKE_BINARY      ($NVIM: an nvim other than the one in $PATH)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
PLOKE_BINARY=$(realpath "${1:?the ploke-lsp binary}")
PLOKE_PLUGIN=$(dirname "$here")
export PLOKE_BINARY PLOKE_PLUGIN
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in CONFIG DATA STATE CACHE; do export "XDG_${kind}_HOME=$scratch/$kind"; done
export PLOKE_STATE_DIR=$scratch/ploke TMPDIR=$scratch LC_ALL=C.UTF-8 TERM=xterm-256color
unset PLOKE_BASE_URL PLOKE_API_KEY PLOKE_MODEL
. "$here/../test/workspace.sh"
make_workspace "$scratch/workspace"
cd "$scratch/workspace"
exec python3 "$here/main.py" "${NVIM:-nvim}" "$here/init.lua"
