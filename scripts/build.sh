#!/usr/bin/env bash
# Builds the program. The first time takes minutes, so it says how far it is.
#
#   scripts/build.sh PROGRAM
set -euo pipefail
program=${1:?"usage: build.sh PROGRAM"}
cd "$(dirname "$0")/.."

all=$(go list -deps ./cmd/ploke-lsp | wc -l)
built=0
# go build -v prints the packages that it compiles, and not those that it has. Anything else is a message.
go build -v -ldflags="-s -w" -o "$program" ./cmd/ploke-lsp 2>&1 | while IFS= read -r line; do
  if [[ $line =~ ^[a-zA-Z0-9_./~-]+$ ]]; then
    built=$((built + 1))
    if [ -t 1 ]; then
      printf '\rbuilding: %d of at most %d packages' "$built" "$all"
    elif [ $((built % 50)) = 1 ]; then
      echo "building: $built of at most $all packages"
    fi
  else
    printf '%s\n' "$line" >&2
  fi
done
[ ! -t 1 ] || printf '\r\033[K'
