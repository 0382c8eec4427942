#!/usr/bin/env bash
# Installs the programs that the benchmark compares with:
#
#   scripts/install-bench-peers.sh DIR
#
# universal-ctags and ripgrep come from Debian, the others are built into DIR. What
# can't be had is left out of the comparison.
set -uo pipefail

CODESEARCH=v1.2.0
GOPLS=v0.23.0
ZOEKT=v0.0.0-20240808144359-20c496e3680f # the newest that a module proxy is known to have
dir=$(realpath -m "${1:?usage: install-bench-peers.sh DIR}")

missing=()
command -v ctags >/dev/null || missing+=(universal-ctags)
command -v rg >/dev/null || missing+=(ripgrep)
if [ ${#missing[@]} -gt 0 ]; then
  apt=()
  [ "$(id -u)" -eq 0 ] && apt=(apt-get)
  [ ${#apt[@]} -eq 0 ] && command -v sudo >/dev/null && apt=(sudo apt-get)
  if [ ${#apt[@]} -eq 0 ] || ! command -v apt-get >/dev/null; then
    echo "peers: left out, since only root can install them: ${missing[*]}"
  else
    echo "peers: installing ${missing[*]}"
    "${apt[@]}" -q update &&
      DEBIAN_FRONTEND=noninteractive "${apt[@]}" -q -y --no-install-recommends install "${missing[@]}" ||
      echo "peers: left out, since Debian's packages could not be installed: ${missing[*]}"
  fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && go mod init peers) 2>/dev/null

# build MODULE VERSION PACKAGE builds it in a module of its own, unless that version is
# there. (`go install PACKAGE@VERSION` asks for the list of all versions, too, which
# not every module proxy has.)
build() {
  local program=${3##*/}
  if [ "$(go version -m "$dir/$program" 2>/dev/null | awk '$1 == "mod" { print $3 }')" = "$2" ]; then
    return
  fi
  echo "peers: building $program $2"
  (cd "$work" && go mod edit -require "$1@$2" && GOBIN=$dir go install -mod=mod "$3") ||
    echo "peers: left out, since it could not be built: $program"
}

# tree-sitter's own program comes from a newer suite of Debian, with the loader and the libraries of that suite. It compiles
# the grammar, which is that of our module, when it first parses.
tree_sitter() {
  local grammar=$dir/tree-sitter-files/grammars/tree-sitter-go libraries
  "$(dirname "$0")/unpack-packages.sh" "$dir/tree-sitter-files" trixie tree-sitter-cli || return
  mkdir -p "$grammar/src/tree_sitter" "$dir/tree-sitter-files/home/.config/tree-sitter"
  local module
  module=$(go list -m -f '{{.Dir}}' github.com/smacker/go-tree-sitter) || return
  sed 's|#include "parser.h"|#include "tree_sitter/parser.h"|' "$module/golang/parser.c" >"$grammar/src/parser.c"
  cat "$module/golang/parser.h" >"$grammar/src/tree_sitter/parser.h"
  echo '{"name": "go", "rules": {}}' >"$grammar/src/grammar.json"
  echo '{"name": "tree-sitter-go", "version": "0", "tree-sitter": [{"scope": "source.go", "file-types": ["go"], "path": "."}]}' >"$grammar/package.json"
  echo "{\"parser-directories\": [\"$dir/tree-sitter-files/grammars\"]}" >"$dir/tree-sitter-files/home/.config/tree-sitter/config.json"
  libraries=$dir/tree-sitter-files/files/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  cat >"$dir/tree-sitter" <<SH
#!/bin/sh
export HOME='$dir/tree-sitter-files/home'
exec '$libraries'/ld-linux*.so.* --library-path '$libraries' '$dir/tree-sitter-files/files/usr/bin/tree-sitter' "\$@"
SH
  chmod +x "$dir/tree-sitter"
  # the first parse compiles the grammar
  echo 'package p' >"$work/p.go"
  "$dir/tree-sitter" parse --quiet "$work/p.go"
}

mkdir -p "$dir"
if ! [ -x "$dir/tree-sitter" ]; then
  echo "peers: installing tree-sitter"
  tree_sitter || {
    rm -f "$dir/tree-sitter"
    echo "peers: left out, since it could not be installed: tree-sitter"
  }
fi
build github.com/google/codesearch "$CODESEARCH" github.com/google/codesearch/cmd/cindex
build github.com/google/codesearch "$CODESEARCH" github.com/google/codesearch/cmd/csearch
build golang.org/x/tools/gopls "$GOPLS" golang.org/x/tools/gopls
build github.com/sourcegraph/zoekt "$ZOEKT" github.com/sourcegraph/zoekt/cmd/zoekt-index
build github.com/sourcegraph/zoekt "$ZOEKT" github.com/sourcegraph/zoekt/cmd/zoekt
