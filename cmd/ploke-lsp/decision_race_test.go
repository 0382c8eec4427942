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

	"ploke-lsp/internal/testbed"
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

// racers makes proposals in one server, and decides on them in two others.
type racers struct {
	t       *testing.T
	root    string
	editors []*lsptest.Editor
	made    int
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
	return r
}

// propose makes a proposal that creates a file, and brings it to the status.
func (r *racers) propose(status string) (id, path string) {
	r.t.Helper()
	r.made++
	name := fmt.Sprintf("note%d.md", r.made)
	id = r.editors[0].Ask(fmt.Sprintf("create %s with %q", name, "text")).Proposals[0]
	for _, step := range map[string][]string{"verified": {"accept"}, "undone": {"accept", "undo"}}[status] {
		r.editors[0].Call("ploke/proposal/"+step, ploke.ProposalParams{ID: id}, nil)
	}
	return id, filepath.Join(r.root, name)
}

// decide makes a decision in one of the servers.
func (r *racers) decide(e *lsptest.Editor, what, id, path string) error {
	if what == "edit" {
		return e.Try(r.t.Context(), ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: id, File: uri.File(path), After: "edited"}, nil)
	}
	return e.Try(r.t.Context(), "ploke/proposal/"+what, ploke.ProposalParams{ID: id}, nil)
}

// check compares what was answered with what the store and the disk say.
func (r *racers) check(first, second, id, path string, errs [2]error) {
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
		if err != nil && !slices.ContainsFunc([]string{"is being ", "it is ", "the proposal is ", "in another window"}, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			r.t.Errorf("the error does not say what was decided: %v", err)
		}
	}
	want := ""
	if status == "verified" {
		want = stored.Files[0].After
	}
	if text, _ := os.ReadFile(path); string(text) != want {
		r.t.Errorf("%s; the file reads %q", what, text)
	}
	wanted := map[string]string{"accept": "verified", "reject": "rejected", "edit": "staged", "undo": "undone", "redo": "verified"}
	if !slices.ContainsFunc(won, func(d string) bool { return wanted[d] == status }) {
		r.t.Errorf("%s, which nobody decided", what)
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
			for range testbed.Count(6, 2) {
				id, path := r.propose(needed)
				var errs [2]error
				done := make(chan struct{})
				after := time.After(time.Duration(random.Int64N(int64(30 * time.Millisecond))))
				go func() {
					defer close(done)
					<-after
					errs[1] = r.decide(r.editors[2], second, id, path)
				}()
				errs[0] = r.decide(r.editors[1], first, id, path)
				<-done
				r.check(first, second, id, path, errs)
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
	for i := range testbed.Count(56, 7) {
		pair := pairs[i%len(pairs)]
		id, path := r.propose(decisions[pair[0]])
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
		r.check(pair[0], pair[1], id, path, errs)
	}
}
