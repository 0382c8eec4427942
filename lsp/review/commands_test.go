package review

import (
	"context"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// TestACommandIsOnWhatWasShownWhenItCame shows another version while the work of a command waits for the diffs, as an amendment and as
// what the person has typed.
func TestACommandIsOnWhatWasShownWhenItCame(t *testing.T) {
	for name, tt := range map[string]struct {
		named edits.Decision
		then  func(*client.ShownVersions)
		want  edits.Version
	}{
		"nothing named, amended": {edits.Decision{}, func(s *client.ShownVersions) { s.ChangesShown("p", "2") }, "1"},
		"nothing named, typed":   {edits.Decision{}, func(s *client.ShownVersions) { s.Typed("p", "2", "1") }, "2"},
		"an id, amended":         {edits.Decision{ID: "p"}, func(s *client.ShownVersions) { s.ChangesShown("p", "2") }, "1"},
		"an id, announced":       {edits.Decision{ID: "p"}, func(s *client.ShownVersions) { s.Announced("p", "2") }, "1"},
		"an id, typed":           {edits.Decision{ID: "p"}, func(s *client.ShownVersions) { s.Typed("p", "2", "0", "1") }, "2"},
		"typed and amended": {edits.Decision{ID: "p"}, func(s *client.ShownVersions) {
			s.Typed("p", "2", "1")
			s.ChangesShown("p", "3")
		}, "1"},
		"typed in what was amended": {edits.Decision{ID: "p"}, func(s *client.ShownVersions) {
			s.ChangesShown("p", "2")
			s.Typed("p", "3", "2")
		}, "1"},
		"typed in another than was shown": {edits.Decision{ID: "p"}, func(s *client.ShownVersions) { s.Typed("p", "3", "2") }, "1"},
		"typed, and shown late as it was": {edits.Decision{ID: "p"}, func(s *client.ShownVersions) {
			s.Typed("p", "2", "1")
			s.ChangesShown("p", "1")
		}, "2"},
		"a version":             {edits.Decision{ID: "p", Shown: "7"}, func(s *client.ShownVersions) { s.ChangesShown("p", "2") }, "7"},
		"nothing shown of it":   {edits.Decision{ID: "q"}, func(s *client.ShownVersions) { s.ChangesShown("q", "2") }, ""},
		"nothing announced yet": {edits.Decision{ID: "q"}, func(s *client.ShownVersions) { s.Announced("q", "2") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := client.New(nil, nil)
			c.Ploke = ploke.Capabilities{Methods: []string{ploke.MethodEvent, ploke.MethodReview}}
			r := New(nil, Deps{Client: c, Documents: &document.Table{}, Background: client.NewBackground(t.Context(), c)})
			c.Shown.ChangesShown("p", "1")
			decided := make(chan edits.Decision, 1)
			list := func(*edits.Proposals, context.Context) ([]*edits.Proposal, error) {
				return []*edits.Proposal{{ID: "p"}}, nil
			}
			r.Project = &project.Project{Edits: &edits.Manager{}}
			r.diffs.agreeing.Lock()
			if _, err := r.decideAfterwards(t.Context(), tt.named, "accept", list,
				func(_ context.Context, _ *project.Project, d edits.Decision) (*edits.Proposal, error) {
					decided <- d
					return &edits.Proposal{ID: d.ID}, nil
				}); err != nil {
				t.Fatal(err)
			}
			tt.then(&c.Shown)
			r.diffs.agreeing.Unlock()
			if d := testbed.Receive(t, decided, "the decision"); d.Shown != tt.want {
				t.Errorf("it is on %q, want %q", d.Shown, tt.want)
			}
			r.Background.Wait()
		})
	}
}
