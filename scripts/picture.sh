#!/usr/bin/env bash
# Draws the picture of the README: the real server in a real Neovim, on Go's standard library.
#
#   [NVIM=PROGRAM] scripts/picture.sh PLOKE_LSP PNG
#
# Neovim runs in tmux. Its screen becomes HTML, and Chromium draws that. Without a key and without a network.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
PLOKE_BINARY=$(realpath "$1")
png=$(realpath -m "$2")
PLOKE_PLUGIN=$here/../editors/nvim
export PLOKE_BINARY PLOKE_PLUGIN
"$here/install-test-packages.sh"

columns=132 rows=55
scratch=$(mktemp -d)
for kind in CONFIG DATA STATE CACHE; do export "XDG_${kind}_HOME=$scratch/$kind"; done
export PLOKE_STATE_DIR=$scratch/ploke TMPDIR=$scratch TMUX_TMPDIR=$scratch LC_ALL=C.UTF-8
unset PLOKE_BASE_URL PLOKE_API_KEY PLOKE_MODEL # the embedded model answers

terminal() { tmux -L picture -f /dev/null "$@"; }
trap 'terminal kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT

# Types a command into Neovim.
enter() { terminal send-keys Escape && terminal send-keys -l ":$1" && terminal send-keys Enter; }

# Waits until the screen shows a text.
shows() {
  for _ in $(seq 600); do
    if terminal capture-pane -p | grep -qE -- "$1"; then return; fi
    sleep 0.1
  done
  echo "the screen does not show '$1':" >&2
  terminal capture-pane -p >&2
  exit 1
}

cd "$(go env GOROOT)/src"
"$PLOKE_BINARY" index >/dev/null
terminal new-session -d -x "$columns" -y "$rows" "${NVIM:-nvim} -u $here/picture/init.lua -i NONE -n net/http/server.go"
shows ' ploke *$'
enter 'Ploke ask how does the http server shut down gracefully'
shows '→ Server::Shutdown'
shows ' ploke *$'
enter 'Ploke ask rename shutdownPollIntervalMax to maxShutdownPoll'
shows 'ploke 0/4 '
enter 'Ploke next'
shows 'ploke 1/4 '
enter 'lua arrange()'
shows 'const maxShutdownPoll'
enter 'echo'
sleep 1
terminal capture-pane -e -p -N >"$scratch/screen"
enter 'qall!'

python3 "$here/picture/ansi_to_html.py" 'nvim net/http/server.go' "$columns" "$rows" <"$scratch/screen" >"$scratch/page.html"
mkdir -p "$(dirname "$png")"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=2 --user-data-dir="$scratch/chromium" \
  --window-size=$((columns * 78 / 10 + 85)),$((rows * 18 + 114)) --screenshot="$png" "file://$scratch/page.html" 2>/dev/null
echo "$png"
