package query

import (
	"slices"
	"testing"

	"ploke-lsp/index/postings"
)

// TestSpellings finds the names of members in the notations of many languages.
func TestSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"tests/test_a.py::TestA::test_b": "TestA::test_b",
		"conn->close":                    "conn::close",
		"net.(*Server).Run(0xc0)":        "Server::Run",
		"<Server as Run>::run":           "Server::run",
		"Server.<Send>d__5.MoveNext()":   "Send::MoveNext",
		"Vec<T>::push":                   "Vec::push",
		"Outer$Inner.size":               "Inner::size",
		"Shop.Basket.put/2":              "Basket::put",
		`Http\Kernel::handle`:            "Kernel::handle",
		"Mailer#deliver":                 "Mailer::deliver",
		"--dry-run-only":                 "dry_run_only",
		"TestRun/taken_address":          "TestRun",
		"ZodType":                        "$ZodType",
		"errors":                         "$errors",
	} {
		q := parseQuery(text)
		if !slices.ContainsFunc(q.mentions, func(m nameMention) bool { return m.term == postings.Exact(want) }) {
			t.Errorf("%q mentions %v, want %q as well", text, q.mentions, want)
		}
	}
}
