package client

import (
	"maps"
	"slices"
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
	changes bool            // its changes were shown, and not only that there is a proposal
	look    int             // counts what was shown; what the person types into it is the same look
	over    []edits.Version // those that the person has typed over
}

// ChangesShown notes that the changes of a proposal are shown to the client. It may come late: a version that the
// person has typed over comes never again.
func (s *ShownVersions) ChangesShown(id string, version edits.Version) {
	s.update(id, func(seen ShownVersion) ShownVersion {
		if slices.Contains(seen.over, version) {
			return seen
		}
		return seen.next(version, true)
	})
}

// Typed notes that the person has made another version of a proposal by typing in what is shown, which was one of
// those before.
func (s *ShownVersions) Typed(id string, version edits.Version, before ...edits.Version) {
	s.update(id, func(seen ShownVersion) ShownVersion {
		typed := seen.next(version, true)
		typed.over = slices.DeleteFunc(before, func(v edits.Version) bool { return v == version })
		if slices.Contains(before, seen.Version) {
			typed.look = seen.look
		}
		return typed
	})
}

// Announced notes that the client is told of a proposal. It counts as long as the client was shown no changes of it:
// they are what the person has seen.
func (s *ShownVersions) Announced(id string, version edits.Version) {
	s.update(id, func(seen ShownVersion) ShownVersion {
		if seen.changes {
			return seen
		}
		return seen.next(version, false)
	})
}

// Decided notes what a decision of the client has made of a proposal, unless it was not the latest
// that the client was shown.
func (s *ShownVersions) Decided(p *edits.Proposal) {
	s.update(p.ID, func(seen ShownVersion) ShownVersion {
		if !seen.Version.SameTexts(p.Version()) {
			return seen
		}
		return seen.next(p.Version(), seen.changes)
	})
}

// next is what the client is shown after seen.
func (seen ShownVersion) next(version edits.Version, changes bool) ShownVersion {
	next := ShownVersion{Version: version, changes: changes, look: seen.look}
	if version != seen.Version {
		next.look++
	}
	return next
}

func (s *ShownVersions) update(id string, change func(seen ShownVersion) ShownVersion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]ShownVersion{}
	}
	s.all[id] = change(s.all[id])
}

// Last returns what the client was last shown of a proposal; the zero value if that is nothing.
func (s *ShownVersions) Last(id string) ShownVersion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id]
}

// Looks returns what the client was last shown of each proposal.
func (s *ShownVersions) Looks() map[string]ShownVersion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.all)
}

// Since returns the version that a decision is on whose proposal was last shown as seen when it was made: what the
// person had typed in it by then may have become the proposal's only afterwards.
func (s *ShownVersions) Since(id string, seen ShownVersion) edits.Version {
	if now := s.Last(id); now.look == seen.look {
		return now.Version
	}
	return seen.Version
}

// Decision returns a decision on the version that the client names, or else on the one that it was last shown. A
// handler calls it before release: what is shown while it works is not what the person has decided on.
func (c *Client) Decision(id, version string, selection edits.Selection) edits.Decision {
	d := edits.Decision{ID: id, Shown: edits.Version(version), Selection: selection}
	if version == "" {
		d.Shown = c.Shown.Last(id).Version
	}
	return d
}
