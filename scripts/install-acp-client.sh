#!/usr/bin/env bash
# Installs the client of the Agent Client Protocol that the tests run the agent with: the protocol's
# TypeScript SDK from npm, in the versions of acp/acptest/client/package-lock.json. The SDK brings the
# protocol's schema.
#
#   scripts/install-acp-client.sh DIR
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-acp-client.sh DIR}")
"$(dirname "$0")/install-npm-packages.sh" "$(dirname "$0")/../acp/acptest/client" "$dir"
echo "ACP client: the TypeScript SDK $(node -p "require('$dir/node_modules/@agentclientprotocol/sdk/package.json').version")"
