#!/usr/bin/env bash
# Puts Node.js 20 or 24 with its headers, and an npm, into a folder:
#
#   scripts/install-node.sh DIR [20|24]
#
# does nothing where the machine has that version already. Debian's own nodejs is
# older; it serves to fetch the right one from npm.
set -euo pipefail

NPM=10.9.4
dir=$(realpath -m "${1:?usage: install-node.sh DIR [20|24]}")
major=${2:-20}
case $major in
  20) NODE=20.20.2 ;;
  24) NODE=24.9.0 ;;
  *) echo "install-node: no version of Node.js $major is known here" >&2; exit 2 ;;
esac

if [ -x "$dir/node_modules/.bin/npm" ] || [[ $(node --version 2>/dev/null) == v$major.* ]] && command -v npm >/dev/null; then
  echo "Node.js: $(node --version)"
  exit 0
fi

if ! command -v npm >/dev/null; then
  apt=(apt-get)
  [ "$(id -u)" -eq 0 ] || apt=(sudo apt-get)
  "${apt[@]}" -q update
  DEBIAN_FRONTEND=noninteractive "${apt[@]}" -q -y --no-install-recommends install nodejs npm
fi
platform=linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
mkdir -p "$dir"
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error "node-$platform@$NODE" "npm@$NPM"
ln -sf "../node-$platform/bin/node" "$dir/node_modules/.bin/node"
echo "Node.js: $("$dir/node_modules/.bin/node" --version)"
