#!/usr/bin/env bash
# Fails if a test can be skipped, or does less with -short, other than through internal/testbed, which fails instead
# of skipping when PLOKE_TEST_ALL=1, and whose callers scripts/longtests finds.
set -euo pipefail
cd "$(dirname "$0")/.."

skips=$(
  git ls-files -co --exclude-standard '*_test.go' '*/lsptest/*.go' '*/acptest/*.go' '*/llmtest/*.go' ':!internal/testbed/*' |
    xargs grep -nE '\.(Skip|Skipf|SkipNow)\(|testing\.Short\(\)' || true
  git ls-files -co --exclude-standard 'cmd/*/testdata/script/*.txtar' | xargs grep -nE '^[[:space:]]*(\[[^]]*\] *)*skip( |$)' || true
)
if [ -n "$skips" ]; then
  echo "$skips"
  echo "use internal/testbed instead, which never skips when PLOKE_TEST_ALL=1"
  exit 1
fi
echo "skips: none outside of internal/testbed"
