package document

import (
	"cmp"
	"slices"
	"time"

	"go.lsp.dev/uri"
)

// earlyTimeout is how long a change waits for those that it builds on. They are on their way, unless the
// client has given their versions to changes that it does not send.
const earlyTimeout = 500 * time.Millisecond

// earlyChanges holds, by document and in the order of their versions, the changes that came before
// those that they build on. It is guarded by [Sync]'s lock.
type earlyChanges map[uri.URI][]*ChangeParams

// isEarly reports whether a client that numbers versions one by one has yet to send what a
// change builds on: another change, or the document itself.
func (s *Sync) isEarly(p *ChangeParams) bool {
	if !s.client.ShufflesChanges || p.version == nil || p.fault != nil {
		return false
	}
	doc := s.documents.Get(p.uri)
	return doc == nil || *p.version > doc.Version+1
}

// hold keeps an early change until the others have come, or for as long as it waits for them.
func (s *Sync) hold(p *ChangeParams) {
	held := append(s.early[p.uri], p)
	slices.SortStableFunc(held, func(a, b *ChangeParams) int { return cmp.Compare(*a.version, *b.version) })
	s.early[p.uri] = held
	s.background.Go(func() {
		select {
		case <-s.background.Context().Done():
		case <-time.After(earlyTimeout):
			s.mu.Lock()
			defer s.mu.Unlock()
			if slices.Contains(s.early[p.uri], p) {
				s.applyHeld(p.uri, *p.version)
			}
		}
	})
}

// applyHeld applies the changes that a document waits for no longer: those up to a version, and
// those that follow without a gap.
func (s *Sync) applyHeld(u uri.URI, version int32) {
	for held := s.early[u]; len(held) > 0 && *held[0].version <= version; held = s.early[u] {
		s.early[u] = held[1:]
		if err := s.change(held[0]); err != nil {
			s.log.Error("a change that was held back", "error", err)
		}
		version = max(version, *held[0].version+1)
	}
	if len(s.early[u]) == 0 {
		delete(s.early, u)
	}
}

// dropHeld drops the changes that a new text of a document contains.
func (s *Sync) dropHeld(u uri.URI, version int32) {
	s.early[u] = slices.DeleteFunc(s.early[u], func(p *ChangeParams) bool { return *p.version <= version })
}
