#!/usr/bin/env bash
# Fails if the program opens a file by os.Open or os.ReadFile, which wait for the other end of a pipe and read what has no
# end: internal/disk has OpenRegular and ReadRegular, and internal/workspace reads what lies in the workspace. Only files
# of the system, of our own state, or that the person names are opened so.
set -euo pipefail
cd "$(dirname "$0")/.."

allowed='
  index/postings/segment.go index/shards/database.go index/shards/dense.go index/shards/scanned.go index/shards/writer.go
  internal/config/file.go internal/setup/original.go
  internal/disk/disk_other.go internal/diskwatch/run_linux.go internal/lease/start_linux.go internal/sandbox/
  internal/workspace/folder_other.go
  lsp/chat/known_texts.go lsp/protocol/generate/ mcp/token.go
'
exclude=()
for path in $allowed; do exclude+=(":!$path"); done
reads=$(
  git ls-files -co --exclude-standard -- cmd lsp session tools index edits project acp mcp internal "${exclude[@]}" |
    grep '\.go$' | grep -vE '_test\.go$|/(lsptest|acptest|mcptest|llmtest|testbed)/' | xargs grep -nE '\bos\.(Open|ReadFile)\(' || true
)
if [ -n "$reads" ]; then
  echo "$reads"
  echo "use internal/disk or internal/workspace, which never wait for a pipe and read no more than a bound"
  exit 1
fi
echo "reads: all files are opened by internal/disk and internal/workspace, but for the system's and our own"
