package store

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// releases returns the states that releases have left, by name. scripts/state-of-release.sh makes them.
func releases(t *testing.T) map[string]string {
	t.Helper()
	found, err := filepath.Glob("testdata/releases/*.db")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range found {
		files[strings.TrimSuffix(filepath.Base(file), ".db")] = file
	}
	return files
}

// stateOf copies the state of a release.
func stateOf(t *testing.T, file string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "state.db")
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheStateOfEachReleaseIsKept compares the states with the versions in the changelog, and with the
// schema: who adds a migration also keeps a state that has it.
func TestTheStateOfEachReleaseIsKept(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	kept := releases(t)
	versions := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)\b`).FindAllStringSubmatch(string(text), -1)
	if len(versions) == 0 {
		t.Error("CHANGELOG.md names no version")
	}
	for _, v := range versions {
		if kept["v"+v[1]] == "" {
			t.Errorf("no state of %s is kept: run scripts/state-of-release.sh v%s on its commit", v[1], v[1])
		}
	}
	newestKept := 0
	for _, file := range kept {
		version, err := newest().versionOf(t.Context(), stateOf(t, file))
		if err != nil {
			t.Fatal(err)
		}
		newestKept = max(newestKept, version)
	}
	if newestKept != newest().version() {
		t.Errorf("no state of schema version %d is kept, the newest is %d: run scripts/state-of-release.sh unreleased", newest().version(),
			newestKept)
	}
}

// TestUpgradeFromEachRelease also finds a migration that was changed after its release.
func TestUpgradeFromEachRelease(t *testing.T) {
	for release, file := range releases(t) {
		t.Run(release, func(t *testing.T) {
			path := stateOf(t, file)
			version, err := newest().versionOf(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			released := filepath.Join(t.TempDir(), "state.db")
			db, err := schema{steps: newest().steps[:version]}.open(t.Context(), released)
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
			if got, want := schemaOf(t, released), schemaOf(t, path); got != want {
				t.Errorf("the migrations up to version %d make another schema than that of the release:\n%s\n\nwant\n%s", version, got, want)
			}

			db, err = Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			fresh := filepath.Join(t.TempDir(), "state.db")
			open(t, fresh)
			if got, want := schemaOf(t, path), schemaOf(t, fresh); got != want {
				t.Errorf("after the upgrade the schema is\n%s\n\nwant\n%s", got, want)
			}
			if conversations, proposals := count(t, db, "conversations"), count(t, db, "proposals"); conversations != 3 || proposals != 2 {
				t.Errorf("%d conversations and %d proposals; want 3 and 2", conversations, proposals)
			}
			if got := copies(path); version < newest().version() != slices.Contains(got, copyName(path, version)) {
				t.Errorf("the copies are %q", got)
			}
		})
	}
}

// TestUpgradeFromEachVersion upgrades from each version that the schema has ever had.
func TestUpgradeFromEachVersion(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "state.db")
	open(t, fresh)
	for version := 1; version < newest().version(); version++ {
		path := filepath.Join(t.TempDir(), "state.db")
		db, err := schema{steps: newest().steps[:version]}.open(t.Context(), path)
		if err == nil {
			err = errors.Join(addConversation(t.Context(), db, "said"), db.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, open(t, path), "conversations"); n != 1 || schemaOf(t, path) != schemaOf(t, fresh) {
			t.Errorf("from version %d: %d conversations, and the schema\n%s", version, n, schemaOf(t, path))
		}
	}
}
