#!/usr/bin/env bash
# Installs each package of a release where nothing of ploke-lsp is, and asks a question. An
# installation and its question may take two commands and 60 seconds.
#
#   scripts/test-packages.sh DIST ROOT
#
# DIST is the folder of a release for linux-amd64; ROOT is a folder for a Debian system, which is
# made by debootstrap if it is not there. Needs root, for chroot.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: test-packages.sh DIST ROOT" >&2; exit 2; }
dist=$(realpath "$1")
root=$(realpath -m "$2")
repository=$(realpath "$(dirname "$0")/..")
LIMIT=60          # seconds
LARGEST=64000000  # bytes of the program

work=$(mktemp -d)
trap 'rm -rf "$work" "$root/project" "$root/state"' EXIT
project() {
  mkdir -p "$1"
  printf 'package main\n\nfunc main() { greet("you") }\n\n// greet greets a person.\nfunc greet(name string) { println("hello", name) }\n' >"$1/main.go"
}
project "$work/project"

only() { # the one file that fits a pattern
  local found=("$dist"/$1)
  [ ${#found[@]} -eq 1 ] && [ -f "${found[0]}" ] || { echo "not one file in $dist fits $1: ${found[*]}" >&2; return 1; }
  echo "${found[0]}"
}

# check NAME FUNCTION [ARGUMENT...]: the function prints the answer to "who calls greet"
check() {
  local name=$1 begun=$SECONDS answer
  shift
  answer=$(export -f "$1"; timeout "$LIMIT" bash -euo pipefail -c '"$@"' bash "$@" 2>"$work/errors") || {
    echo "FAIL  $name, exit status $?: $(tail -n 20 "$work/errors")"
    exit 1
  }
  grep -q 'main.go:3' <<<"$answer" || { echo "FAIL  $name: the answer cites no caller: $answer"; exit 1; }
  echo "ok    $name: installed and answered in $((SECONDS - begun)) s"
}

clean() { # runs a command as a new user would
  env -i HOME="$work/home" PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"
}

from_archive() {
  tar -xzf "$1" -C "$work/archive"
  clean "$work"/archive/*/ploke-lsp ask --workspace "$work/project" "who calls greet"
}

from_deb() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin apt-get -qq install --no-install-recommends /tmp/ploke-lsp.deb >&2
  chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root PLOKE_STATE_DIR=/state ploke-lsp ask --workspace /project "who calls greet"
}

# There is no Fedora here, so the C library is this machine's.
from_rpm() {
  rpm --root "$work/rpm" --install --nodeps --ignorearch "$1" >&2
  clean "$work/rpm/usr/bin/ploke-lsp" ask --workspace "$work/project" "who calls greet"
}

from_npm() {
  npm install --global --prefix "$work/npm" --offline --no-audit --no-fund --loglevel=error "$1" "$2" >&2
  clean PATH="$work/npm/bin:$(dirname "$(command -v node)"):/usr/bin:/bin" ploke-lsp ask --workspace "$work/project" "who calls greet"
}

debian() {
  [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$root" >"$work/debootstrap" ||
    { tail "$work/debootstrap" >&2; return 1; }
  chroot "$root" dpkg --purge ploke-lsp 2>/dev/null || true
  project "$root/project"
  cp "$(only 'ploke-lsp_*_amd64.deb')" "$root/tmp/ploke-lsp.deb"
}

export work root
export -f clean
mkdir -p "$work/home" "$work/archive" "$work/npm" "$work/rpm"
(cd "$dist" && sha256sum --quiet --check ./*_SHA256SUMS)
echo "ok    checksums"
size=$(stat -c %s "$dist/bin/linux-amd64/ploke-lsp")
[ "$size" -le "$LARGEST" ] || { echo "FAIL  the program has $size bytes, more than $LARGEST"; exit 1; }
echo "ok    the program has $size bytes"
debian
check ".tar.gz" from_archive "$(only 'ploke-lsp_*_linux_amd64.tar.gz')"
check ".deb in a new Debian" from_deb
for file in /usr/share/man/man1/ploke-lsp.1 /usr/share/bash-completion/completions/ploke-lsp /usr/share/doc/ploke-lsp/copyright; do
  chroot "$root" dpkg -S "$file" >/dev/null
done
check ".rpm" from_rpm "$(only 'ploke-lsp-*.x86_64.rpm')"
check "npm" from_npm "$(only 'ploke-lsp-[0-9]*.tgz')" "$(only 'ploke-lsp-linux-x64-*.tgz')"

cd "$repository"
PLOKE_VSIX=$(only 'ploke-linux-x64-*.vsix') timeout 300 editors/vscode/e2e/run.sh "$dist/bin/linux-amd64/ploke-lsp" "$repository/artifacts/packages" bundled
