#!/usr/bin/env bash
# Installs the editor Helix, which is not in Debian 12, from the packages of Debian 13. They are
# unpacked into a folder of their own, with the libraries that they need. Nothing else of the
# system changes.
#
#   scripts/install-helix.sh DIR      (the program is DIR/bin/hx)
set -euo pipefail

suite=trixie
dir=$(realpath -m "${1:?usage: install-helix.sh DIR}")
if [ -x "$dir/bin/hx" ]; then
  "$dir/bin/hx" --version
  exit 0
fi

# the mirror from which this system has its packages
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' | sed -n '/security/d; s/ main$//p')
mirror=${mirror%%$'\n'*}
[ -n "$mirror" ] || {
  echo "apt has no mirror of Debian in its sources, so Helix can't be installed" >&2
  exit 1
}

# an apt that knows this suite alone, and no installed package
apt=$dir/apt
mkdir -p "$apt"/{lists/partial,archives/partial,parts}
: >"$apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
cat >"$apt/apt.conf" <<CONF
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "$apt/parts";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "$apt/parts";
Dir::State "$apt";
Dir::State::Status "$apt/status";
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt";
Dir::Cache::Archives "$apt/archives";
APT::Sandbox::User "";
APT::Install-Recommends "false";
Acquire::Languages "none";
CONF
export APT_CONFIG=$apt/apt.conf
apt-get -qq update
apt-get -qq --yes --download-only install hx

for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" "$dir/files"; done
rm -rf "$apt"

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
