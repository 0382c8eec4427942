#!/usr/bin/env bash
# Runs a program for arm64, and the programs for arm64 that it starts:
#
#   scripts/qemu-arm64.sh PROGRAM ARGUMENT...
#
# The kernel starts such programs with qemu only in here. That takes Linux 6.7, and root: tests run programs as
# other users, so all users have to be in here.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "qemu-arm64.sh: only root can run programs as other users in a namespace" >&2; exit 1; }

# Once this process is in its namespace, only one that is outside can let the users in.
outside=$(readlink /proc/self/ns/user)
(
  until [ "$(readlink "/proc/$$/ns/user")" != "$outside" ]; do sleep 0.01; done
  for map in uid_map gid_map; do echo "0 0 4294967295" >"/proc/$$/$map"; done
) &

exec unshare --user --mount --propagation private bash -c '
  until grep -q . /proc/self/gid_map; do sleep 0.01; done
  exec bash -c "$@"' - '
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  # the head of an ELF program for the machine 0xb7, and which of its bits count
  printf "%s" ":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64:" >/proc/sys/fs/binfmt_misc/register
  exec "$@"' - "$@"
