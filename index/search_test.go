package index_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/index/query"
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
	old := time.Now().Add(-time.Hour) // the lines of a file that has just changed are not read
	if err := os.Chtimes(p.path("server/server.go"), old, old); err != nil {
		t.Fatal(err)
	}
	p.update()
	results, err := p.index.Search(t.Context(), index.Query{Text: "Server.Shutdown", Limit: 1, Focused: true})
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
		Hash:      hit.Hash,
		Lines:     "func (s *Server) Shutdown(ctx Context) error { return s.drain(ctx) }\n",
		Extent: index.Extent{StartLine: 10, EndLine: 10, StartByte: start, EndByte: hit.EndByte,
			NameStart: hit.NameStart, NameEnd: hit.NameEnd},
	}, hit.Unit)
	equal(t, "text", "func (s *Server) Shutdown(ctx Context) error { return s.drain(ctx) }", text[hit.StartByte:hit.EndByte])
	equal(t, "name", "Shutdown", text[hit.NameStart:hit.NameEnd])
	if hit.Score <= 0 || hit.Signals["exact"] != 1 {
		t.Errorf("score %v, signals %v", hit.Score, hit.Signals)
	}
}

// TestTouchedFile gives a file another time, but the same text. The update after it notes that, so
// searches need not read all of the file.
func TestTouchedFile(t *testing.T) {
	p := open(t, sample)
	touch := func(age time.Duration) {
		t.Helper()
		then := time.Now().Add(-age)
		if err := os.Chtimes(p.path("server/server.go"), then, then); err != nil {
			t.Fatal(err)
		}
	}
	readsAll := func(want bool) {
		t.Helper()
		results, err := p.index.Search(t.Context(), index.Query{Text: "Server.Shutdown", Limit: 1, Focused: true})
		if err != nil || len(results.Hits) != 1 || results.Hits[0].StartLine != 10 || results.Hits[0].Lines == "" != want {
			t.Errorf("%+v, %v; all is read: want %v", results, err, want)
		}
	}
	touch(3 * time.Hour)
	p.update()
	readsAll(false)
	touch(2 * time.Hour)
	readsAll(true)
	if stats := p.update(); stats.ParsedFiles != 0 {
		t.Errorf("%d files were parsed", stats.ParsedFiles)
	}
	readsAll(false)
	p.reopen()
	readsAll(false)
}

// TestCodeBeforeProse searches for words that code and documentation share.
func TestCodeBeforeProse(t *testing.T) {
	p := open(t, map[string]string{
		"README.md": "# Frobnicate the gizmo\n\nHow to frobnicate the gizmo.\n",
		"gizmo.go":  "package g\n\n// Frobnicate turns the gizmo.\nfunc Frobnicate() { gizmo() }\n",
	})
	p.update()
	equal(t, "best hit", "gizmo.go Frobnicate", p.search("frobnicate the gizmo")[0])
}

// TestNames searches for files by name, with words that other files have more of.
func TestNames(t *testing.T) {
	p := open(t, map[string]string{
		"a/a.go":     "package a\n\n// Frobnicate the gizmo.\nfunc Frobnicate() {}\n",
		"gizmo.go":   "package g\n\nfunc run() { frobnicate() }\n",
		"b/b.go":     "package b\n\n// The header of the archive.\nfunc header() { archive() }\n\nfunc archiveHeader() { header() }\n",
		"c/other.go": "package c\n\nfunc load() {}\n",
	})
	p.update()
	for _, test := range []struct {
		query   string
		channel query.Channel // that matches the name
		want    string
		without string // the best file without the channel
	}{
		{"frobnicate: the gizmo", query.NamingChannel, "gizmo.go", "a/a.go"},
		{"the header in `load`", query.ExactChannel, "c/other.go", "b/b.go"},
	} {
		equal(t, test.query, test.want, bestFile(t, p, test.query))
		equal(t, test.query+" without "+string(test.channel), test.without, bestFile(t, p, test.query, test.channel))
	}
}

// bestFile returns the file with the highest file score.
func bestFile(t *testing.T, p *project, query string, without ...query.Channel) string {
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

// TestOrderIsDeterministic builds the same index twice, once in steps. The hits must be in
// the same order.
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

// TestManyEqualFiles searches more files of equal scores than a search describes: the hits are
// the first in the order of paths, whatever the order in which the files were indexed.
func TestManyEqualFiles(t *testing.T) {
	const half = 100
	p := open(t, nil)
	var want []string
	for i := 2*half - 1; i >= 0; i-- {
		p.write(fmt.Sprintf("f%03d.go", i), "package p\n\nfunc reload() {}\n")
		if i == half {
			p.update() // the others get higher numbers
		}
		if i < 20 {
			want = append(want, fmt.Sprintf("f%03d.go reload", i))
		}
	}
	p.update()
	slices.Reverse(want)
	equal(t, "hits among equal files", want, p.search("reload"))
}

// TestLongQuery pastes more words than a search looks for. Those that few files have count.
func TestLongQuery(t *testing.T) {
	var words []string
	for i := range 600 {
		words = append(words, fmt.Sprintf("w%sx", strings.Repeat(string(rune('a'+i%26)), 3)+strconv.Itoa(i)))
	}
	common, lines := strings.Join(words, " "), strings.Join(words, "\n// ")
	files := map[string]string{"rare.go": "package p\n\n// zebra " + lines + "\nfunc Rare() {}\n"}
	for i := range 20 {
		files[fmt.Sprintf("common%d.go", i)] = "package p\n\n// " + lines + "\nfunc Common() {}\n"
	}
	p := open(t, files)
	p.update()
	p.write("common0.go", files["common1.go"]+"\n")
	p.update() // so that a segment has dead documents
	for _, query := range []string{common + " zebra", "zebra " + common, common + "\nzebra"} {
		if hits := p.search(query); len(hits) == 0 || !strings.HasPrefix(hits[0], "rare.go ") {
			t.Errorf("the best of %d hits is %q, want one of rare.go", len(hits), hits[:min(1, len(hits))])
		}
	}
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

func TestLookupFindsAllMatches(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package a\n\nfunc Run() {}\n\ntype Server struct{}\n\nfunc (s *Server) Run() {}\n"})
	p.update()
	both := []string{"a.go Run", "a.go Server::Run"}
	for name, want := range map[string][]string{"Run": both, "Server::Run": both[1:]} {
		found, _ := p.lookup(name)
		equal(t, "lookup of "+name, want, found)
	}
}

// TestLookupPutsDeclarationsFirst finds a name in code, in data and in documents.
func TestLookupPutsDeclarationsFirst(t *testing.T) {
	p := open(t, map[string]string{"README.md": "# Context\n\nA text.\n", "a.toml": "[Context]\nx = 1\n",
		"z.go": "package z\n\ntype Context struct{}\n"})
	p.update()
	found, _ := p.lookup("Context")
	equal(t, "the order", []string{"z.go Context", "a.toml Context", "README.md Context"}, found)
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
		t.Errorf("outline of a missing file: %v, %v", units, err)
	}
}

func TestOccurrences(t *testing.T) {
	p := open(t, sample)
	p.update()
	occurrences, err := p.index.Overlay(nil).Occurrences(t.Context(), "Shutdown")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "occurrences", []string{
		"server/server.go:10  from Server::Shutdown", "server/server_test.go:3  from TestShutdown", "server/server_test.go:3  from TestShutdown",
	}, formatReferences(occurrences))
	first := occurrences[0]
	equal(t, "text of the first", "Shutdown", sample["server/server.go"][first.StartByte:first.EndByte])
	equal(t, "line of the first", "func (s *Server) Shutdown(ctx Context) error { return s.drain(ctx) }", first.LineText)
}

func formatReferences(refs []index.Reference) (list []string) {
	for _, r := range refs {
		list = append(list, fmt.Sprintf("%s:%d %s from %s", r.Rel, r.Line, r.Kind, r.From))
	}
	return list
}

// TestChangedSinceIndexed edits a file without an update. Results are in the current text,
// or missing.
func TestChangedSinceIndexed(t *testing.T) {
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
		t.Errorf("found a deleted symbol: %q", hits)
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
	equal(t, "symbol that the unsaved text has deleted", []string(nil), found)
	found, _ = p.lookup("frobnicate")
	equal(t, "symbol of the unsaved text", []string{"parse.py frobnicate"}, found)
	equal(t, "search", []string{"parse.py frobnicate"}, p.search("frobnicate")[:1])
	units, err := p.index.Outline(t.Context(), path)
	if err != nil || len(units) != 1 || units[0].Canon != "frobnicate" {
		t.Errorf("outline %v, %v", units, err)
	}
	occurrences, err := p.index.Overlay(nil).Occurrences(t.Context(), "Shutdown")
	if err != nil || len(occurrences) != 4 || occurrences[0].Rel != "parse.py" {
		t.Errorf("occurrences %v, %v", formatReferences(occurrences), err)
	}
	occurrences, err = p.index.Overlay(nil).Occurrences(t.Context(), "parse_duration")
	if err != nil || len(occurrences) != 0 {
		t.Errorf("occurrences %v, %v", formatReferences(occurrences), err)
	}
	if stats := p.update(); stats.Symbols != 7 {
		t.Errorf("%d symbols after an update with an unsaved text open, want 7", stats.Symbols)
	}
	p.index.DropBuffer(path)
	p.ws.CloseBuffer(path)
	found, _ = p.lookup("parse_duration")
	equal(t, "the disk's text again", []string{"parse.py parse_duration"}, found)
	equal(t, "search in the disk's text", []string{"parse.py parse_duration"}, p.search("parse duration")[:1])
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
	equal(t, "hits after a secret file was opened", want, p.search("brandnew"))
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

// TestRefreshOfSingleFiles refreshes files only. Other changed files are not read.
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
	equal(t, "a symbol in a deleted folder", []string(nil), found)
	equal(t, "a file that was not named", []string(nil), p.search("gizmo"))
}

// TestResultsOfSeveralFiles searches for words that one file has in many symbols, and
// others in one.
func TestResultsOfSeveralFiles(t *testing.T) {
	p := open(t, map[string]string{
		"pool.go":   "package p\n\nfunc poolGet() {}\n\nfunc poolPut() {}\n\nfunc poolLen() {}\n\nfunc poolCap() {}\n",
		"worker.go": "package p\n\n// workPool works.\nfunc workPool() {}\n",
		"server.go": "package p\n\n// servePool serves.\nfunc servePool() {}\n",
		"other.go":  "package p\n\nfunc unrelated() {}\n",
	})
	p.update()
	var files []string
	for _, hit := range p.search("pool")[:4] {
		file, _, _ := strings.Cut(hit, " ")
		files = append(files, file)
	}
	slices.Sort(files[1:3])
	equal(t, "files of the first hits", "pool.go server.go worker.go pool.go", strings.Join(files, " "))
	focused, err := p.index.Search(t.Context(), index.Query{Text: "pool", Focused: true, Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range focused.Hits {
		equal(t, "file of a focused hit", "pool.go", h.Rel)
	}
}

// TestNaming searches for words that occur in the names of files and folders in other forms.
func TestNaming(t *testing.T) {
	const text = "package p\n\nfunc run() { step() }\n"
	files := map[string]string{}
	for _, rel := range []string{"formatter.go", "init.go", "cache/mod.go", "web/client.go", "web/server.go", "Utils.go", "other.go",
		"cache/things/cached_things.go", "validation/run.go"} {
		files[rel] = text + "\n// The formatting, initializing, caching, client, utility step of all.\n"
	}
	p := open(t, files)
	p.update()
	for query, want := range map[string]string{
		"where is the formatting of a step": "formatter.go",
		"how it initializes each step":      "init.go",
		"the step of the web client":        "web/client.go",
		"cache step":                        "cache/mod.go",
		"validators and steps":              "validation/run.go",
	} {
		equal(t, query, want, bestFile(t, p, query))
	}
}

// TestNameAlone searches for a word that is a name although it looks like prose.
func TestNameAlone(t *testing.T) {
	p := open(t, map[string]string{
		"sync/lock.go":    "package sync\n\n// Mutex excludes.\ntype Mutex struct{}\n",
		"sync/guard.go":   "package sync\n\n// The mutex, mutex and mutex of the mutex.\nfunc mutexMutex() { mutex(mutex, mutex) }\n",
		"sync/mutexes.go": "package sync\n\nfunc mutexes(mutex int) { mutex(mutex) }\n",
	})
	p.update()
	equal(t, "the only word", "sync/lock.go Mutex", p.search("Mutex")[0])
	equal(t, "the only word in lower case", "sync/lock.go Mutex", p.search("mutex")[0])
}

// TestExactSignal searches for names of a class with a constructor, and of a field.
func TestExactSignal(t *testing.T) {
	p := open(t, map[string]string{
		"Pool.java": "package p;\n\nclass Pool {\n\tint size;\n\n\tPool(int n) { size = n; }\n\n\tvoid drain() {}\n}\n",
		"other.go":  "package p\n\nfunc other() {}\n",
	})
	p.update()
	for query, want := range map[string]string{
		"the `Pool`": "Pool 1.0, Pool::Pool 1.0, Pool::drain 0.5",
		"the `size`": "Pool 0.3",
	} {
		results, err := p.index.Search(t.Context(), index.Query{Text: query})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range results.Hits {
			if exact := h.Signals["exact"]; exact > 0 {
				got = append(got, fmt.Sprintf("%s %.1f", h.Canon, exact))
			}
		}
		slices.Sort(got)
		equal(t, query, want, strings.Join(got, ", "))
	}
}

// TestOlderVersions searches for code that has an older version next to it.
func TestOlderVersions(t *testing.T) {
	const text = "package p\n\n// Parse reads a schema.\nfunc Parse() {}\n"
	p := open(t, map[string]string{"v3/parse.go": text, "v4/parse.go": text, "schema/read.go": text,
		"schema/v1/read.go": text + "\n// parseSchema parses.\nfunc parseSchema() {}\n", "v12x/parse.go": text})
	p.update()
	hits := p.search("parse the schema")
	for newer, older := range map[string]string{"v4/parse.go Parse": "v3/parse.go Parse", "schema/read.go Parse": "schema/v1/read.go parseSchema"} {
		if slices.Index(hits, newer) > slices.Index(hits, older) {
			t.Errorf("%s is behind %s in %q", newer, older, hits)
		}
	}
}

// TestLongDocComment weighs the words of a doc comment that is a document of its own as those of a body.
func TestLongDocComment(t *testing.T) {
	comment := func(lines int) string {
		return "package p\n\n// Run is about gaskets.\n" + strings.Repeat("// Otherwise.\n", lines-1) + "func Run() {}\n"
	}
	p := open(t, map[string]string{"long.go": comment(101), "short.go": comment(100)})
	p.update()
	scores := map[string]float64{}
	results, err := p.index.Search(t.Context(), index.Query{Text: "gaskets", Without: []query.Channel{query.WholeChannel}})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range results.Hits {
		scores[h.Rel+" "+h.Canon] = h.Signals["text"]
	}
	if long, short := scores["long.go Run"], scores["short.go Run"]; long > .8*short || long == 0 {
		t.Errorf("a word of a long doc comment scores %v, one of a shorter one %v", long, short)
	}
}

// TestSettingsFirst asks for settings, of which the file says nothing in the words of the question.
func TestSettingsFirst(t *testing.T) {
	p := open(t, map[string]string{
		"Dockerfile":      "FROM debian:12\nENTRYPOINT [\"/app\"]\n",
		".prettierrc":     "{\"semi\": false}\n",
		"container.go":    "package p\n\n// Container has an image.\ntype Container struct{}\n\nfunc (c *Container) Image() {}\n",
		"options.go":      "package p\n\n// Options are those of the printer.\ntype Options struct{}\n",
		"log.go":          "package p\n\n// Log keeps what is configured by its retention.\ntype Log struct{ retention int }\n",
		"deploy/app.toml": "retention = 3\n",
	})
	p.update()
	for query, want := range map[string]string{
		"base image of the container": "Dockerfile", "what does the container's image start in docker": "Dockerfile",
		"where is the retention configured":    "deploy/app.toml",
		"how does the container get its image": "container.go", "retention": "log.go",
	} {
		if got := bestFile(t, p, query); got != want {
			t.Errorf("%q finds %s first, want %s", query, got, want)
		}
	}
	if hits := p.search("prettier options"); !slices.ContainsFunc(hits, func(h string) bool { return strings.HasPrefix(h, ".prettierrc") }) {
		t.Errorf("prettier's options are not in %q", hits)
	}
	if got := bestFile(t, p, "where is the retention configured", query.KindChannel); got != "log.go" {
		t.Errorf("without the channel, the settings are still first: %s", got)
	}
	results, err := p.index.Search(t.Context(), index.Query{Text: "base image of the container", Without: []query.Channel{query.KindChannel}})
	if err != nil || slices.ContainsFunc(results.Hits, func(h index.Hit) bool { return h.Rel == "Dockerfile" }) {
		t.Errorf("without the channel, the Dockerfile is still found: %v", err)
	}
}

// TestExplanation adds up the parts of scores.
func TestExplanation(t *testing.T) {
	p := open(t, map[string]string{
		"v1/pool.go":            "package p\n\n// Pool keeps.\ntype Pool struct{}\n\nfunc (p *Pool) Get() {}\n\nvar pools = Pool{}\n",
		"v2/pool.go":            "package p\n\n// Pool keeps.\ntype Pool struct{}\n\nfunc (p *Pool) Get() {}\n",
		"v2/pool_test.go":       "package p\n\nfunc TestPool() { Pool{}.Get() }\n",
		"examples/pool.go":      "package main\n\nfunc main() { pool() }\n",
		"README.md":             "# Pool\n\nThe pool.\n",
		"pool.yaml":             "pool: 1\nget: pool\n",
		"vendor/x/pool_test.go": "package x\n\nfunc TestPool() { pool() }\n",
	})
	p.update()
	rules := map[string]bool{}
	var hits []index.Hit
	for _, text := range []string{"where does `Pool` get from v2/pool.go:4", "yaml of the pool"} {
		results, err := p.index.Search(t.Context(), index.Query{Text: text, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		hits = append(hits, results.Hits...)
	}
	for _, h := range hits {
		sum := 0.0
		for _, part := range h.Parts {
			sum += part.Points
			rules[part.Rule] = true
		}
		if math.Abs(sum-h.Score) > 1e-9 {
			t.Errorf("%s %s has the score %v, its parts %v have %v", h.Rel, h.Canon, h.Score, h.Parts, sum)
		}
		if !slices.IsSortedFunc(h.Parts, func(a, b index.ScorePart) int { return cmp.Compare(b.Points, a.Points) }) {
			t.Errorf("the parts are not in order: %v", h.Parts)
		}
	}
	for _, want := range []string{"words of the symbol", "named by the query", "an older version", "a test", "vendored, generated or an example", "prose",
		"configuration or data", "of another kind than the query asks for", "the rest of the file", "a further result of its file", "words of the file's name and folders", "identified by a line, a quotation or the cursor"} {
		if !rules[want] {
			t.Errorf("no hit has a part %q; there are %v", want, slices.Sorted(maps.Keys(rules)))
		}
	}
	if results, err := p.index.Search(t.Context(), index.Query{Text: "Pool"}); err != nil || results.Hits[0].Parts != nil {
		t.Errorf("without a request the parts are %v, %v", results.Hits[0].Parts, err)
	}
}
