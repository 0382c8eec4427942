package index_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

func TestSearch(t *testing.T) {
	p := open(t, sample)
	p.update()
	for query, want := range map[string]string{
		"how does the Server shut down gracefully": "server/server.go Server::Shutdown",
		"Server.Shutdown":                          "server/server.go Server::Shutdown",
		"shown to people":                          "server/server.go Server",
		"parse duration":                           "parse.py parse_duration",
		"reading durations":                        "parse.py parse_duration",
		"configuring frobnicators":                 "README.md Sample",
		"test of shutdown":                         "server/server_test.go TestShutdown",
		"what is in server/server.go":              "server/server.go Server",
	} {
		if hits := p.search(query); len(hits) == 0 || hits[0] != want {
			t.Errorf("%q finds %q, want %q first", query, hits, want)
		}
	}
	for _, query := range []string{"", "the of and", "zebra", "?!"} {
		equal(t, fmt.Sprintf("hits for %q", query), []string(nil), p.search(query))
	}
}

func TestHit(t *testing.T) {
	p := open(t, sample)
	p.update()
	results, err := p.index.Search(t.Context(), index.Query{Text: "Server.Shutdown", Limit: 1})
	if err != nil || len(results.Hits) != 1 || results.TopK != 1 {
		t.Fatalf("%+v, %v", results, err)
	}
	hit := results.Hits[0]
	text := sample["server/server.go"]
	start := len(text[:hit.StartByte])
	equal(t, "hit", index.Unit{
		Path: p.path("server/server.go"), Rel: "server/server.go", Language: "go",
		Canon: "Server::Shutdown", Name: "Shutdown", Kind: syntax.KindMethod,
		Signature: "func (s *Server) Shutdown(ctx Context) error",
		Doc:       "Shutdown stops the server gracefully: it waits for the open connections.",
		Hash:      hit.Hash, Lines: hit.Lines, StartLine: 10, EndLine: 10,
		StartByte: start, EndByte: hit.EndByte, NameStart: hit.NameStart, NameEnd: hit.NameEnd,
	}, hit.Unit)
	equal(t, "text", "func (s *Server) Shutdown(ctx Context) error { return s.drain(ctx) }", text[hit.StartByte:hit.EndByte])
	equal(t, "name", "Shutdown", text[hit.NameStart:hit.NameEnd])
	if hit.Score <= 0 || hit.Signals["exact"] != 1 {
		t.Errorf("score %v, signals %v", hit.Score, hit.Signals)
	}
}

// TestCodeBeforeProse finds the same words in code and in a document.
func TestCodeBeforeProse(t *testing.T) {
	p := open(t, map[string]string{
		"README.md": "# Frobnicate the gizmo\n\nHow to frobnicate the gizmo.\n",
		"gizmo.go":  "package g\n\n// Frobnicate turns the gizmo.\nfunc Frobnicate() { gizmo() }\n",
	})
	p.update()
	equal(t, "best hit", "gizmo.go Frobnicate", p.search("frobnicate the gizmo")[0])
}

// TestNames asks for files by names, with words that others have more of.
func TestNames(t *testing.T) {
	p := open(t, map[string]string{
		"a/frob.go":   "package a\n\n// Frobnicate the gizmo.\nfunc Frobnicate() {}\n",
		"gizmo/g.go":  "package g\n\nfunc run() { frobnicate() }\n",
		"b/header.go": "package b\n\n// The header of the archive.\nfunc header() { archive() }\n\nfunc archiveHeader() { header() }\n",
		"c/other.go":  "package c\n\nfunc readAll() { archive() }\n",
	})
	p.update()
	for _, test := range []struct {
		query   string
		channel index.Channel // that finds by the name
		want    string
		without string // the channel
	}{
		{"frobnicate: the gizmo", index.CalledChannel, "gizmo/g.go", "a/frob.go"},
		{"read the archive header in readAll", index.ExactChannel, "c/other.go", "b/header.go"},
	} {
		equal(t, test.query, test.want, bestFile(t, p, test.query))
		equal(t, test.query+" without "+string(test.channel), test.without, bestFile(t, p, test.query, test.channel))
	}
}

// bestFile is the one with the highest score as a file.
func bestFile(t *testing.T, p *project, query string, without ...index.Channel) string {
	t.Helper()
	results, err := p.index.Search(t.Context(), index.Query{Text: query, Without: without})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range results.Hits {
		if h.Signals["file"] == 1 {
			return h.Rel
		}
	}
	return ""
}

// TestOrderIsDeterministic builds the same index twice, once in pieces: the hits
// must be the same, with the same scores.
func TestOrderIsDeterministic(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = fmt.Sprintf("package p\n\n// F%d does the thing.\nfunc F%d() { thing(%d) }\n", i, i, i)
	}
	whole := open(t, files)
	whole.update()
	want := whole.search("the thing f3")
	if len(want) != 20 {
		t.Fatalf("%d hits, want 20", len(want))
	}
	pieces := open(t, nil)
	n := 0
	for rel, text := range files {
		pieces.write(rel, text)
		if n++; n%10 == 0 {
			pieces.update()
		}
	}
	equal(t, "hits of an index built in pieces", want, pieces.search("the thing f3"))
}

func TestLookup(t *testing.T) {
	p := open(t, sample)
	p.update()
	for _, c := range []struct {
		name           string
		found, nearest []string
	}{
		{"Server::Shutdown", []string{"server/server.go Server::Shutdown"}, nil},
		{"Server.Shutdown", []string{"server/server.go Server::Shutdown"}, nil},
		{"Shutdown", []string{"server/server.go Server::Shutdown"}, nil},
		{"Name", []string{"server/server.go Server::Name"}, nil},
		{"shutdown", nil, []string{"server/server.go Server::Shutdown", "server/server_test.go TestShutdown"}},
		{"parse_durations", nil, []string{"parse.py parse_duration"}},
		{"Servr", nil, []string{"server/server.go Server"}},
		{"Zebra", nil, nil},
		{"", nil, nil},
	} {
		found, nearest := p.lookup(c.name)
		equal(t, "lookup of "+c.name, c.found, found)
		equal(t, "names near "+c.name, c.nearest, nearest)
	}
	found, _, err := p.index.Lookup(t.Context(), index.LookupQuery{Name: "Server", Kind: syntax.KindMethod})
	if err != nil || len(found) != 0 {
		t.Errorf("Server is a method: %v, %v", found, err)
	}
	found, _, err = p.index.Lookup(t.Context(), index.LookupQuery{Name: "Server", File: "server/server.go"})
	if err != nil || len(found) != 1 {
		t.Errorf("Server is not in its file: %v, %v", found, err)
	}
}

func TestLookupFindsAllNamesakes(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package a\n\nfunc Run() {}\n\ntype Server struct{}\n\nfunc (s *Server) Run() {}\n"})
	p.update()
	both := []string{"a.go Run", "a.go Server::Run"}
	for name, want := range map[string][]string{"Run": both, "Server::Run": both[1:]} {
		found, _ := p.lookup(name)
		equal(t, "lookup of "+name, want, found)
	}
}

func TestOutline(t *testing.T) {
	p := open(t, sample)
	p.update()
	units, err := p.index.Outline(t.Context(), p.path("server/server.go"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "outline", []string{
		"server/server.go Server", "server/server.go Server::Name", "server/server.go Server::Shutdown", "server/server.go Server::drain",
	}, places(units))
	if units, err := p.index.Outline(t.Context(), p.path("none.go")); err != nil || len(units) != 0 {
		t.Errorf("outline of a file that is not there: %v, %v", units, err)
	}
}

func TestOccurrences(t *testing.T) {
	p := open(t, sample)
	p.update()
	occurrences, err := p.index.Occurrences(t.Context(), "Shutdown")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "occurrences", []string{
		"server/server.go:10  from Server::Shutdown", "server/server_test.go:3  from TestShutdown", "server/server_test.go:3  from TestShutdown",
	}, mentions(occurrences))
	first := occurrences[0]
	equal(t, "text of the first", "Shutdown", sample["server/server.go"][first.StartByte:first.EndByte])
	equal(t, "line of the first", "func (s *Server) Shutdown(ctx Context) error { return s.drain(ctx) }", first.LineText)
}

func mentions(refs []index.Reference) (list []string) {
	for _, r := range refs {
		list = append(list, fmt.Sprintf("%s:%d %s from %s", r.Rel, r.Line, r.Kind, r.From))
	}
	return list
}

// TestChangedBehindTheIndex edits a file without an update: what is found is in the
// text of now, or not there.
func TestChangedBehindTheIndex(t *testing.T) {
	p := open(t, sample)
	p.update()
	p.write("server/server.go", "// moved\n\n"+sample["server/server.go"])
	found, _, err := p.index.Lookup(t.Context(), index.LookupQuery{Name: "Server::drain"})
	if err != nil || len(found) != 1 || found[0].StartLine != 14 {
		t.Errorf("drain is at %+v, want line 14 (%v)", found, err)
	}
	p.write("server/server.go", "package server\n")
	hits := p.search("Server.Shutdown gracefully")
	if slices.Contains(hits, "server/server.go Server::Shutdown") {
		t.Errorf("found what is not there any more: %q", hits)
	}
}

func TestBufferWins(t *testing.T) {
	p := open(t, sample)
	p.update()
	path := p.path("parse.py")
	text := []byte("def frobnicate(x):\n    return Shutdown(x)\n")
	p.ws.SetBuffer(path, 2, text)
	if err := p.index.SetBuffer(t.Context(), path, text); err != nil {
		t.Fatal(err)
	}
	found, _ := p.lookup("parse_duration")
	equal(t, "what the unsaved text does not have", []string(nil), found)
	found, _ = p.lookup("frobnicate")
	equal(t, "what it has", []string{"parse.py frobnicate"}, found)
	equal(t, "search", []string{"parse.py frobnicate"}, p.search("frobnicate")[:1])
	units, err := p.index.Outline(t.Context(), path)
	if err != nil || len(units) != 1 || units[0].Canon != "frobnicate" {
		t.Errorf("outline %v, %v", units, err)
	}
	occurrences, err := p.index.Occurrences(t.Context(), "Shutdown")
	if err != nil || len(occurrences) != 4 || occurrences[0].Rel != "parse.py" {
		t.Errorf("occurrences %v, %v", mentions(occurrences), err)
	}
	occurrences, err = p.index.Occurrences(t.Context(), "parse_duration")
	if err != nil || len(occurrences) != 0 {
		t.Errorf("occurrences %v, %v", mentions(occurrences), err)
	}
	if stats := p.update(); stats.Symbols != 7 {
		t.Errorf("%d symbols after an update beside an unsaved text, want 7", stats.Symbols)
	}
	p.index.DropBuffer(path)
	p.ws.CloseBuffer(path)
	found, _ = p.lookup("parse_duration")
	equal(t, "the disk's text again", []string{"parse.py parse_duration"}, found)
	equal(t, "search in it", []string{"parse.py parse_duration"}, p.search("parse duration")[:1])
}

func TestNewFileInBuffer(t *testing.T) {
	p := open(t, sample)
	p.update()
	if err := p.index.SetBuffer(t.Context(), p.path("new.go"), []byte("package n\nfunc Brandnew() {}\n")); err != nil {
		t.Fatal(err)
	}
	want := p.search("brandnew")
	equal(t, "search", "new.go Brandnew", want[0])
	if err := p.index.SetBuffer(t.Context(), p.path(".env"), []byte("BRANDNEW=1\n")); err != nil {
		t.Fatal(err)
	}
	equal(t, "hits beside a secret", want, p.search("brandnew"))
}

func TestRefresh(t *testing.T) {
	p := open(t, sample)
	p.update()
	p.write("parse.py", "def parse_interval(text): pass\n")
	p.write("sub/new.go", "package sub\nfunc Fresh() {}\n")
	if err := p.index.Refresh(t.Context(), []string{p.path("parse.py"), p.path("parse.py"), p.path("sub"), p.path("gone.go"), "/elsewhere/x.go"}); err != nil {
		t.Fatal(err)
	}
	found, _ := p.lookup("parse_interval")
	equal(t, "a changed file", []string{"parse.py parse_interval"}, found)
	found, _ = p.lookup("Fresh")
	equal(t, "a file in a new folder", []string{"sub/new.go Fresh"}, found)
	p.write(".gitignore", "sub/\n")
	if err := p.index.Refresh(t.Context(), []string{p.path(".gitignore")}); err != nil {
		t.Fatal(err)
	}
	found, _ = p.lookup("Fresh")
	equal(t, "a file that is ignored now", []string(nil), found)
	if st := p.index.Status(); st.Symbols != 7 {
		t.Errorf("%d symbols after refreshing, want 7", st.Symbols)
	}
}

// TestRefreshOfSingleFiles refreshes without a folder among the paths: only these are
// looked at.
func TestRefreshOfSingleFiles(t *testing.T) {
	p := open(t, sample)
	p.update()
	p.write("parse.py", "def parse_interval(text): pass\n")
	p.write("README.md", "# Sample\n\nThe gizmo.\n")
	if err := os.RemoveAll(p.path("server")); err != nil {
		t.Fatal(err)
	}
	if err := p.index.Refresh(t.Context(), []string{p.path("parse.py"), p.path("parse.py"), p.path("server")}); err != nil {
		t.Fatal(err)
	}
	found, _ := p.lookup("parse_interval")
	equal(t, "a changed file", []string{"parse.py parse_interval"}, found)
	found, _ = p.lookup("Server")
	equal(t, "what was in a folder that is gone", []string(nil), found)
	equal(t, "a file that was not named", []string(nil), p.search("gizmo"))
}
