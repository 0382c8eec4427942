#!/usr/bin/env bash
# Packages the extension with the server inside: package.sh PLATFORM PLOKE_BINARY [FILE...]
# PLATFORM is one of VS Code's, such as linux-x64, linux-arm64, darwin-arm64 or win32-x64;
# PLOKE_BINARY is a ploke-lsp that was built for it; further files go beside it. Writes out/ploke-PLATFORM.vsix.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: package.sh PLATFORM PLOKE_BINARY [FILE...]" >&2; exit 2; }
platform=$1
binary=$(realpath "$2")
shift 2
beside=()
for file in "$@"; do beside+=("$(realpath "$file")"); done
[ -f "$binary" ] || { echo "no program at $binary; build the server first" >&2; exit 2; }
name=ploke-lsp
case $platform in win32-*) name=ploke-lsp.exe ;; esac

cd "$(dirname "$0")"
trap 'rm -rf bin' EXIT
rm -rf bin
mkdir bin
install -m 755 "$binary" "bin/$name"
[ ${#beside[@]} -eq 0 ] || install -m 644 "${beside[@]}" bin
npm run --silent package -- --target "$platform" --out "out/ploke-$platform.vsix"
