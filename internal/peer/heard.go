package peer

import (
	"fmt"
	"path/filepath"
)

const (
	// maxDocuments is how many documents a peer may have open.
	maxDocuments = 10_000
	// maxTexts is the size in bytes of all texts that are kept of a peer. Further ones count as
	// hidden.
	maxTexts = 256 << 20
)

// heard is what a peer has said.
type heard struct {
	listener Listener
	peer     string
	texts    bool
	sizes    map[string]int // of the texts of its documents, by path
	total    int            // of the sizes
}

// take passes a message on.
func (h *heard) take(m *header, text []byte) error {
	path := string(m.Path)
	if (m.Type == typeOpen || m.Type == typeClosed) && !filepath.IsAbs(path) {
		return fmt.Errorf("%w: the path %q", errProtocol, path)
	}
	switch m.Type {
	case typeOpen:
		return h.open(Document{Path: path, Version: m.Version, Text: text, Hidden: m.Hidden})
	case typeClosed:
		h.total -= h.sizes[path]
		delete(h.sizes, path)
		h.listener.PeerClosed(h.peer, path)
	case typeProposals:
		h.listener.PeerChangedProposals(h.peer, m.Proposals, m.Turns)
	default:
		return fmt.Errorf("%w: a message of the type %q", errProtocol, m.Type)
	}
	return nil
}

func (h *heard) open(d Document) error {
	if !h.texts || d.Hidden != "" {
		d.Text = nil
	}
	rest := h.total - h.sizes[d.Path]
	if rest+len(d.Text) > maxTexts {
		d.Text, d.Hidden = nil, "the texts that are open in another process are too large together"
	}
	h.sizes[d.Path], h.total = len(d.Text), rest+len(d.Text)
	if len(h.sizes) > maxDocuments {
		return fmt.Errorf("%w: more than %d open documents", errProtocol, maxDocuments)
	}
	h.listener.PeerOpened(h.peer, d)
	return nil
}
