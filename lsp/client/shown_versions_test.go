package client

import (
	"testing"

	"ploke-lsp/edits"
)

// TestADecisionShowsOnlyWhatItWasMadeOn decides on a proposal that was shown, and on one that has been amended since: the
// decision on the latter must not count as a look at the new texts.
func TestADecisionShowsOnlyWhatItWasMadeOn(t *testing.T) {
	proposal := func(text string, state edits.State) *edits.Proposal {
		hunk := edits.Hunk{ID: "h", Edit: edits.Edit{New: text}, State: state}
		return &edits.Proposal{ID: "p", Changes: []*edits.Change{{Op: edits.OpEdit, Path: "/a.go", Hunks: []edits.Hunk{hunk}}}}
	}
	shown := proposal("shown", edits.Staged)
	for name, tt := range map[string]struct {
		decided *edits.Proposal
		want    edits.Version
	}{
		"the same texts": {proposal("shown", edits.Rejected), proposal("shown", edits.Rejected).Version()},
		"amended":        {proposal("amended", edits.Rejected), shown.Version()},
	} {
		t.Run(name, func(t *testing.T) {
			var s ShownVersions
			s.ChangesShown("p", shown.Version())
			s.Decided(tt.decided)
			if got := s.Last("p").Version; got != tt.want {
				t.Errorf("last shown is %s, want %s", got, tt.want)
			}
		})
	}
}
