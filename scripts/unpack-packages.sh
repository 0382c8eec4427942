#!/usr/bin/env bash
# Unpacks packages of another suite of Debian into a folder of their own, with the libraries that they need. Nothing else of
# the system changes.
#
#   scripts/unpack-packages.sh DIR SUITE PACKAGE...      (the files are in DIR/files)
set -euo pipefail

dir=$(realpath -m "${1:?usage: unpack-packages.sh DIR SUITE PACKAGE...}")
suite=${2:?a suite of Debian}
shift 2

# the mirror from which this system has its packages
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' | sed -n '/security/d; s/ main$//p')
mirror=${mirror%%$'\n'*}
[ -n "$mirror" ] || {
  echo "apt has no mirror of Debian in its sources, so $* can't be installed" >&2
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
apt-get -qq --yes --download-only install "$@"

for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" "$dir/files"; done
rm -rf "$apt"
