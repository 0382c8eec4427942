# Sourced by the tests in a terminal: Neovim in tmux, whose screens are waited for and saved as artifacts.
socket="ploke-$$"
screen() { tmux -L "$socket" -f /dev/null "$@"; }
trap 'screen kill-server 2>/dev/null' EXIT

passed=0 failed=0
# Waits until the screen shows a text, and saves the screen as an artifact. Neovim must never ask to press ENTER meanwhile.
# usage: shows WHAT REGEX ARTIFACT
shows() {
  local what=$1 text=$2 artifact=$3
  local why="no '$text' on the screen"
  for _ in $(seq 200); do
    screen capture-pane -p >"$ARTIFACTS_DIR/nvim-$artifact.txt"
    if grep -qE 'Press ENTER|-- More --|^Workspace edit' "$ARTIFACTS_DIR/nvim-$artifact.txt"; then
      why='Neovim asks for a key, or says what was not asked'
      keys Enter
      break
    elif grep -qE -- "$text" "$ARTIFACTS_DIR/nvim-$artifact.txt"; then
      echo "ok   $what"
      passed=$((passed + 1))
      return
    fi
    sleep 0.1
  done
  echo "FAIL $what: $why"
  cat "$ARTIFACTS_DIR/nvim-$artifact.txt"
  failed=$((failed + 1))
}
keys() { screen send-keys "$@"; }
# Types a command line.
command() { keys Escape && keys -l ":$1" && keys Enter; }

