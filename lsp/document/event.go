package document

import "go.lsp.dev/uri"

// An Event says that the text of a document is now another one. The table of the open documents has
// it already.
type Event struct {
	Kind    Kind
	URI     uri.URI
	Before  *Document // nil if it was not open
	After   *Document // nil if it is closed
	Changes []Change  // those that made After from Before, one after the other, if it was changed
}

// A Kind is what has happened to a document.
type Kind int

const (
	// Opened means that the document is open from now on, or was opened once more.
	Opened Kind = iota
	// Changed means that the client sent changes. A text that is out of step stays so until one of them has all of it.
	Changed
	// Lost means that the text is not known any more; After says why.
	Lost
	// Closed means that the text is the disk's. Before is nil if the document was not open.
	Closed
)

// Known reports whether the document is open, and its text known.
func (e Event) Known() bool { return e.After != nil && e.After.OutOfStep == "" }

// A Follower learns of each event before the next one happens. It must be quick.
type Follower func(Event)
