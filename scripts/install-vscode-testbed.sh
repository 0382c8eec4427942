#!/usr/bin/env bash
# Installs what the VS Code end-to-end test drives: code-server (VS Code's own
# workbench and extension host) and playwright-core, from npm and apt alone.
#
#   scripts/install-vscode-testbed.sh DIR [1.100|1.139]
#
# The version is VS Code's. A second run with nothing to do ends at once. Package install scripts stay
# off, because they download binaries from elsewhere; this script compiles the
# native modules itself instead, against the headers that come with node.
set -euo pipefail

RIPGREP=1.18.0
PLAYWRIGHT=1.61.0
APT_PACKAGES=(build-essential python3 pkg-config libkrb5-dev chromium fonts-dejavu-core curl)

die() { echo "install-vscode-testbed: $*" >&2; exit 1; }

dir=$(realpath -m "${1:?usage: install-vscode-testbed.sh DIR [1.100|1.139]}")
case ${2:-1.100} in
  1.100) CODE_SERVER=4.100.3 NODE=20 ;; # the last line that runs on node 20
  1.139) CODE_SERVER=4.139.1 NODE=24 ;;
  *) die "no code-server of VS Code $2 is known here" ;;
esac
"$(dirname "$0")/install-node.sh" "$dir/node" "$NODE" >&2
export PATH=$dir/node/node_modules/.bin:$PATH
vscode=$dir/node_modules/code-server/lib/vscode
stamp=$dir/.installed
wanted="code-server $CODE_SERVER, ripgrep $RIPGREP, playwright $PLAYWRIGHT, node $(node --version)"

check_prerequisites() {
  local missing=() package
  for package in "${APT_PACKAGES[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] || die "missing packages; try: apt-get install -y --no-install-recommends ${missing[*]}"
  [[ $(node --version) == v$NODE.* ]] || die "code-server $CODE_SERVER needs node $NODE, found $(node --version)"
  node_prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  [ -d "$node_prefix/include/node" ] || die "no headers in $node_prefix/include/node; install node together with its headers"
}

npm_install() {
  npm install --ignore-scripts --no-audit --no-fund --no-update-notifier --logs-max=0 --loglevel=error "$@" >&2
}

install_packages() {
  mkdir -p "$dir" && cd "$dir"
  echo '{"name": "vscode-testbed", "private": true}' > package.json
  npm_install "code-server@$CODE_SERVER" "@vscode/ripgrep@$RIPGREP" "playwright-core@$PLAYWRIGHT"
  (cd "$vscode" && npm_install --omit=dev)
}

# VS Code looks for rg inside its own copy of the package, which only the
# package's install script would have filled.
link_ripgrep() {
  local rg package
  rg=$(find "$dir/node_modules/@vscode" -path '*ripgrep-linux*/bin/rg' -print -quit)
  [ -n "$rg" ] || die "npm brought no rg for this platform"
  for package in ripgrep ripgrep-universal; do # before and since 1.139
    mkdir -p "$vscode/node_modules/@vscode/$package/bin"
    ln -sf "$rg" "$vscode/node_modules/@vscode/$package/bin/rg"
  done
}

# compile MODULE_DIR [GYP_ARGUMENT...]
compile() {
  local module=$1 log
  shift
  log=$dir/compile-$(basename "$module").log
  echo "compiling $(basename "$module")" >&2
  (cd "$module" && node "$node_gyp" rebuild -j 2 --release "--nodedir=$node_prefix" "$@") >"$log" 2>&1 ||
    { tail -20 "$log" >&2; die "could not compile $module; all of it: $log"; }
}

compile_native_modules() {
  local module
  node_gyp=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")/node_modules/node-gyp/bin/node-gyp.js
  [ -f "$node_gyp" ] || die "npm brings no node-gyp at $node_gyp"
  for module in @vscode/spdlog native-watchdog @vscode/native-watchdog node-pty kerberos @vscode/sqlite3 @vscode/fs-copyfile; do
    [ ! -d "$vscode/node_modules/$module" ] || compile "$vscode/node_modules/$module"
  done
  module=$dir/node_modules/argon2 # code-server loads it even when no password is asked for
  [ -d "$module/prebuilds" ] || compile "$module" -- -Dmodule_name=argon2 "-Dmodule_path=$module/lib/binding/napi-v3"
}

link_what_the_install_script_would() {
  cd "$vscode"
  rm -rf node_modules.asar && ln -s node_modules node_modules.asar
  ln -sf code-linux.sh bin/remote-cli/code-server
  ln -sf browser-linux.sh bin/helpers/browser.sh
}

# `code-server --version` writes a configuration file: keep it out of the user's.
check_that_it_starts() {
  local config
  config=$(mktemp -d)
  XDG_CONFIG_HOME=$config "$dir/node_modules/.bin/code-server" --version >&2 || die "code-server does not start"
  rm -rf "$config"
}

check_prerequisites
[ "$(cat "$stamp" 2>/dev/null || true)" != "$wanted" ] || exit 0
install_packages
link_ripgrep
compile_native_modules
link_what_the_install_script_would
check_that_it_starts
echo "$wanted" > "$stamp"
