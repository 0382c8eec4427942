package evidence_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/store"
)

// database returns a database with one proposal, "p".
func database(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	err = db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO proposals (id, conversation_id, request_id, call_id, title, body, in_flight, status,
			created_at, updated_at) VALUES ('p', 'c', 't', 'k', 'a title', '{}', '{}', 'staged', 1, 1)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// opened returns the evidence as a process with an id sees it, and the proposals of which it is told.
func opened(db *store.DB, id string) (s *evidence.Store, changed *[]string) {
	changed = new([]string)
	return evidence.NewStore(db, id, func(proposal string) { *changed = append(*changed, proposal) }), changed
}

func put(t *testing.T, s *evidence.Store, version string, e evidence.Evidence) {
	t.Helper()
	if err := s.Put(t.Context(), "p", version, e); err != nil {
		t.Fatal(err)
	}
}

// states returns the states and reasons of what is known of a version.
func states(t *testing.T, s *evidence.Store, version string) string {
	t.Helper()
	all, err := s.Of(t.Context(), "p", version)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range all {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("%s %s: %s", e.Source, e.State, e.Reason), ": "))
	}
	return strings.Join(lines, "; ")
}

// TestEvidenceIsOfOneVersion reads what was stored of a version as that version, as another one, and after a change of
// the files.
func TestEvidenceIsOfOneVersion(t *testing.T) {
	s, changed := opened(database(t), "one")
	put(t, s, "v1", evidence.Evidence{Source: "go test", State: evidence.Passed})
	put(t, s, "v1", evidence.Evidence{Source: "go vet", State: evidence.Failed})
	put(t, s, "v1", evidence.Evidence{Source: "lint", State: evidence.Unknown, Reason: "no such program"})
	for version, want := range map[string]string{
		"v1": "go test passed; go vet failed; lint unknown: no such program",
		"v2": "go test stale: the proposal has changed since; go vet stale: the proposal has changed since; lint unknown: no such program",
	} {
		if got := states(t, s, version); got != want {
			t.Errorf("%s: got %q, want %q", version, got, want)
		}
	}
	if err := s.FilesChanged(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	want := "go test stale: the files have changed since; go vet stale: the files have changed since; lint unknown: no such program"
	if got := states(t, s, "v1"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := s.FilesChanged(t.Context(), "p"); err != nil || len(*changed) != 4 {
		t.Errorf("told of %q, %v: the second change changes nothing", *changed, err)
	}
	if err := s.Remove(t.Context(), "p", []string{"lint"}); err != nil {
		t.Fatal(err)
	}
	if got, want := states(t, s, "v1"), "lint unknown: no such program"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhatADeadProcessRanIsUnknown, and what a living one runs is running.
func TestWhatADeadProcessRanIsUnknown(t *testing.T) {
	db := database(t)
	s, _ := opened(db, "one")
	put(t, s, "v1", evidence.Evidence{Source: "go vet", State: evidence.Running})
	if got, want := states(t, s, "v1"), "go vet running"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	next, _ := opened(db, "two") // of the same process id: the first one has ended
	if got, want := states(t, next, "v1"), "go vet unknown: the process that ran it has ended"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNoEvidenceOfADeletedProposal stores nothing, and tells of nothing.
func TestNoEvidenceOfADeletedProposal(t *testing.T) {
	s, changed := opened(database(t), "one")
	if err := s.Put(context.Background(), "gone", "v1", evidence.Evidence{Source: "go vet"}); err != nil || len(*changed) > 0 {
		t.Errorf("told of %q, %v", *changed, err)
	}
}

// TestEvidenceIsBounded cuts the output at the start, between characters, and counts what is left out.
func TestEvidenceIsBounded(t *testing.T) {
	e := evidence.Evidence{Problems: make([]evidence.Problem, evidence.MaxProblems+7),
		Output: strings.Repeat("é", evidence.MaxOutput/2) + "a"}
	e.Bound()
	if e.New() != evidence.MaxProblems+7 || e.Omitted != 7 || e.Cut != 2 || len(e.Output) != evidence.MaxOutput-1 {
		t.Errorf("%d new, %d omitted, %d bytes, %d cut", e.New(), e.Omitted, len(e.Output), e.Cut)
	}
}

func TestLine(t *testing.T) {
	for want, e := range map[string]evidence.Evidence{
		"1 new problem (1.5 s)": {State: evidence.Failed, Took: 1500 * time.Millisecond, Problems: make([]evidence.Problem, 1)},
		"2 new problems; 1 of 4 tests failed": {State: evidence.Failed, Problems: make([]evidence.Problem, 1), Omitted: 1,
			Tests: evidence.Tests{Passed: 3, Failed: 1}},
		"214 tests passed (2.0 s)": {State: evidence.Passed, Took: 2 * time.Second, Tests: evidence.Tests{Passed: 214}},
		"passed":                   {State: evidence.Passed},
		"unknown: no tests ran":    {State: evidence.Unknown, Reason: "no tests ran", Took: time.Second},
	} {
		if got := e.Line(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
