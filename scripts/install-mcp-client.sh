#!/usr/bin/env bash
# Installs the official clients and the conformance tests of the Model Context Protocol
# from npm, with which ploke-lsp mcp is tested. mcp/realclient/package-lock.json has the exact versions.
#
#   scripts/install-mcp-client.sh DIR
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-mcp-client.sh DIR}")
"$(dirname "$0")/install-npm-packages.sh" "$(dirname "$0")/../mcp/realclient" "$dir"
for package in sdk client conformance; do
  echo "MCP $package: $(node -p "JSON.parse(fs.readFileSync('$dir/node_modules/@modelcontextprotocol/$package/package.json')).version")"
done
