# Sourced by run.sh: an editor in a terminal, its keys and its screens.

runs=0
screen() { tmux -L "ploke-$$-$runs" -f /dev/null "$@"; }
keys() { screen send-keys "$@"; }
text() { screen send-keys -l -- "$1"; }

# Starts a program in the workspace, on a terminal of its own, which is as wide as the narrowest that people use. A tmux
# server of its own, since the last one may have no session any more and still end.
start() {
  runs=$((runs + 1))
  screen new-session -d -x 80 -y 60 -c "$folder" "$1"
}
leave() { screen kill-server 2>/dev/null; }
left() { ! screen has-session 2>/dev/null; }

passed=0 failed=0 number=0
# Counts a result. Each step builds on the one before, so the first failure ends the scenario.
report() { # RESULT WHAT
  if [ "$1" = 0 ]; then
    echo "ok   $2"
    passed=$((passed + 1))
    return
  fi
  echo "FAIL $2"
  failed=1
  cat "$scratch/screen"
  finish
}

finish() {
  echo "$passed passed, $failed failed"
  exit "$failed"
}

# Waits until a command succeeds, for 30 seconds.
await() {
  for _ in $(seq 300); do
    "$@" && return
    sleep 0.1
  done
  return 1
}

look() { screen capture-pane -p >"$scratch/screen" 2>&1; }
on_screen() { look && grep -qE -- "$1" "$scratch/screen" && ! asks_for_a_key; }
asks_for_a_key() { grep -qE 'Press ENTER|-- More --' "$scratch/screen"; } # as Neovim does for what does not fit
not_on_screen() { look && ! grep -qE -- "$1" "$scratch/screen"; }

# Waits until each pattern is on the screen, and keeps the screen.
shows() { # WHAT PATTERN...
  local what=$1 pattern
  shift
  for pattern; do
    await on_screen "$pattern" || { keep "$what" && report 1 "$what: no '$pattern' on the screen"; }
  done
  keep "$what"
  report 0 "$what"
}

# Like shows, and repeats a command until then, for what the server may not have sent yet.
shows_by() { # COMMAND WHAT PATTERN
  for _ in $(seq 30); do
    "$1"
    for _ in $(seq 10); do
      sleep 0.1
      on_screen "$3" && break 2
    done
  done
  shows "$2" "$3"
}

# Waits until a pattern is not on the screen any more, and keeps the screen.
shows_no_more() { # WHAT PATTERN
  await not_on_screen "$2" || { keep "$1" && report 1 "$1: '$2' is still on the screen"; }
  keep "$1"
  report 0 "$1"
}

keep() {
  number=$((number + 1))
  cp "$scratch/screen" "$artifacts/$editor-$(printf '%02d' "$number")-$(tr -c '[:alnum:]\n' - <<<"$1").txt"
}
