#!/usr/bin/env bash
# Fails if a package imports one that scripts/imports.txt does not let it import, or what makes the program much larger.
set -euo pipefail
cd "$(dirname "$0")/.."
module=$(go list -m)

go list -f '{{.ImportPath}} {{join .Imports " "}}' ./... | awk -v module="$module/" '
  FNR == NR {
    sub(/#.*/, "")
    if (!NF) next
    package = $1; sub(/:$/, "", package)
    line[package] = FNR
    if ($2 == "*") { forAll[package] = 1; next }
    for (i = 2; i <= NF; i++) allowed[$i, package] = 1
    next
  }
  {
    from = substr($1, length(module) + 1)
    if (!(from in line)) { print from ": no line of scripts/imports.txt names this package"; bad = 1 }
    for (i = 2; i <= NF; i++) {
      if (index($i, module) != 1) continue
      to = substr($i, length(module) + 1)
      edges++
      if (line[to] <= line[from] && !tests(from)) { print from " must not import " to ", which stands above it"; bad = 1 }
      if (!(to in forAll) && !((from, to) in allowed)) { print from " must not import " to; bad = 1 }
    }
  }
  function tests(package) { return package ~ /test$/ }
  END { if (!bad) print "imports: " edges " edges, all downward"; exit bad }' scripts/imports.txt -

# text/template calls methods by name, so that the linker keeps all methods of all types: 9 MB
if go list -deps ./cmd/ploke-lsp | grep -x text/template; then
  echo "imports: the program must not depend on text/template"
  exit 1
fi
