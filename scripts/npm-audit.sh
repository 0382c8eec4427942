#!/usr/bin/env bash
# Asks the npm registry for known vulnerabilities of a package's dependencies:
#
#   scripts/npm-audit.sh DIR
#
# fails if there are any. A registry without an audit endpoint is reported, and is no failure.
set -euo pipefail

cd "${1:?usage: npm-audit.sh DIR}"
report=$(npm audit --json --audit-level=low 2>/dev/null) && found=0 || found=$?
summary=$(node -e '
  const report = JSON.parse(require("fs").readFileSync(0, "utf8") || "{}");
  const counts = report.metadata?.vulnerabilities;
  console.log(counts ? `${counts.total} vulnerable of ${report.metadata.dependencies.total} dependencies` : "");
' <<<"$report")
if [ -z "$summary" ]; then
  echo "npm audit: not reachable, the registry has no audit endpoint"
  exit 0
fi
echo "npm audit: $summary"
exit "$found"
