package chat

import (
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// documentName is the name of the chat document that the server opens. A file whose name ends in
// .ploke.md is a chat document wherever it lies.
const (
	documentName   = "chat" + documentSuffix
	documentSuffix = ".ploke.md"
)

// IsDocument reports whether a document is a chat document, by its name.
func IsDocument(u uri.URI) bool { return strings.HasSuffix(string(u), documentSuffix) }

// Documents are the chat documents of a project: the person writes and sends messages there, and answers stream
// into them.
type Documents struct {
	Deps
	turns *Turns
	known knownTexts
	open  openDocuments
}

// NewDocuments returns the chat documents whose messages are sent by turns. The state folder is where
// it is remembered which texts were written here.
func NewDocuments(t *Turns, stateDir string) *Documents {
	return &Documents{Deps: t.Deps, turns: t, known: knownTexts{file: filepath.Join(stateDir, "chat-documents.json")}}
}

// openDocuments holds the chat documents that are open in the editor. It is safe for concurrent use.
type openDocuments struct {
	mu     sync.Mutex
	open   map[uri.URI]*openDocument
	latest uri.URI // changed or opened last
}

// An openDocument is the current text of an open chat document, and what streams into it. It is safe for
// concurrent use.
type openDocument struct {
	uri     uri.URI
	path    string
	known   func() bool // whether this server wrote the text that was opened; the first call reads a file
	sending sync.Mutex  // held while an edit is under way, so that there is one at a time

	mu      sync.Mutex
	closed  bool
	version int32
	text    string
	changes chan struct{} // closed and replaced whenever one of these fields changes
	writers map[*chatdoc.Writer]bool

	conversation, leaf string          // that the text shows: newer than its first line while an edit is under way
	vouched            bool            // the person vouches for the text
	streaming          map[string]bool // the answers, by id, that are being written
	starting           bool            // a message is being sent, and does not stand in the text as sent
}

// get returns an open document, or nil.
func (d *openDocuments) get(u uri.URI) *openDocument {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[u]
}

// current returns the document that was opened or changed last, or nil if none is open.
func (d *openDocuments) current() *openDocument {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[d.latest]
}

// ofConversation returns the open documents that show a conversation.
func (d *openDocuments) ofConversation(id string) (all []*openDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.open {
		if c.shows(id) {
			all = append(all, c)
		}
	}
	return all
}

// opened takes a document that is open from now on. known says whether this server wrote its text.
func (d *openDocuments) opened(doc *document.Document, known func(text string) bool) *openDocument {
	d.mu.Lock()
	defer d.mu.Unlock()
	text := string(doc.Text.Bytes())
	parsed := chatdoc.Parse(text)
	c := &openDocument{uri: doc.URI, path: doc.Path, version: doc.Version, text: text,
		known:   sync.OnceValue(func() bool { return known(text) }),
		changes: make(chan struct{}), writers: map[*chatdoc.Writer]bool{}, streaming: map[string]bool{},
		conversation: parsed.Conversation, leaf: parsed.Leaf}
	if d.open == nil {
		d.open = map[uri.URI]*openDocument{}
	}
	if before := d.open[doc.URI]; before != nil {
		before.close()
	}
	d.open[doc.URI], d.latest = c, doc.URI
	return c
}

// changed takes the next version of a document. Its changes apply to the version before, one after the other.
func (d *openDocuments) changed(before, after *document.Document, changes []document.Change, encoding ploke.Encoding) {
	c := d.get(after.URI)
	if c == nil {
		return
	}
	d.mu.Lock()
	d.latest = after.URI
	d.mu.Unlock()
	c.change(before, after, changes, encoding)
}

// closed forgets a document.
func (d *openDocuments) closed(u uri.URI) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.open[u]; c != nil {
		c.close()
		delete(d.open, u)
	}
}

// change takes the next version of the text.
func (c *openDocument) change(before, after *document.Document, changes []document.Change, encoding ploke.Encoding) {
	text := before.Text
	var edits []chatdoc.Edit
	for _, change := range changes {
		e := chatdoc.Edit{End: text.Len(), New: change.Text}
		if change.Partial {
			start, end, err := change.Offsets(text, encoding)
			if err != nil { // not for a change that was applied
				continue
			}
			e.Start, e.End = start, end
		}
		text = text.Replace(e.Start, e.End, e.New)
		edits = append(edits, e)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.writers {
		w.Changed(c.text, edits)
	}
	c.text, c.version = string(after.Text.Bytes()), after.Version
	c.wake()
}

func (c *openDocument) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.wake()
}

// wake wakes up those who wait for a change. The lock is held.
func (c *openDocument) wake() {
	close(c.changes)
	c.changes = make(chan struct{})
}

// snapshot returns the text with what it shows.
func (c *openDocument) snapshot() (text string, conversation, leaf string, ours bool) {
	known := c.known() // before the lock, for it may take a moment
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text, c.conversation, c.leaf, known || c.vouched
}

// shows reports whether the document shows a conversation.
func (c *openDocument) shows(conversation string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conversation == conversation
}

// show notes which branch the document shows from now on.
func (c *openDocument) show(conversation, leaf string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conversation, c.leaf = conversation, leaf
}

// vouch notes that the person vouches for the text.
func (c *openDocument) vouch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vouched = true
}

// begin notes that a message is being sent. It returns false if one is already.
func (c *openDocument) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.starting {
		return false
	}
	c.starting = true
	return true
}

// end notes that the message stands in the text as sent, or was not sent.
func (c *openDocument) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.starting = false
}

// follow notes that the branch that the document shows has grown from one leaf to another.
func (c *openDocument) follow(leaf, next string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leaf == leaf {
		c.leaf = next
	}
}

// stream notes whether an answer is being written, so that nothing else writes it.
func (c *openDocument) stream(answer string, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.streaming[answer] = true
	} else {
		delete(c.streaming, answer)
	}
}

// hideStreamed makes a view show the answers that are being written as empty: they are written piece by piece, even
// if they are complete.
func (c *openDocument) hideStreamed(v *branch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range v.Turns {
		if m, ok := v.answer(i + 1); ok && c.streaming[m.ID] {
			v.Turns[i].Model, v.Turns[i].Answer = chatdoc.Answering, ""
		}
	}
}
