package lspcheck

import (
	"net/url"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// maxHistory is how many texts of a document are kept: messages that were sent before the
// client's last changes were read refer to earlier texts.
const maxHistory = 64

// maxFollowed is the size in bytes up to which a document is followed.
const maxFollowed = 4 << 20

// A document is one that the client has opened.
type document struct {
	open    bool
	lost    bool // its text is not known
	history []version
}

// A version is a text of a document, from the message at clock until the next version.
type version struct {
	*snapshot
	number int
	clock  int
}

// clientNotified takes a notification of the client.
func (s *Session) clientNotified(m *message) {
	switch m.method {
	case "initialized":
		if s.phase == initialized {
			s.phase = running
		}
	case "textDocument/didOpen":
		s.opened(field(m.params, "textDocument"))
	case "textDocument/didChange":
		s.changed(m.params)
	case "textDocument/didClose":
		if d := s.documents[text(m.params, "textDocument", "uri")]; d != nil {
			d.open = false
		}
	}
}

func (s *Session) opened(item any) {
	uri := text(item, "uri")
	content, ok := field(item, "text").(string)
	d := s.documents[uri]
	if d == nil {
		d = &document{}
		s.documents[uri] = d
	}
	d.open, d.lost = true, !ok
	d.add(version{&snapshot{text: content}, number(item, "version"), s.clock})
}

// add adds a text to the history, in which the texts of an earlier time may be forgotten.
func (d *document) add(v version) {
	if len(v.text) > maxFollowed {
		d.lost = true
		v.text = ""
	}
	if len(d.history) == maxHistory {
		d.history = d.history[1:]
	}
	d.history = append(d.history, v)
}

func (s *Session) changed(params any) {
	d := s.documents[text(params, "textDocument", "uri")]
	if d == nil || len(d.history) == 0 {
		return
	}
	now := &snapshot{text: d.history[len(d.history)-1].text}
	for _, change := range list(params, "contentChanges") {
		content, ok := field(change, "text").(string)
		switch r := field(change, "range"); {
		case !ok || r == nil && has(change, "range"):
			d.lost = true
		case r == nil:
			now, d.lost = &snapshot{text: content}, false
		default:
			now = s.splice(d, now, r, content)
		}
	}
	d.add(version{now, number(params, "textDocument", "version"), s.clock})
}

// splice replaces a range of a text.
func (s *Session) splice(d *document, t *snapshot, r any, content string) *snapshot {
	start, startOK := t.offset(field(r, "start"), s.encoding())
	end, endOK := t.offset(field(r, "end"), s.encoding())
	if d.lost || !startOK || !endOK || end < start {
		d.lost = true // servers differ in how they read such a change
		return t
	}
	return &snapshot{text: t.text[:start] + content + t.text[end:]}
}

// encoding returns how the client counts characters.
func (s *Session) encoding() string {
	negotiated := text(s.offered, "positionEncoding")
	switch {
	case s.countsRunes:
		return utf32Encoding
	case negotiated == "":
		return utf16Encoding
	}
	return negotiated
}

// textsSince returns the texts that a document has had since a time, the newest last: those of the
// client, else the one on disk. There is none if the text is not known.
func (s *Session) textsSince(uri string, clock int) (texts []*snapshot) {
	d := s.documents[uri]
	if d == nil {
		if t := s.onDisk(uri); t != nil {
			texts = append(texts, t)
		}
		return texts
	}
	if d.lost {
		return nil
	}
	for i, v := range d.history {
		if replaced := i+1 < len(d.history) && d.history[i+1].clock <= clock; !replaced {
			texts = append(texts, v.snapshot)
		}
	}
	return texts
}

// textsOf returns the texts that had a version. ok is false if the client has never sent it.
func (s *Session) textsOf(uri string, number int) (texts []*snapshot, ok bool) {
	d := s.documents[uri]
	if d == nil {
		return nil, false
	}
	for _, v := range d.history {
		if v.number == number {
			texts, ok = append(texts, v.snapshot), true
		}
	}
	if d.lost {
		return nil, true
	}
	return texts, ok || len(d.history) == maxHistory
}

// onDisk returns the text of a file that has not changed since the session's start, as the server
// must have read it. It returns nil for files whose text clients and servers may read
// differently: those with a byte order mark, or not in UTF-8.
func (s *Session) onDisk(uri string) *snapshot {
	if t, ok := s.disk[uri]; ok {
		return t
	}
	t := readUnchanged(uri, s.started)
	s.disk[uri] = t
	return t
}

func readUnchanged(uri string, since time.Time) *snapshot {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return nil
	}
	info, err := os.Stat(u.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFollowed || !info.ModTime().Before(since) {
		return nil
	}
	data, err := os.ReadFile(u.Path)
	if content := string(data); err == nil && utf8.ValidString(content) && !strings.HasPrefix(content, "\ufeff") {
		return &snapshot{text: content}
	}
	return nil
}
