package index_test

import (
	"slices"
	"testing"

	"ploke-lsp/index"
)

// symbols returns the symbols that fit as "rel canon".
func (p *project) symbols(q index.SymbolQuery) []string {
	p.t.Helper()
	units, err := p.index.Symbols(p.t.Context(), q)
	if err != nil {
		p.t.Fatal(err)
	}
	return places(units)
}

func TestSymbolsThatFit(t *testing.T) {
	p := open(t, map[string]string{
		"a.go":  "package a\n\ntype Server struct{}\n\nfunc (Server) ServeHTTP() {}\n\nfunc (Server) Run() {}\n\nfunc observe() {}\n\nfunc preserveHTTP() {}\n\nfunc Run() {}\n",
		"b.py":  "def serve_forever():\n    pass\n\ndef résumé():\n    pass\n",
		"c.sql": "create table serving (id int);\n",
	})
	p.update()
	for _, c := range []struct {
		text  string
		first []string // the beginning of what is found
	}{
		{"serve", []string{"a.go Server", "a.go Server::ServeHTTP", "b.py serve_forever", "a.go observe"}},
		{"SrvHTTP", []string{"a.go Server::ServeHTTP", "a.go preserveHTTP"}},
		{"sh", nil}, // two letters must begin the name
		{"sht", []string{"a.go Server::ServeHTTP", "a.go preserveHTTP"}},
		{"sf", nil},
		{"sfo", []string{"b.py serve_forever"}},
		{"ru", []string{"a.go Server::Run", "a.go Run"}},
		{"Server.ru", []string{"a.go Server::Run"}},
		{"RÉS", []string{"b.py résumé"}},
		{"nothing_like_it", nil},
		{"", nil},
		{"::", nil},
	} {
		got := p.symbols(index.SymbolQuery{Text: c.text, Limit: 10})
		if len(got) < len(c.first) || !slices.Equal(got[:len(c.first)], c.first) || c.first == nil && got != nil {
			t.Errorf("%q finds %q, want %q first", c.text, got, c.first)
		}
	}
	if got := p.symbols(index.SymbolQuery{Text: "serv", Languages: []string{"sql"}, Limit: 10}); !slices.Equal(got, []string{"c.sql serving"}) {
		t.Errorf("in SQL there are %q", got)
	}
	if got := p.symbols(index.SymbolQuery{Text: "serve", Limit: 2}); len(got) != 2 {
		t.Errorf("of two there are %q", got)
	}
}

// TestSymbolsOfUnsavedTexts looks for a symbol that was typed, and for one that was deleted.
func TestSymbolsOfUnsavedTexts(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package a\n\nfunc Serve() {}\n"})
	p.update()
	if err := p.index.SetBuffer(t.Context(), p.path("a.go"), []byte("package a\n\nfunc ServeTyped() {}\n")); err != nil {
		t.Fatal(err)
	}
	if got := p.symbols(index.SymbolQuery{Text: "serve", Limit: 10}); !slices.Equal(got, []string{"a.go ServeTyped"}) {
		t.Errorf("there are %q", got)
	}
}

// TestSymbolsAmongMembers looks for a name that members and other symbols of a file have.
func TestSymbolsAmongMembers(t *testing.T) {
	p := open(t, map[string]string{
		"a.go": "package a\n\nfunc RUN() {}\n\ntype Other struct{ walk int }\n\ntype T struct {\n\tRun   int\n}\n\nfunc (T) run() {}\n\nfunc last() {}\n",
		"b.go": "package a\n\nfunc first() {}\n\nfunc Run() {}\n\nfunc last() {}\n",
		"c.go": "package a\n\ntype U struct{ run int }\n",
	})
	p.update()
	got := p.symbols(index.SymbolQuery{Text: "run", Limit: 10})
	want := []string{"a.go RUN", "a.go T::Run", "a.go T::run", "b.go Run", "c.go U::run"}
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}
