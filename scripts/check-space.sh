#!/usr/bin/env bash
# Fails unless each folder's file system has GIB of free space. A full disk breaks whatever writes next, in words of its
# own, and some installers then wait for ever.
#
#   scripts/check-space.sh GIB FOLDER...
set -euo pipefail

gib=${1:?usage: check-space.sh GIB FOLDER...}
shift
for folder in "$@"; do
  free=$(df --output=avail -k "$folder" | tail -1)
  if [ "$free" -lt $((gib << 20)) ]; then
    echo "check-space: $folder has $((free >> 10)) MiB left, and at least $gib GiB are needed: free some, such as by go clean -cache" >&2
    exit 1
  fi
done
