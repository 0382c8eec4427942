// Package testbed decides what a test does on a machine that lacks something it needs, such
// as ripgrep or a model server. Go and git are always there. The test is skipped, with a
// reason. It fails instead if [All] is set, as in "make test", so nothing is skipped there but
// what mounts disks, see [Disks].
// With -short and without [All], as in "make check", the test is skipped even if everything
// is there.
//
// No other code may skip a test: scripts/check-skips.sh checks it.
//
// "make test" runs all tests with the race detector and -short, where a test that takes long does less ([Count],
// [Size]) or nothing ([Long]), and then these tests alone, without the race detector and -short: scripts/longtests
// lists them.
//
// It also has what tests wait with: [Receive] and [Returns] for what happens in this process,
// [Eventually] for all else. A test that waits otherwise may hang, or spin and take the processor
// from what it waits for: scripts/check-waits.sh looks for the plain cases.
package testbed

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// All is the environment variable that, set to 1, forbids skipping.
const All = "PLOKE_TEST_ALL"

// Program returns the path of a program that the test runs, from $PATH.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	Need(t, name, err)
	return path
}

// File returns path. A file must be there for the test to run.
func File(t testing.TB, name, path string) string {
	t.Helper()
	_, err := os.Stat(path)
	Need(t, name, err)
	return path
}

// Need skips the test, or fails it, if err says that the named part of the testbed is missing.
func Need(t testing.TB, name string, err error) {
	t.Helper()
	switch all := os.Getenv(All) == "1"; {
	case all && err != nil:
		t.Fatalf("needs %s, and %s=1 forbids skipping; run make test-setup: %v", name, All, err)
	case all:
	case testing.Short():
		t.Skipf("needs %s; left out by -short", name)
	case err != nil:
		t.Skipf("needs %s; run make test-setup: %v", name, err)
	}
}

// Has reports whether the named part of the testbed, without which the test checks less, is there: whether
// err is nil. If it is missing and [All] is set, the test fails.
func Has(t testing.TB, name string, err error) bool {
	t.Helper()
	if err != nil && os.Getenv(All) == "1" {
		t.Fatalf("needs %s, and %s=1 forbids leaving it out; run make test-setup: %v", name, All, err)
	}
	return err == nil
}

// Soak is the environment variable that, set to a number, multiplies each full [Count], as in "make soak".
const Soak = "PLOKE_TEST_SOAK"

// Count returns how often a test repeats something: short with -short, else full. Without -short, [Soak] multiplies it.
func Count(full, short int) int {
	if testing.Short() {
		return short
	}
	times, err := strconv.Atoi(cmp.Or(os.Getenv(Soak), "1"))
	if err != nil || times < 1 {
		panic(fmt.Sprintf("%s is %q, and should be how often a test repeats what it repeats", Soak, os.Getenv(Soak)))
	}
	return full * times
}

// Size returns how large something in a test is: short with -short, else full.
func Size(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// Long says that a test takes long, and that the race detector finds nothing in it that it would not find in a shorter
// one: it computes, or moves much data. The test is skipped with -short.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long; left out by -short")
	}
}
