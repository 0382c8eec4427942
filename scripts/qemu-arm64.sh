#!/usr/bin/env bash
# Runs a program for arm64, and the programs for arm64 that it starts:
#
#   scripts/qemu-arm64.sh PROGRAM ARGUMENT...
#
# The kernel starts such programs with qemu only in here. That takes Linux 6.7.
set -euo pipefail
exec unshare --map-root-user --mount --propagation private bash -c '
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  # the head of an ELF program for the machine 0xb7, and which of its bits count
  printf "%s" ":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64:" >/proc/sys/fs/binfmt_misc/register
  exec "$@"' - "$@"
