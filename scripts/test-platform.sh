#!/usr/bin/env bash
# Builds the tests for a platform and runs them, here or on such a machine:
#
#   scripts/test-platform.sh windows-amd64 build/wine/bin/wine
#   scripts/test-platform.sh linux-arm64 "$PWD/scripts/qemu-arm64.sh"
#   scripts/test-platform.sh windows-amd64
#
# scripts/untestable/PLATFORM.txt lists the tests that can't pass, each group below the reason. It may list neither a
# test that passes nor one that does not exist. Reasons that begin with the name of the runner don't hold without one.
set -euo pipefail
cd "$(dirname "$0")/.."
platform=${1:?usage: test-platform.sh PLATFORM [RUNNER...]}
shift
list=$PWD/scripts/untestable/$platform.txt
work=$PWD/build/platforms/$platform
mkdir -p "$work"

export CGO_ENABLED=1 GOOS=${platform%-*} GOARCH=${platform#*-}
case $platform in
windows-amd64)
  export CC=x86_64-w64-mingw32-gcc
  suffix=.exe
  ;;
linux-arm64)
  export CC=aarch64-linux-gnu-gcc
  suffix=
  # what a test starts finds no libraries for arm64 here, so it has them inside
  export GOFLAGS='-tags=netgo,osusergo -ldflags=-extldflags=-static'
  ;;
*)
  echo "there are no tests for $platform" >&2
  exit 1
  ;;
esac

# Tests of these packages depend on the operating system or on the width and order of bytes.
# PACKAGES names fewer of them.
packages=(internal/disk internal/diskwatch internal/lease internal/peer internal/store internal/config internal/setup internal/workspace
  internal/syntax index/pagesum index/postings index/records index/shards index/vectors index edits tools/mcpclient project/peers
  cmd/ploke-lsp)
# On Linux its tests run commands in the sandbox, which needs the machine's own kernel.
if [ "$GOOS" = windows ]; then packages+=(internal/trial); fi
export PLOKE_TEST_ALL=1 WINEPREFIX=$work/prefix
PLOKE_TEST_LSP_TYPES=$(go list -m -f '{{.Dir}}' go.lsp.dev/protocol)
export PLOKE_TEST_LSP_TYPES
native=$((! $#))
failed=0
for package in ${PACKAGES:-${packages[@]}}; do
  log=$work/${package//\//-}
  go test -c -o "$log.test$suffix" "./$package"
  skipped=$(awk -v package="$package" -v native=$native '
    /^# / { reason = $0 }
    $1 == "skip" && $2 == package && !(native && reason ~ /^# (Wine|qemu)/) { printf "%s^%s$", bar, $3; bar = "|" }' "$list")
  (cd "$package" && "$@" "$log.test$suffix" -test.short -test.v -test.timeout 60m ${skipped:+-test.skip "$skipped"}) >"$log.log" 2>&1 || true
  "$log.test$suffix" -test.list . 2>/dev/null >"$log.names" || (cd "$package" && "$@" "$log.test$suffix" -test.list .) >"$log.names"
  awk -v package="$package" -v native=$native -f scripts/judge-tests.awk "$list" "$log.names" "$log.log" || failed=1
  rm -f "$log.test$suffix" # some are as large as the program
done
exit $failed
