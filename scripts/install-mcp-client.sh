#!/usr/bin/env bash
# Installs the official clients and the conformance tests of the Model Context Protocol
# from npm, with which ploke-lsp mcp is tested. mcp/realclient/package-lock.json has the exact versions.
#
#   scripts/install-mcp-client.sh DIR
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-mcp-client.sh DIR}")
wanted=$(realpath "$(dirname "$0")/../mcp/realclient")

if ! cmp -s "$wanted/package-lock.json" "$dir/node_modules/installed-lock.json"; then
  mkdir -p "$dir"
  cp "$wanted/package.json" "$wanted/package-lock.json" "$dir"
  npm ci --prefix "$dir" --ignore-scripts --no-audit --no-fund --loglevel=error
  cp "$wanted/package-lock.json" "$dir/node_modules/installed-lock.json"
fi
for package in sdk client conformance; do
  echo "MCP $package: $(node -p "JSON.parse(fs.readFileSync('$dir/node_modules/@modelcontextprotocol/$package/package.json')).version")"
done
