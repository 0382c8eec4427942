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

// received is what a peer has said.
type received struct {
	listener Listener
	peer     string
	texts    bool
	sizes    map[string]int // of the texts of its documents, by path
	total    int            // of the sizes
}

// take passes a message on.
func (r *received) take(m *header, text []byte) error {
	path := string(m.Path)
	if (m.Type == typeOpen || m.Type == typeClosed) && !filepath.IsAbs(path) {
		return fmt.Errorf("%w: the path %q", errProtocol, path)
	}
	switch m.Type {
	case typeOpen:
		return r.open(Document{Path: path, Version: m.Version, Text: text, Hidden: m.Hidden})
	case typeClosed:
		r.total -= r.sizes[path]
		delete(r.sizes, path)
		r.listener.PeerClosed(r.peer, path)
	case typeProposals:
		r.listener.PeerChangedProposals(r.peer, m.Proposals, m.Turns)
	default:
		return fmt.Errorf("%w: a message of the type %q", errProtocol, m.Type)
	}
	return nil
}

func (r *received) open(d Document) error {
	if !r.texts || d.Hidden != "" {
		d.Text = nil
	}
	rest := r.total - r.sizes[d.Path]
	if rest+len(d.Text) > maxTexts {
		d.Text, d.Hidden = nil, "the texts that are open in another process are too large together"
	}
	r.sizes[d.Path], r.total = len(d.Text), rest+len(d.Text)
	if len(r.sizes) > maxDocuments {
		return fmt.Errorf("%w: more than %d open documents", errProtocol, maxDocuments)
	}
	r.listener.PeerOpened(r.peer, d)
	return nil
}
