#!/usr/bin/env bash
# Installs a newer Neovim than the one of Debian 12, from another suite of Debian.
#
#   scripts/install-neovim.sh DIR SUITE      (the program is DIR/bin/nvim)
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-neovim.sh DIR SUITE}")
suite=${2:?a suite of Debian}
if [ ! -x "$dir/bin/nvim" ]; then
  "$(dirname "$0")/unpack-packages.sh" "$dir" "$suite" neovim

  # Neovim needs the loader and the libraries of its own suite. They are named in the program itself, because its terminal
  # interface starts it once more.
  libraries=$dir/files/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  program=$(realpath "$dir/files/usr/bin/nvim")
  patchelf --set-interpreter "$(echo "$libraries"/ld-linux*.so.*)" --set-rpath "$libraries:$libraries/lua/5.1" --force-rpath "$program"
  mkdir -p "$dir/bin"
  cat >"$dir/bin/nvim" <<SH
#!/bin/sh
export VIMRUNTIME='$dir/files/usr/share/nvim/runtime'
export LUA_PATH='$dir/files/usr/share/lua/5.1/?.lua;;' LUA_CPATH='$libraries/lua/5.1/?.so;;'
exec '$program' "\$@"
SH
  chmod +x "$dir/bin/nvim"
fi
"$dir/bin/nvim" --version | head -1
