#!/usr/bin/env bash
# Builds the packages for linux-amd64 a second time, in another folder, without Go's cache and with
# the modules in another place, and compares all files with those of the first time.
#
#   scripts/test-reproducible.sh DIST
set -euo pipefail
dist=$(realpath "${1:?usage: test-reproducible.sh DIST}")
cd "$(dirname "$0")/../release"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/release" .
modules=$(go env GOMODCACHE)
GOPROXY=file://$modules/cache/download,$(go env GOPROXY) GOSUMDB=off GOFLAGS=-modcacherw
export GOPROXY GOSUMDB GOFLAGS
export GOMODCACHE=$work/modules GOCACHE=$work/cache TMPDIR=$work/tmp
mkdir "$TMPDIR"
for step in build finish; do
  "$work/release" "$step" -platforms linux-amd64 -work "$work/a longer folder" -out "$work/dist"
done
diff --recursive --brief "$dist" "$work/dist"
echo "ok    two builds in different folders are the same, byte for byte: $(ls "$dist" | wc -l) files and folders"
