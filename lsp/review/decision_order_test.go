package review

import (
	"errors"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/project"
)

// TestADecisionIsOnWhatWasShownWhenItCame shows another version as soon as the handler of a decision lets the messages after it
// start.
func TestADecisionIsOnWhatWasShownWhenItCame(t *testing.T) {
	for named, want := range map[string]edits.Version{"": "1", "7": "7"} {
		c := client.New(nil, nil)
		c.Shown.ChangesShown("p", "1")
		r := New(nil, Deps{Client: c, Project: &project.Project{}})
		released := false
		ctx := rpc.WithCall(t.Context(), &rpc.Call{Release: func() {
			released = true
			c.Shown.ChangesShown("p", "2")
		}})
		stopped := errors.New("stopped")
		var on edits.Decision
		_, err := r.decide(ctx, "p", named, edits.Selection{}, func(_ *project.Project, d edits.Decision) (*edits.Proposal, error) {
			if !released {
				t.Error("the decision holds up the messages after it")
			}
			on = d
			return nil, stopped
		})
		if !errors.Is(err, stopped) || on.ID != "p" || on.Shown != want {
			t.Errorf("the decision that names %q is on %+v, %v; want %q", named, on, err, want)
		}
	}
}
