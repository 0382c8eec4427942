package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// decisions are the ways to decide on a proposal, with the status that each needs.
var decisions = map[string]string{"accept": "staged", "reject": "staged", "edit": "staged", "undo": "verified", "redo": "undone"}

// exclusive reports whether two decisions can't both be made on one proposal, in any order. An
// edit or an undo may come before the other decision.
func exclusive(a, b string) bool {
	return a == b && a != "edit" || a+b == "acceptreject" || a+b == "rejectaccept"
}

// notes is the number of files of a proposal. It takes long enough to write them that another
// decision can come between.
const notes = 40

// racers makes proposals, looks at them in one server, and decides on them in two others.
type racers struct {
	t       *testing.T
	root    string
	edits   *edits.Manager
	editors []*lsptest.Editor
	made    int
	shown   string // the version of the latest proposal before the decisions
}

func newRacers(t *testing.T, state string) *racers {
	r := &racers{t: t, root: manyFiles(t, 1)}
	capabilities := lsptest.Capabilities()
	capabilities.Workspace.ApplyEdit = nil // so that the servers write the files
	for range 3 {
		p := serve(t, state)
		e := lsptest.Connect(t, p, lsptest.Options{Roots: []string{r.root}, Capabilities: capabilities})
		t.Cleanup(func() { stop(t, p, e) })
		r.editors = append(r.editors, e)
	}
	db, err := store.Open(t.Context(), filepath.Join(store.Folder(state, r.root), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ws, err := workspace.New([]string{r.root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.edits = edits.New(db, ws, edits.Options{})
	return r
}

// propose makes a proposal that creates the files of a folder, and brings it to the status.
func (r *racers) propose(status string) (id, dir string) {
	r.t.Helper()
	r.made++
	dir = filepath.Join(r.root, fmt.Sprintf("notes%d", r.made))
	var batch edits.Batch
	for i := range notes {
		batch.Operations = append(batch.Operations, edits.Operation{Op: edits.OpCreate, Path: note(dir, i), Text: "text"})
	}
	p, err := r.edits.Staging.Stage(r.t.Context(), batch)
	if err != nil {
		r.t.Fatal(err)
	}
	id = p.ID
	for _, step := range map[string][]string{"verified": {"accept"}, "undone": {"accept", "undo"}}[status] {
		r.look(id)
		r.editors[0].Call("ploke/proposal/"+step, ploke.ProposalParams{ID: id, Version: r.shown}, nil)
	}
	r.look(id)
	return id, dir
}

func (r *racers) look(id string) {
	r.t.Helper()
	p, err := r.edits.Proposals.Get(r.t.Context(), id)
	if err != nil {
		r.t.Fatal(err)
	}
	r.shown = string(p.Version())
}

func note(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("note%d.md", i)) }

// decide makes a decision in one of the servers.
func (r *racers) decide(e *lsptest.Editor, what, id, dir string) error {
	if what == "edit" {
		return e.Try(r.t.Context(), ploke.MethodProposalEdit,
			ploke.ProposalEditParams{ID: id, Version: r.shown, File: uri.File(note(dir, 0)), After: "edited"}, nil)
	}
	return e.Try(r.t.Context(), "ploke/proposal/"+what, ploke.ProposalParams{ID: id, Version: r.shown}, nil)
}

// check compares what was answered with what the store and the disk say.
func (r *racers) check(first, second, id string, errs [2]error) {
	r.t.Helper()
	var stored ploke.ProposalGetResult
	r.editors[0].Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &stored)
	status := stored.Proposal.Status
	what := fmt.Sprintf("%s: %v; %s: %v; stored as %s", first, errs[0], second, errs[1], status)
	var won []string
	for i, d := range []string{first, second} {
		if errs[i] == nil {
			won = append(won, d)
		}
	}
	if len(won) == 0 || exclusive(first, second) && len(won) != 1 {
		r.t.Error(what)
	}
	for _, err := range errs {
		if err != nil && !slices.ContainsFunc([]string{"is being ", "it is ", "the proposal is ", "in another window", "the proposal has changed"}, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			r.t.Errorf("the error does not say what was decided: %v", err)
		}
	}
	for _, f := range stored.Files {
		want := ""
		if status == "verified" {
			want = f.After
		}
		if text, _ := os.ReadFile(f.URI.FsPath()); string(text) != want {
			r.t.Errorf("%s; %s reads %q", what, f.Path, text)
			break
		}
	}
	wanted := map[string]string{"accept": "verified", "reject": "rejected", "edit": "staged", "undo": "undone", "redo": "verified"}
	if !slices.ContainsFunc(won, func(d string) bool { return wanted[d] == string(status) }) {
		r.t.Errorf("%s, which no process decided", what)
	}
}

// TestOneOfTwoRacingDecisionsWins makes two decisions on one proposal in two server processes, a
// few milliseconds apart, in each ordered pair. Of decisions that exclude each other exactly one
// succeeds, the other one gets an error that says what was decided, and the file reads as the
// store says.
func TestOneOfTwoRacingDecisionsWins(t *testing.T) {
	r := newRacers(t, t.TempDir())
	random := rand.New(rand.NewPCG(1, 2))
	for first, needed := range decisions {
		for second := range decisions {
			for range testbed.Count(2, 1) {
				id, dir := r.propose(needed)
				var errs [2]error
				done := make(chan struct{})
				after := time.After(time.Duration(random.Int64N(int64(30 * time.Millisecond))))
				go func() {
					defer close(done)
					<-after
					errs[1] = r.decide(r.editors[2], second, id, dir)
				}()
				errs[0] = r.decide(r.editors[1], first, id, dir)
				<-done
				r.check(first, second, id, errs)
			}
		}
	}
}

// TestOneOfTwoRacingCommandsWins is the same with two processes of the command line, which
// start up to 120 ms apart.
func TestOneOfTwoRacingCommandsWins(t *testing.T) {
	state := t.TempDir()
	r := newRacers(t, state)
	random := rand.New(rand.NewPCG(1, 2))
	run := func(what, id string) error {
		cmd := program(t, "proposals", "--state-dir", state, "--workspace", r.root, what, id)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
		}
		return nil
	}
	pairs := [][2]string{{"accept", "reject"}, {"reject", "accept"}, {"accept", "accept"}, {"undo", "undo"}, {"undo", "redo"}, {"redo", "redo"}, {"accept", "undo"}}
	for i := range testbed.Count(21, 7) {
		pair := pairs[i%len(pairs)]
		id, _ := r.propose(decisions[pair[0]])
		var errs [2]error
		done := make(chan struct{})
		after := time.After(time.Duration(random.Int64N(int64(120 * time.Millisecond))))
		go func() {
			defer close(done)
			<-after
			errs[1] = run(pair[1], id)
		}()
		errs[0] = run(pair[0], id)
		<-done
		r.check(pair[0], pair[1], id, errs)
	}
}

// TestAnotherProcessSettlesWhatAKilledWinnerLeft kills a process while it accepts. A server that
// runs all the time then rejects: either nothing was applied and that works, or everything was
// applied and the error says so.
func TestAnotherProcessSettlesWhatAKilledWinnerLeft(t *testing.T) {
	state := t.TempDir()
	r := newRacers(t, state)
	random := rand.New(rand.NewPCG(3, 4))
	outcomes := map[bool]int{}
	for range testbed.Count(15, 4) {
		id, _ := r.propose("staged")
		winner := program(t, "proposals", "--state-dir", state, "--workspace", r.root, "accept", id)
		if err := winner.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(random.Int64N(int64(100*time.Millisecond))), func() { winner.Process.Kill() })
		winner.Wait() // fails, if it was killed
		kill.Stop()
		err := r.decide(r.editors[1], "reject", id, "")
		rejected := err == nil
		outcomes[rejected]++
		errs := [2]error{nil, err}
		if rejected {
			errs[0] = fmt.Errorf("killed: the proposal is gone")
		}
		r.check("accept", "reject", id, errs)
	}
	t.Logf("the killed process had decided %d times of %d", outcomes[false], outcomes[false]+outcomes[true])
}
