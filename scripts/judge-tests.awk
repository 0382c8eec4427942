# Compares what tests printed with the list of those that can't pass on a platform:
#
#   awk -v package=edits -v native=0 -f judge-tests.awk LIST NAMES LOG
#
# Native tests are run on the platform itself, where reasons of Wine and qemu don't hold.
# NAMES are the tests of the package, and LOG is their output with -test.v.

function complain(text) { print package ": " text; bad = 1 }

# A test is also covered by an entry for the test that it belongs to.
function covered(name) {
  do if (name in listed) return 1
  while (sub(/\/[^\/]*$/, "", name))
  return 0
}

# an empty file has no first line
{ file = FILENAME == ARGV[1] ? 1 : FILENAME == ARGV[2] ? 2 : 3 }

# A line of the list is "# REASON", or "PACKAGE TEST", or "skip PACKAGE TEST" for a test that would
# take the others with it.
file == 1 && /^# / { reason = $0 }
file == 1 && /^[a-z]/ && !(native && reason ~ /^# (Wine|qemu)/) {
  if (reason == "") complain("no reason is given for " $0)
  skip = $1 == "skip"
  if ($(1 + skip) == package) { if (skip) skipped[$3] = 1; else listed[$2] = 1 }
}

file == 2 { exists[$1] = 1 }

file == 3 && match($0, /--- (PASS|FAIL|SKIP): /) {
  outcome = substr($0, RSTART + 4, 4)
  name = substr($0, RSTART + RLENGTH)
  sub(/ \([0-9.]+s\)\r?$/, "", name)
  result[name] = outcome
  if (outcome == "FAIL") for (parent = name; sub(/\/[^\/]*$/, "", parent);) because[parent] = 1
}
file == 3 && /^(PASS|FAIL)\r?$/ { ended = 1 }

END {
  if (!ended) complain("the tests did not come to their end")
  for (name in result) {
    count[result[name]]++
    if (result[name] == "FAIL" && !covered(name) && !(name in because)) complain(name " fails")
  }
  for (name in listed) {
    if (!(name in result)) complain(name " is listed, but there is no such test any more")
    else if (result[name] == "PASS") complain(name " is listed, but passes; take it from the list")
  }
  for (name in skipped) if (!(name in exists)) complain(name " is listed, but there is no such test any more")
  printf "%s: %d passed, %d can not\n", package, count["PASS"], length(listed) + length(skipped)
  exit bad
}
