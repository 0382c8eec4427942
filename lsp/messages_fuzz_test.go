package lsp_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"ploke-lsp/lsp"
)

// FuzzMessages sends notifications and requests in any order, some of them malformed. The
// server must answer every request with valid messages, and its texts must be the editor's, unless
// it says that it does not know a text.
func FuzzMessages(f *testing.F) {
	f.Add([]byte{0, 0, 7, 1, 0, 9, 0, 0, 1, 1, 2, 10})
	f.Add([]byte("\x00\x00\x0a\x01\x00\x01\x02\x00\x00\x05\x05\x40\x40\x00\x03\x03\x40\x40\x0a\x02\x00"))
	f.Add([]byte("open, type, save, close, and so on, with all kinds of letters and numbers: 0123456789"))
	for seed := range 8 {
		f.Add([]byte(strings.Repeat(fmt.Sprintf("%c\x00\x07\x01\x00\x02%cabc", seed, seed*31%251), 20)))
	}
	root := unpack(f, program)
	server := lsp.NewServer(lsp.Options{StateDir: f.TempDir(), Version: "test"})
	c := dialRaw(f, server)
	c.call(f, "initialize", `{"processId":null,"rootUri":`+quote(string(uri.File(root)))+`,"capabilities":{}}`)
	c.notify(f, "initialized", `{}`)
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &messageHistory{t: t, c: c, server: server, script: script{data}, open: map[uri.URI]*textModel{},
			uris: []uri.URI{uri.File(root + "/shapes/rect.go"), uri.File(root + "/new.md"), uri.MustParse("untitled:Untitled-1")}}
		for len(h.rest) > 0 {
			h.step()
		}
		h.compare()
		for _, u := range h.uris {
			h.close(u)
		}
		h.compare()
		c.report(t)
	})
}

// A messageHistory is one run of messages, with the editor's own view of the documents.
type messageHistory struct {
	script
	t      *testing.T
	c      *rawClient
	server *lsp.Server
	uris   []uri.URI
	open   map[uri.URI]*textModel
}

func (h *messageHistory) step() {
	u := h.uris[h.below(len(h.uris))]
	switch h.below(12) {
	case 0, 1:
		h.didOpen(u)
	case 2, 3, 4, 5, 6:
		h.didChange(u)
	case 7:
		h.close(u)
	case 8:
		h.c.notify(h.t, "textDocument/didSave", `{"textDocument":{"uri":`+quote(string(u))+`}}`)
	case 9:
		h.compare()
	case 10:
		h.request(u)
	case 11:
		h.malformed(u)
	}
}

func (h *messageHistory) didOpen(u uri.URI) {
	m := newModel(h.below(5), strings.Repeat(h.word(), 1+h.below(3))+h.word())
	version, bad := h.number(m.version)
	if version == "null" {
		m.version, bad = 0, false
	}
	if version == "-1" {
		m.version, bad = -1, false
	}
	m.lost = bad
	h.open[u] = m
	h.c.notify(h.t, "textDocument/didOpen",
		`{"textDocument":{"uri":`+quote(string(u))+`,"languageId":"x","version":`+version+`,"text":`+quote(m.text())+`}}`)
}

func (h *messageHistory) didChange(u uri.URI) {
	var changes []modelChange
	var list []string
	for range 1 + h.below(3) {
		c := h.change()
		changes, list = append(changes, c), append(list, c.json)
	}
	m := h.open[u]
	version, json := -1, "null"
	if m != nil {
		version = max(m.version+h.below(4)-1, 0) // often greater, sometimes the same or less
		json = strconv.Itoa(version)
		m.change(version, changes)
	}
	h.c.notify(h.t, "textDocument/didChange",
		`{"textDocument":{"uri":`+quote(string(u))+`,"version":`+json+`},"contentChanges":[`+strings.Join(list, ",")+`]}`)
}

func (h *messageHistory) close(u uri.URI) {
	delete(h.open, u)
	h.c.notify(h.t, "textDocument/didClose", `{"textDocument":{"uri":`+quote(string(u))+`}}`)
}

func (h *messageHistory) request(u uri.URI) {
	document := `"textDocument":{"uri":` + quote(string(u)) + `}`
	_, start, _ := h.position()
	_, end, _ := h.position()
	r := `"range":{"start":` + start + `,"end":` + end + `}`
	file := `{"oldUri":` + quote(string(u)) + `,"newUri":` + quote(string(u)+"x") + `,"uri":` + quote(string(u)) + `,"type":2}`
	for i, params := range []string{
		`{` + document + `,` + r + `,"context":{"diagnostics":[{` + r + `,"message":"m"}]}}`, `{"query":"F"}`, `{"files":[` + file + `]}`,
	} {
		if h.below(3) != i {
			continue
		}
		for _, method := range [][]string{{"textDocument/codeAction", "textDocument/hover"}, {"ploke/search", "workspace/symbol"}, {"workspace/willRenameFiles"}}[i] {
			h.c.call(h.t, method, params)
		}
	}
	h.c.notify(h.t, "workspace/didRenameFiles", `{"files":[`+file+`]}`)
	h.c.notify(h.t, "workspace/didChangeWatchedFiles", `{"changes":[`+file+`]}`)
}

// malformed sends parameters that don't name a document, or no JSON at all.
func (h *messageHistory) malformed(u uri.URI) {
	method := []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave", "workspace/didChangeWatchedFiles"}[h.below(5)]
	params := []string{`null`, `[]`, `{}`, `{"textDocument":null}`, `{"textDocument":{"uri":null}}`, `{"textDocument":{"uri":7,"text":"x"}}`, `{"textDocument":[` + quote(string(u)) + `]}`, `"x"`, `{`, `01`}
	h.c.notify(h.t, method, params[h.below(len(params))])
}

// compare compares what the server knows with what the editor has.
func (h *messageHistory) compare() {
	h.t.Helper()
	h.c.call(h.t, "ploke/index/status", `{}`)
	for _, u := range h.uris {
		m := h.open[u]
		text, outOfStep, open := h.server.Document(u)
		switch {
		case open != (m != nil):
			h.t.Fatalf("%s is open: %v, want %v", u, open, m != nil)
		case !open:
		case m.lost != (outOfStep != ""):
			h.t.Fatalf("%s is out of step because %q, want that: %v", u, outOfStep, m.lost)
		case !m.lost && text != m.text():
			h.t.Fatalf("the text of %s is %.200q, want %.200q", u, text, m.text())
		}
		if !open || !u.IsFile() {
			continue
		}
		if read, err := h.server.Read(u.FsPath()); (err != nil) != m.lost || err == nil && read != m.text() {
			h.t.Fatalf("the workspace reads %.200q, %v; want %.200q, an error: %v", read, err, m.text(), m.lost)
		}
	}
}
