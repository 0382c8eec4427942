#!/usr/bin/env bash
# Installs the editor Helix, which is not in Debian 12, from the packages of Debian 13.
#
#   scripts/install-helix.sh DIR      (the program is DIR/bin/hx)
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-helix.sh DIR}")
if [ -x "$dir/bin/hx" ]; then
  "$dir/bin/hx" --version
  exit 0
fi

"$(dirname "$0")/unpack-packages.sh" "$dir" trixie hx

# Helix needs the loader and the libraries of its own suite.
libraries=$dir/files/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
loader=$(echo "$libraries"/ld-linux*.so.*)
runtime=$(dirname "$(find "$dir/files" -type d -path '*/runtime/queries' | head -1)")
mkdir -p "$dir/bin"
cat >"$dir/bin/hx" <<SH
#!/bin/sh
HELIX_RUNTIME='$runtime' exec '$loader' --library-path '$libraries' '$dir/files/usr/lib/hx/hx' "\$@"
SH
chmod +x "$dir/bin/hx"
"$dir/bin/hx" --version
