#!/usr/bin/env bash
# Installs what the tests run on proposed changes as people do: TypeScript, ESLint, Prettier, Jest and Vitest from npm,
# Ruff and pytest from PyPI. project/proof/testdata/tools has the exact versions, with their hashes.
#
#   scripts/install-check-tools.sh DIR
#
# DIR/node_modules and DIR/venv are as a project has them in its folder, and tests link what they need into theirs.
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-check-tools.sh DIR}")
locked=$(realpath "$(dirname "$0")/../project/proof/testdata/tools")

mkdir -p "$dir"
echo "module tools" >"$dir/go.mod" # else ./... has what packages of npm have for Go
"$(dirname "$0")/install-npm-packages.sh" "$locked" "$dir" &
npm=$!
if ! cmp -s "$locked/requirements.txt" "$dir/venv/installed.txt"; then
  rm -rf "${dir:?}/venv"
  /usr/bin/python3 -m venv "$dir/venv"
  "$dir/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement "$locked/requirements.txt"
  cp "$locked/requirements.txt" "$dir/venv/installed.txt"
fi
wait "$npm"
for tool in typescript eslint prettier jest vitest; do
  echo "$tool $(node -p "JSON.parse(fs.readFileSync('$dir/node_modules/$tool/package.json')).version")"
done
sed -n 's/^\(pytest\|ruff\)==\([^ ]*\).*/\1 \2/p' "$locked/requirements.txt"
