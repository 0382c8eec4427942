package client

import (
	"sync"

	"ploke-lsp/edits"
)

// ShownVersions is which version of each proposal this process has last shown to the client, for decisions that name
// none. The zero value is empty. It is safe for concurrent use.
type ShownVersions struct {
	mu  sync.Mutex
	all map[string]ShownVersion // by id
}

// A ShownVersion is the version of a proposal that the client was last shown.
type ShownVersion struct {
	Version edits.Version
	changes bool // its changes were shown, and not only that there is a proposal
}

// ChangesShown notes that the changes of a proposal are shown to the client.
func (s *ShownVersions) ChangesShown(id string, version edits.Version) {
	s.set(id, ShownVersion{version, true})
}

// Announced notes that the client is told of a proposal. It counts as long as the client was shown no changes of it:
// they are what the person has seen.
func (s *ShownVersions) Announced(id string, version edits.Version) {
	if !s.Last(id).changes {
		s.set(id, ShownVersion{version, false})
	}
}

// Decided notes what a decision of the client has made of a proposal, unless it was not the latest
// that the client was shown.
func (s *ShownVersions) Decided(p *edits.Proposal) {
	if seen := s.Last(p.ID); seen.Version.SameTexts(p.Version()) {
		s.set(p.ID, ShownVersion{p.Version(), seen.changes})
	}
}

func (s *ShownVersions) set(id string, seen ShownVersion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]ShownVersion{}
	}
	s.all[id] = seen
}

// Last returns what the client was last shown of a proposal; the zero value if that is nothing.
func (s *ShownVersions) Last(id string) ShownVersion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id]
}

// Versions returns the version of each proposal that was shown.
func (s *ShownVersions) Versions() map[string]edits.Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]edits.Version, len(s.all))
	for id, seen := range s.all {
		all[id] = seen.Version
	}
	return all
}

// Decision returns a decision on the version that the client names, or else on the one that it was last shown.
func (c *Client) Decision(id, version string, selection edits.Selection) edits.Decision {
	d := edits.Decision{ID: id, Shown: edits.Version(version), Selection: selection}
	if version == "" {
		d.Shown = c.Shown.Last(id).Version
	}
	return d
}
