#!/usr/bin/env bash
# Tests the plugin in a real Neovim against the real server.
# usage: run.sh PLOKE_BINARY ARTIFACTS_DIR      ($NVIM: another nvim than that of $PATH)
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/workspace.sh"
PLOKE_BINARY=$(realpath "${1:?the ploke-lsp binary}")
mkdir -p "${2:?a folder for artifacts}"
ARTIFACTS_DIR=$(realpath "$2")
PLOKE_PLUGIN=$(dirname "$here")
export PLOKE_BINARY ARTIFACTS_DIR PLOKE_PLUGIN
nvim=${NVIM:-nvim}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in CONFIG DATA STATE CACHE; do export "XDG_${kind}_HOME=$scratch/$kind"; done
export LC_ALL=C.UTF-8
unset PLOKE_BASE_URL PLOKE_API_KEY PLOKE_MODEL

# Runs one test in a workspace and a state folder of its own, and adds up what it counted.
passed=0 failed=0
run() {
  local name=$1 output="$scratch/$1.out"
  shift
  make_workspace "$scratch/$name"
  echo "== $name"
  (cd "$scratch/$name" && PLOKE_STATE_DIR="$scratch/$name.state" timeout 180 "$@") >"$output" 2>&1
  local status=$?
  cat "$output"
  local counts
  counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$output" | tail -1)
  read -r p f <<<"${counts:-0 1}"
  [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
  passed=$((passed + p)) failed=$((failed + f))
}

run headless "$nvim" --headless -u "$here/init.lua" -i NONE -n -c "luafile $here/scenario.lua"
run tui "$here/tui.sh" "$nvim"

cp "$scratch/STATE/nvim/lsp.log" "$ARTIFACTS_DIR/nvim-lsp.log" 2>/dev/null || cp "$scratch/CACHE/nvim/lsp.log" "$ARTIFACTS_DIR/nvim-lsp.log" 2>/dev/null
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
