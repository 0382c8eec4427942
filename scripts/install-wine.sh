#!/usr/bin/env bash
# Installs a newer Wine than the one of Debian 12, from another suite of Debian. Debian 12's Wine 8 can't start a Go
# program (it lacks bcryptprimitives.dll), and does not remove a file as Go asks it to.
#
#   scripts/install-wine.sh DIR      (the program is DIR/bin/wine)
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-wine.sh DIR}")
if [ ! -x "$dir/bin/wine" ]; then
  "$(dirname "$0")/unpack-packages.sh" "$dir" trixie wine64 libc-bin # libc-bin has the locale C.UTF-8, for names of files
  libraries=$dir/files/usr/lib/x86_64-linux-gnu/wine
  # user32.dll needs this library, which has a package of its own
  ln -sf /usr/x86_64-w64-mingw32ucrt/lib/zlib1.dll "$libraries/x86_64-windows/zlib1.dll"
  # half a gigabyte of debug tables, and what only 32-bit programs need
  find "$libraries/x86_64-windows" -type f \( -name '*.dll' -o -name '*.exe' \) -exec x86_64-w64-mingw32-strip --strip-debug {} + 2>/dev/null || true
  rm -rf "$libraries/i386-windows"
  for name in bin sbin lib lib64; do ln -sfn "usr/$name" "$dir/files/$name"; done

  # Wine looks for its parts in /usr. So it gets a root folder of its own, in which all other folders of this machine are.
  mkdir -p "$dir/bin"
  cat >"$dir/bin/wine" <<'SH'
#!/usr/bin/env bash
# Runs a Windows program: bin/wine PROGRAM.exe ARGUMENT...      (WINEPREFIX names the folder of the Windows drive)
set -euo pipefail
root=$(realpath "$(dirname "$0")/../files")
unset DISPLAY TMPDIR # with TMPDIR, Wine 10 may abort
export LC_ALL=C.UTF-8 WINEDEBUG=-all WINESERVER=/usr/lib/wine/wineserver64 XDG_RUNTIME_DIR=/tmp
exec unshare --map-root-user --mount --propagation private bash -c '
  root=$1; shift
  for folder in /*; do
    case $folder in /bin | /etc | /lib* | /sbin | /usr | /var) continue ;; esac
    [ -d "$folder" ] && [ ! -L "$folder" ] || continue
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
  done
  exec unshare --root="$root" --wd="$PWD" /usr/lib/wine/wine64 "$@"' - "$root" "$@"
SH
  chmod +x "$dir/bin/wine"
fi
WINEPREFIX=$dir/prefix "$dir/bin/wine" --version
