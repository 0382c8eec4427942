#!/usr/bin/env bash
# Runs a command whose temporary files are in memory, if /dev/shm has 4 GB for them:
#
#   scripts/in-memory.sh COMMAND...
#
# Tests that write wait for the disk most of their time, since SQLite and the journal of
# edits ask it to store what they commit.
set -euo pipefail

# The name is always the same, since Go repeats a test whose environment differs.
dir=/dev/shm/ploke-test-$(id -u)

usable() {
  local free
  free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1)
  [ "${free:-0}" -ge $((4 << 20)) ] || return 1
  mkdir -p -m 700 "$dir" 2>/dev/null && [ -O "$dir" ] && [ ! -L "$dir" ] || return 1
  cp "$(type -P true)" "$dir/true" && "$dir/true" 2>/dev/null # no, where it is mounted noexec
}

if usable; then
  find "$dir" -mindepth 1 -maxdepth 1 -mmin +240 -exec rm -rf {} + # of runs that were killed
  export TMPDIR=$dir GOTMPDIR=$dir # Go's tests use the second one, if it is set
fi
exec "$@"
