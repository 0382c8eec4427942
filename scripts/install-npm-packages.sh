#!/usr/bin/env bash
# Installs packages from npm in the exact versions of a package-lock.json, unless they are there. None of their own
# programs runs.
#
#   scripts/install-npm-packages.sh LOCKED DIR     LOCKED has package.json and package-lock.json
set -euo pipefail

locked=$(realpath "${1:?usage: install-npm-packages.sh LOCKED DIR}")
dir=$(realpath -m "${2:?usage: install-npm-packages.sh LOCKED DIR}")

if ! cmp -s "$locked/package-lock.json" "$dir/node_modules/installed-lock.json"; then
  mkdir -p "$dir"
  cp "$locked/package.json" "$locked/package-lock.json" "$dir"
  npm ci --prefix "$dir" --ignore-scripts --no-audit --no-fund --loglevel=error
  cp "$locked/package-lock.json" "$dir/node_modules/installed-lock.json"
fi
