package lsp

import (
	"sync"

	"ploke-lsp/edits"
)

// seenProposals is which version of each proposal this process has last shown to the client, for decisions that name
// none. The zero value is empty. It is safe for concurrent use.
type seenProposals struct {
	mu  sync.Mutex
	all map[string]seenProposal // by id
}

type seenProposal struct {
	version edits.Version
	looked  bool // its changes were shown, and not only that there is a proposal
}

// look notes that the changes of a proposal are shown to the client.
func (s *seenProposals) look(id string, version edits.Version) {
	s.set(id, seenProposal{version, true})
}

// announce notes that the client is told of a proposal. It counts as long as the client was shown no changes of it: they
// are what the person has seen.
func (s *seenProposals) announce(id string, version edits.Version) {
	if !s.get(id).looked {
		s.set(id, seenProposal{version, false})
	}
}

// decided notes what a decision of the client has made of a proposal, unless it was not the latest that the client was shown.
func (s *seenProposals) decided(p *edits.Proposal) {
	if seen := s.get(p.ID); seen.version.SameTexts(p.Version()) {
		s.set(p.ID, seenProposal{p.Version(), seen.looked})
	}
}

func (s *seenProposals) set(id string, seen seenProposal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]seenProposal{}
	}
	s.all[id] = seen
}

func (s *seenProposals) get(id string) seenProposal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id]
}

// list returns the version of each proposal that was shown.
func (s *seenProposals) list() map[string]edits.Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]edits.Version, len(s.all))
	for id, seen := range s.all {
		all[id] = seen.version
	}
	return all
}

// decision returns a decision on the version that the client names, or else on the one that it was last shown.
func (c *client) decision(id, version string, selection edits.Selection) edits.Decision {
	d := edits.Decision{ID: id, Shown: edits.Version(version), Selection: selection}
	if version == "" {
		d.Shown = c.seen.get(id).version
	}
	return d
}
