package project

import (
	"fmt"
	"slices"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/peer"
)

// Processes says, in a line each, which other processes of the folders are met, and which should be and are not.
func (p *Project) Processes() (met, missed []string) {
	seen := map[int]bool{}
	for _, root := range p.Workspace.Roots() {
		others, err := p.peers.Met(root)
		if err != nil {
			missed = append(missed, fmt.Sprintf("no other process that has %s open is met: %v", root, err))
		}
		for _, peer := range others {
			seen[peer.PID] = true
			met = append(met, fmt.Sprintf("%s, which has %s open, too", describePeer(peer), root))
		}
	}
	for _, w := range p.Index.Writers() {
		if there := w.Host == lease.Host(); !seen[w.PID] || !there {
			missed = append(missed,
				fmt.Sprintf("%s writes the index of %s and is not met, so that neither sees the other's unsaved text: "+
					"start both as the same user, with the same version and, if one is in a container, both there",
					describeWriter(w.Owner), w.Root))
		}
	}
	slices.Sort(met)
	return slices.Compact(met), missed
}

func describePeer(p peer.Peer) string {
	if p.PID == 0 {
		return "a process that this one does not see (ploke-lsp " + p.Program + ")"
	}
	return fmt.Sprintf("process %d (ploke-lsp %s)", p.PID, p.Program)
}

func describeWriter(o lease.Owner) string {
	if o.Host != lease.Host() {
		return fmt.Sprintf("process %d of %s", o.PID, o.Host)
	}
	return fmt.Sprintf("process %d", o.PID)
}

// processFindings are those of Processes.
func processFindings(met, missed []string) (found []Finding) {
	if len(met) == 0 && len(missed) == 0 {
		met = []string{"no other process has the folder open"}
	}
	for _, text := range met {
		found = append(found, Finding{Level: Fine, What: "processes", Text: text})
	}
	for _, text := range missed {
		found = append(found, Finding{Level: Suspect, What: "processes", Text: text})
	}
	return found
}
