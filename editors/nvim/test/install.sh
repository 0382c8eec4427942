#!/usr/bin/env bash
# Tests the ways in which plugin managers load the plugin: at start from a package, and later by :packadd.
# usage, from run.sh only: install.sh NVIM
set -u
plugin=$(realpath "$PLOKE_PLUGIN")
site=$XDG_DATA_HOME/nvim/site

passed=0 failed=0
# usage: loads WHAT FOLDER NVIM ARGUMENTS...
loads() {
  local what=$1 folder=$2
  shift 2
  mkdir -p "$folder" && ln -s "$plugin" "$folder/ploke"
  if "$@" -c 'lua if vim.fn.exists(":Ploke") ~= 2 or vim.fn.maparg("<Plug>(ploke-chat-close)") == "" then vim.cmd("cquit 1") end' -c 'qall!'; then
    echo "ok   $what"
    passed=$((passed + 1))
  else
    echo "FAIL $what"
    failed=$((failed + 1))
  fi
  rm "$folder/ploke"
}
loads 'a package at start, without a setup' "$site/pack/ploke/start" timeout 20 "$1" --headless -u NORC -i NONE
loads 'a package on demand' "$site/pack/deps/opt" timeout 20 "$1" --headless -u NORC -i NONE -c 'packadd ploke'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
