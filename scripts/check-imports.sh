#!/usr/bin/env bash
# Fails if a package imports one that stands beside or above it, or what makes the
# program much larger. The order, and why it is this one, is in ARCHITECTURE.md.
set -euo pipefail
cd "$(dirname "$0")/.."
module=$(go list -m)

go list -f '{{.ImportPath}} {{join .Imports " "}}' ./... | awk -v module="$module" '
  function name(path) { sub("^" module "/", "", path); return path }
  # the smaller the higher; packages of one rank may not import each other
  function rank(p) {
    if (p ~ /^cmd\// || p ~ /^bench(\/|$)/) return 1
    if (p == "docs") return 1 # tests of the pages alone
    if (p ~ /^(e2e|scripts)\//) return 1
    if (p == "lsp" || p == "acp" || p == "mcp") return 2 # the doors beside each other
    if (p == "lsp/review" || p == "lsp/chat") return 2.2
    if (p == "lsp/document") return 2.3
    if (p == "lsp/client") return 2.4
    if (p == "project") return 2.5
    if (p == "project/indexing") return 2.7
    if (p == "lsp/lsptest/lspcheck") return 9 # for tests
    if (p == "acp/acptest" || p == "lsp/lsptest") return 7.5 # for tests, and use what internal/testbed has for all
    if (p == "lsp/protocol/generate" || p == "lsp/wire/wiretest" || p == "session/llm/llmtest" || p == "internal/o200k/o200ktest" || p == "internal/testbed" || p == "tools/mcpclient/mcptest") return 8 # for tests
    if (p == "session") return 3
    if (p == "session/telemetry") return 8 # watches the bus
    if (p == "tools/mcpclient") return 3.5
    if (p == "tools") return 4
    if (p == "edits" || p == "index") return 5
    if (p == "index/query") return 5.2
    if (p == "index/graph") return 5.4
    if (p == "index/shards") return 5.6
    if (p == "index/records" || p == "index/traits") return 5.8
    if (p == "edits/problems" || p == "edits/rooted") return 5.5
    if (p == "index/history") return 6.5
    if (p == "index/postings" || p == "index/vectors" || p == "index/pagesum") return 7
    if (p ~ /^internal\/(workspace|syntax|store|config|o200k|display|lease|secretscan|pieces|setup|twin|diskwatch|collector|notebook|wake)$/) return 6
    if (p == "acp/protocol" || p == "lsp/protocol" || p == "lsp/protocol/schema" || p == "lsp/chatdoc" || p == "lsp/wire" || p == "session/bus" || p == "session/llm") return 9
    if (p == "session/redact") return 3.5
    if (p == "session/records") return 5
    if (p == "session/window") return 3.2
    if (p == "session/llm/embedded") return 8.5
    if (p == "session/llm/repair") return 9.5
    if (p == "internal/lazyregexp") return 10 # used by all
    if (p == "internal/rpc" || p == "internal/disk" || p == "internal/shell" || p == "internal/process") return 9 # what differs between systems, and what both protocols of JSON-RPC share
    return 0
  }
  # what the packages at the bottom may be used by
  function allowed(from, to) {
    if (to == "lsp/protocol") return from ~ /^(bench$|cmd\/|lsp$|lsp\/(chat|client|document|review)$|lsp\/lsptest$|lsp\/protocol\/generate$)/
    if (to ~ /^lsp\/(client|document)$/) return from ~ /^lsp(\/(chat|document|review))?$/
    if (to == "lsp/review" || to == "lsp/chat") return from == "lsp"
    if (to == "acp/protocol") return from ~ /^acp(\/acptest)?$/
    if (to == "internal/testbed" && (from == "acp/acptest" || from == "lsp/lsptest")) return 1
    if (to == "lsp/protocol/schema") return from == "lsp/lsptest"
    if (to == "lsp/wire") return from ~ /^lsp(\/(client|document))?$/
    if (to == "internal/testbed" || to == "tools/mcpclient/mcptest") return 0 # tests alone, whose imports are not checked
    if (to == "edits/problems") return from ~ /^(edits|tools)$/
    if (to == "edits/rooted") return from == "edits"
    if (to == "index/shards" || to == "index/records") return from ~ /^index(\/|$)/
    if (to == "internal/testbed" || to == "tools/mcptools/mcptest") return 0 # tests alone, whose imports are not checked
    if (to == "index/query") return from == "index"
    if (to == "index/graph" || to == "index/shards" || to == "index/records") return from ~ /^index(\/|$)/
    if (to == "index/history") return from ~ /^index\/(query|shards)$/
    if (to == "index/postings") return from ~ /^index(\/|$)/
    if (to == "index/vectors") return from ~ /^(bench|index\/shards)$/
    if (to == "index/pagesum") return from == "index/shards"
    if (to == "lsp/chatdoc") return from == "lsp/chat"
    if (to == "internal/testbed" || to == "tools/mcptools/mcptest") return 0 # tests alone, whose imports are not checked
    if (to == "index/history") return from == "index"
    if (to == "index/postings") return from ~ /^index(\/history)?$/
    if (to == "index/vectors") return from ~ /^(bench|index)$/
    if (to == "index/pagesum") return from == "index"
    if (to == "internal/rpc") return from ~ /^(acp|lsp(\/(chat|review))?)$/
    if (to == "project/indexing") return from ~ /^(lsp|project)(\/|$)/
    if (to == "internal/setup") return from ~ /^(cmd\/|docs$)/
    if (to == "internal/config") return from ~ /^(acp$|cmd\/|lsp$|project$)/
    if (to == "session/llm/embedded") return from ~ /^(project|session)$/
    if (to == "session/llm/repair") return from ~ /^session(\/llm)?$/
    if (to == "session/records") return from ~ /^(acp|lsp\/(chat|client)|project|session)$/
    if (to == "session/redact") return from == "session"
    if (to == "tools/mcpclient") return from ~ /^(acp|project)$/
    if (to ~ /^session\/(bus|llm)$/) return from ~ /^(acp$|bench(\/retrieval)?$|cmd\/|lsp$|lsp\/(chat|client|review)$|project(\/indexing)?$|session$|session\/records$|session\/telemetry$|session\/llm\/(embedded|llmtest)$)/
    if (to == "tools/mcptools") return from ~ /^(acp|project)$/
    if (to ~ /^session\/(bus|llm)$/) return from ~ /^(acp$|bench$|cmd\/|lsp$|project$|project\/indexing$|session$|session\/telemetry$|session\/llm\/llmtest$)/
    if (to == "session/records") return from ~ /^(acp|lsp|project|session|session\/window)$/
    if (to == "session/window") return from == "session"
    if (to == "session/redact") return from ~ /^session(\/window)?$/
    if (to == "tools/mcptools") return from ~ /^(acp|project)$/
    if (to ~ /^session\/(bus|llm)$/) return from ~ /^(acp$|bench$|cmd\/|lsp$|project$|session$|session\/(records|window)$|session\/telemetry$|session\/llm\/(embedded|llmtest)$)/
    return 1
  }
  {
    from = name($1)
    if (!rank(from)) { print from ": no place is set for this package in scripts/check-imports.sh"; bad = 1 }
    for (i = 2; i <= NF; i++) {
      if (index($i, module "/") != 1) continue
      to = name($i)
      edges++
      if (rank(to) <= rank(from) || !allowed(from, to)) { print from " must not import " to; bad = 1 }
    }
  }
  END { if (!bad) print "imports: " edges " edges, all downward"; exit bad }'

# text/template calls methods by name, so that the linker keeps all methods of all types: 9 MB
if go list -deps ./cmd/ploke-lsp | grep -x text/template; then
  echo "imports: the program must not depend on text/template"
  exit 1
fi
