#!/usr/bin/env bash
# Fails if a test sleeps, or asks again and again until a deadline without a pause. It would be slow, or take the processor from
# what it waits for. internal/testbed has what waits. A line that does so all the same says why: "// on purpose: …".
# In a file with testing/synctest, sleeping is free: the time of a bubble is not real.
set -euo pipefail
cd "$(dirname "$0")/.."

spins='runtime\.Gosched\(\)|time\.Now\(\)\.(After|Before)\(|[^a-z]t\.Context\(\)\.Err\(\)'
sleeps='time\.Sleep\(|^[[:space:]]*<-time\.(After|Tick)\(|^[[:space:]]*for .*time\.Now\(\)'

tests() {
  git ls-files -co --exclude-standard '*_test.go' '*/lsptest/*.go' '*/acptest/*.go' '*/llmtest/*.go' '*/mcptest/*.go' '*/wiretest/*.go' ':!internal/testbed/*'
}
waits=$(
  {
    tests | xargs grep -nE "$spins" || true
    tests | xargs grep -L '"testing/synctest"' | xargs grep -nE "$sleeps" || true
  } | grep -vE '// on purpose: .' || true
)
if [ -n "$waits" ]; then
  echo "$waits"
  echo "use internal/testbed instead: Receive for an event, or else Eventually"
  exit 1
fi
echo "waits: none that sleeps or spins outside of internal/testbed"
