#!/usr/bin/env bash
# Tests the server in an editor without a plugin.
# usage: run.sh EDITOR PLOKE_BINARY ARTIFACTS_DIR      (EDITOR: emacs, emacs-mux, helix or neovim)
set -u
here=$(cd "$(dirname "$0")" && pwd)
editor=${1:?the editor}
questions=shown
PLOKE_BINARY=$(realpath "${2:?the ploke-lsp binary}")
mkdir -p "${3:?a folder for artifacts}"
artifacts=$(realpath "$3")
rm -rf "$artifacts/$editor"-*

scratch=$(mktemp -d)
trap 'leave; rm -rf "$scratch"' EXIT
for kind in CONFIG DATA STATE CACHE; do export "XDG_${kind}_HOME=$scratch/$kind"; done
export HOME=$scratch TMUX_TMPDIR=$scratch LC_ALL=C.UTF-8 PLOKE_BINARY
export PLOKE_STATE_DIR=$scratch/state PLOKE_WIRE=$artifacts/$editor-wire
unset PLOKE_BASE_URL PLOKE_API_KEY PLOKE_MODEL
server=$here/recorded-server.sh
folder=$scratch/workspace

. "$here/../nvim/test/workspace.sh"
. "$here/terminal.sh"
. "$here/$editor.sh"
make_workspace "$folder"
# Whether a proposal may be built in a sandbox is no part of the first session.
mkdir -p "$XDG_CONFIG_HOME/ploke-lsp"
printf '[proof]\ncompile = false\n' >"$XDG_CONFIG_HOME/ploke-lsp/config.toml"
. "$here/scenario.sh"
[ "$questions" = shown ] || . "$here/proof.sh"

finish
