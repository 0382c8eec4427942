#!/usr/bin/env bash
# Measures references and callers against language servers.
#
#   scripts/bench-edges.sh REPOS WORK NPM TSSERVER
#
# REPOS has bare repositories OWNER+NAME/repo, WORK keeps their checkouts and gopls, NPM has pyright, and TSSERVER is
# TypeScript's tsserver.js. A repository that REPOS lacks is left out.
set -euo pipefail
repos=${1:?"usage: bench-edges.sh REPOS WORK NPM TSSERVER"}
work=$(realpath -m "$2") npm=$(realpath -m "$3") tsserver=$(realpath -m "$4")
mkdir -p "$work"
[ -x "$work/gopls" ] || GOBIN=$work go install golang.org/x/tools/gopls@v0.22.0

check_out() { # prints the folder of each repository
  for name in "$@"; do
    [ -d "$repos/$name/repo" ] || continue
    [ -d "$work/$name" ] || git clone --quiet --shared "$repos/$name/repo" "$work/$name" >&2
    [ ! -f "$work/$name/go.mod" ] || (cd "$work/$name" && go mod download >&2)
    printf '%s\n' "$work/$name"
  done
}

measure() { # SERVER REPOSITORY...
  local server=$1
  shift
  mapfile -t trees < <(check_out "$@")
  [ ${#trees[@]} = 0 ] || go run ./bench/edges -server "$server" "${trees[@]}"
}

measure "go=$work/gopls" restic+restic spf13+afero charmbracelet+bubbletea
measure "python=$npm/node_modules/.bin/pyright-langserver --stdio" encode+httpx pallets+werkzeug tiangolo+typer
measure "typescript=node $tsserver --disableAutomaticTypingAcquisition" honojs+hono TanStack+query
