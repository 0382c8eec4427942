#!/usr/bin/env bash
# Runs each fuzz target for so many seconds, so many of them at a time:
#
#   scripts/fuzz.sh SECONDS AT_ONCE
#
# An input that fails is kept below its package's testdata/fuzz, and is a test from then on.
# An input that gets to new code is kept in Go's cache, and the next run goes on from there: it runs
# all of them first ("baseline"), which may take all of a short time.
set -euo pipefail
seconds=${1:?"usage: fuzz.sh SECONDS AT_ONCE"}
at_once=${2:?"usage: fuzz.sh SECONDS AT_ONCE"}
cd "$(dirname "$0")/.."

targets="
./tools FuzzArguments
./tools/wording FuzzSnippet
./tools FuzzEcho
./tools/placing FuzzEditedText
./edits FuzzApply
./edits FuzzEditedPatch
./internal/workspace FuzzConfinement
./session/redact FuzzHide
./session/llm FuzzEventStream
./internal/wire FuzzWire
./index/postings FuzzSegment
./session/redact FuzzFragment
./lsp FuzzMessages
./lsp FuzzSessions
./lsp/mux FuzzMessages
./lsp FuzzCommentQuestions
./lsp/chatdoc FuzzUpdate
./internal/setup FuzzRoundTrip
./cmd/ploke-lsp FuzzDecisionsInThreeDoors
./internal/peer FuzzPeer
"

binaries=$(mktemp -d)
trap 'rm -rf "$binaries"' EXIT
cache=$(go env GOCACHE)/fuzz

# A package's targets share a program, so that it is built and linked once.
for package in $(awk 'NF {print $1}' <<<"$targets" | sort -u); do
  go test -c -fuzz . -o "$binaries/$package/" "$package"
done

fuzz() {
  local package=$1 target=$2 output status=0
  output=$(cd "$package" && "$binaries/$package"/*.test -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "${seconds}s" \
    -test.fuzzminimizetime 1000x -test.parallel 1 -test.fuzzcachedir "$cache/$(go list .)" 2>&1) || status=$?
  # Go before 1.27 may report its own deadline as a failure (golang/go#75804).
  if [ $status != 0 ] && grep -q '^    context deadline exceeded$' <<<"$output" && ! grep -q 'Failing input written' <<<"$output"; then
    status=0
  fi
  grep -q '^fuzz: elapsed: ' <<<"$output" || status=1 # there is no such target
  if [ $status != 0 ]; then
    echo "$output"
  fi
  echo "$target: $(grep -oE 'execs: [0-9]+|baseline coverage: [0-9]+' <<<"$output" | tail -1), $([ $status = 0 ] && echo nothing found || echo FAILED)"
  return $status
}
export -f fuzz
export seconds binaries cache

xargs -P "$at_once" -L 1 bash -c 'fuzz "$@"' fuzz <<<"$(grep . <<<"$targets")"
