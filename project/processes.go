package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/peer"
)

// StatusLine says in one line how the index of a project is, which other processes of the folders are met and missed,
// and how the language servers are, in whichever process they run. It waits for another process for a second at most.
func StatusLine(ctx context.Context, p *Project) string {
	line := p.IndexStatus().String()
	if met, missed := p.Processes(); len(met)+len(missed) > 0 {
		line += "; other processes: " + strings.Join(append(met, missed...), "; ")
	}
	if servers := p.languages.lines(ctx); len(servers) > 0 {
		line += "; " + strings.Join(servers, "; ")
	}
	return line
}

// ProcessFindings are the findings about the other processes of a project's folders, and about language servers.
func ProcessFindings(ctx context.Context, p *Project) []Finding {
	p.peers.AwaitListed(ctx)
	return append(processFindings(p.Processes()), p.languages.findings(ctx)...)
}

// Processes says, in a line each, which other processes of the folders are met, and which should be and are not.
func (p *Project) Processes() (met, missed []string) {
	for _, root := range p.Workspace.Roots() {
		others, err := p.peers.Met(root)
		if err != nil {
			missed = append(missed, fmt.Sprintf("no other process that has %s open is met: %v", root, err))
		}
		for _, other := range others {
			met = append(met, fmt.Sprintf("%s, which has %s open, too%s", describePeer(other), root, apart(other, p.stateDir)))
		}
	}
	for _, w := range p.Index.Writers() {
		if !meets(p, w.Owner) {
			missed = append(missed,
				fmt.Sprintf("%s writes the index of %s and is not met, so that neither sees the other's unsaved text: "+
					"start both as the same user, with the same version and, if one is in a container, both there",
					describeWriter(w.Owner), w.Root))
		}
	}
	slices.Sort(met)
	return slices.Compact(met), missed
}

// WritesUnmet reports whether a process that is not met writes the index of a folder.
func WritesUnmet(p *Project) bool {
	for _, w := range p.Index.Writers() {
		if !meets(p, w.Owner) {
			return true
		}
	}
	return false
}

// meets reports whether a process is met in one of the folders.
func meets(p *Project, o lease.Owner) bool {
	return o.Host == lease.Host() && slices.ContainsFunc(p.Workspace.Roots(), func(root string) bool {
		others, _ := p.peers.Met(root)
		return slices.ContainsFunc(others, func(other peer.Peer) bool { return other.PID == o.PID })
	})
}

// apart says that a process has another state folder than this one, "" if it does not.
func apart(other peer.Peer, stateDir string) string {
	if other.State == "" || other.State == peer.StateID(stateDir) {
		return ""
	}
	return ", with another state folder, so that each has conversations, proposals and an index of its own"
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
