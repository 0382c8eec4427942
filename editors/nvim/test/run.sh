#!/usr/bin/env bash
# Tests the plugin in a real Neovim against the real server.
# usage: run.sh PLOKE_BINARY ARTIFACTS_DIR [TEST...]      ($NVIM: an nvim other than the one in $PATH; all tests, if none is named)
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/workspace.sh"
PLOKE_BINARY=$(realpath "${1:?the ploke-lsp binary}")
mkdir -p "${2:?a folder for artifacts}"
ARTIFACTS_DIR=$(realpath "$2")
PLOKE_PLUGIN=$(dirname "$here")
servers=$(realpath "$here/../../..")/build/real-servers
GOPLS=$servers/bin/gopls
PYRIGHT=$servers/npm/node_modules/.bin/pyright-langserver
export PLOKE_BINARY ARTIFACTS_DIR PLOKE_PLUGIN GOPLS PYRIGHT
shift 2
chosen=" $* "
nvim=${NVIM:-nvim}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in CONFIG DATA STATE CACHE; do export "XDG_${kind}_HOME=$scratch/$kind"; done
mkdir -p "$XDG_CONFIG_HOME/ploke-lsp"
printf '[proof]\ncompile = false\n' >"$XDG_CONFIG_HOME/ploke-lsp/config.toml" # only the test of evidence has proposals checked
export TMPDIR=$scratch TMUX_TMPDIR=$scratch # for the sockets of Neovim and tmux
export LC_ALL=C.UTF-8
unset PLOKE_BASE_URL PLOKE_API_KEY PLOKE_MODEL

# Runs one test in a workspace folder with a state folder, which it creates if needed, and adds its counts to the totals.
# usage: run NAME FOLDER COMMAND...
passed=0 failed=0
run() {
  local output="$scratch/$1.out" folder="$scratch/$2" status p f
  [[ $chosen == *[^\ ]* && $chosen != *" $1 "* ]] && return
  echo "== $1"
  [ -d "$folder" ] || make_workspace "$folder"
  shift 2
  (cd "$folder" && PLOKE_STATE_DIR="$folder.state" timeout 180 "$@") >"$output" 2>&1
  status=$?
  cat "$output"
  read -r p f <<<"$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$output" | tail -1)"
  p=${p:-0} f=${f:-1}
  if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
    f=1
    echo "FAIL it ended with status $status"
  fi
  passed=$((passed + p)) failed=$((failed + f))
}

headless=("$nvim" --headless -u "$here/init.lua" -i NONE -n -c)
run basics workspace "${headless[@]}" "luafile $here/basics.lua"
run restart workspace "${headless[@]}" "luafile $here/restart.lua"
run broken_stream broken "${headless[@]}" "luafile $here/broken_stream.lua"
run enable enable "${headless[@]}" "luafile $here/enable.lua"
run version version "${headless[@]}" "luafile $here/version.lua"
run life life "${headless[@]}" "luafile $here/life.lua"
run life_again life "${headless[@]}" "luafile $here/life_again.lua"
run health health "${headless[@]}" "luafile $here/health.lua"
run api api "${headless[@]}" "luafile $here/api.lua"
run help help "${headless[@]}" "luafile $here/help.lua"
run keys keys "${headless[@]}" "luafile $here/keys.lua"
run chat chat "${headless[@]}" "luafile $here/chat.lua"
run transcript transcript "${headless[@]}" "luafile $here/transcript.lua"
run turns turns "${headless[@]}" "luafile $here/turns.lua"
run first_steps first_steps "${headless[@]}" "luafile $here/first_steps.lua"
run review review "${headless[@]}" "luafile $here/review.lua"
run review_edges review_edges "${headless[@]}" "luafile $here/review_edges.lua"
run amended amended "${headless[@]}" "luafile $here/amended.lua"
run any_order any_order "${headless[@]}" "luafile $here/any_order.lua"
run change change "${headless[@]}" "luafile $here/change.lua"
run create create "${headless[@]}" "luafile $here/create.lua"
run files files "${headless[@]}" "luafile $here/files.lua"
run proposals proposals "${headless[@]}" "luafile $here/proposals.lua"
run evidence evidence "${headless[@]}" "luafile $here/evidence.lua"
run lsp_bridge lsp_bridge "${headless[@]}" "luafile $here/lsp_bridge.lua"
run install install "$here/install.sh" "$nvim"
run tui tui "$here/tui.sh" "$nvim"
run small small "$here/small.sh" "$nvim"

cp "$scratch/STATE/nvim/lsp.log" "$ARTIFACTS_DIR/nvim-lsp.log" 2>/dev/null || cp "$scratch/CACHE/nvim/lsp.log" "$ARTIFACTS_DIR/nvim-lsp.log" 2>/dev/null
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
