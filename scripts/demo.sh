#!/usr/bin/env bash
# The main job on real code, without a key and without a network:
#
#   scripts/demo.sh PLOKE_LSP DIR
#
# indexes DIR, asks it a question through the protocol, checks that every place
# the answer cites exists, and then has an edit proposed, shown and applied to a
# copy. DIR itself is only read.
set -euo pipefail

ploke=$(realpath "$1")
dir=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PLOKE_STATE_DIR=$work/state
unset PLOKE_BASE_URL PLOKE_API_KEY PLOKE_MODEL # the embedded model answers

step() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
try() { printf '\033[2m$ %s\033[0m\n' "$*"; "$@"; }

if [ "$dir" = "$(go env GOROOT)/src" ]; then
  question='how does the http server shut down gracefully'
  part=$dir/strings
  instruction='rename explode to splitIntoRunes'
else
  question='where does the program start, and what does it do first'
  part=$dir
  instruction='create PLOKE-DEMO.md with "A file that ploke-lsp proposed."'
fi

step "1. index $dir"
try "$ploke" index --workspace "$dir"

step "2. ask it a question"
try "$ploke" ask --workspace "$dir" "$question" | tee "$work/answer.md"

step "3. check that every cited place exists"
cited=0
while IFS=' ' read -r file line; do
  lines=$(wc -l < "$file")
  [ "$line" -le $((lines + 1)) ] || { echo "cited, but not there: $file:$line" >&2; exit 1; }
  echo "$file:$line"
  cited=$((cited + 1))
done < <(grep -oE '\(file://[^)#]+#L[0-9]+\)' "$work/answer.md" | sed -E 's/^\(file:\/\/(.*)#L([0-9]+)\)$/\1 \2/' | sort -u)
[ "$cited" -gt 0 ] || { echo "the answer cites nothing" >&2; exit 1; }

step "4. propose an edit in a copy"
cp -R "$part" "$work/copy"
chmod -R u+w "$work/copy"
try "$ploke" ask --workspace "$work/copy" "$instruction" | tee "$work/edit.md"
id=$(sed -n 's/.*proposals accept \([0-9a-f-]*\).*/\1/p' "$work/edit.md" | tail -1)
[ -n "$id" ] || { echo "nothing was proposed" >&2; exit 1; }
if ! diff -rq "$part" "$work/copy" >/dev/null; then
  echo "a proposal that nobody accepted was written" >&2
  exit 1
fi

step "5. accept it"
try "$ploke" proposals --workspace "$work/copy" accept "$id"
try diff -ru "$part" "$work/copy" && { echo "nothing was applied" >&2; exit 1; }

step "done"
echo "The same in an editor: see README.md."
