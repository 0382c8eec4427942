#!/usr/bin/env bash
# Installs the Debian packages that the tests use: the editors they run and what
# these are built with, and the packages that the arguments name. Packages that are
# there already are left alone.
set -euo pipefail

packages=(bubblewrap build-essential ca-certificates chromium curl elpa-eglot emacs-nox fish fonts-dejavu-core fonts-jetbrains-mono git junit4 libkrb5-dev libmaven-compiler-plugin-java libmaven-resources-plugin-java librust-fnv-dev libsurefire-java maven neovim patchelf php-cli pkg-config python3 python3-venv ripgrep ruby ruby-rspec tmux zsh "$@")

# Languages that people also install in other ways.
command -v cargo >/dev/null || packages+=(cargo)
command -v javac >/dev/null || packages+=(default-jdk-headless)

missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f '${Status}\n' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "Debian packages: all there"
  exit 0
fi

apt=(apt-get)
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "these packages are missing, and only root can install them: ${missing[*]}" >&2
    exit 1
  }
  apt=(sudo apt-get)
fi
echo "Debian packages: installing ${missing[*]}"
"${apt[@]}" -q update
DEBIAN_FRONTEND=noninteractive "${apt[@]}" -q -y --no-install-recommends install "${missing[@]}"
