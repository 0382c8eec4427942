package inquiries

import (
	"testing"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// below returns a match of the first of some lines, with the others behind it.
func below(file string, lines ...string) Found {
	found := matches(file, lines[0])
	found.Matches[0].After = lines[1:]
	return found
}

func TestSupported(t *testing.T) {
	none := Found{}
	folders := files("src/dialects/pg/a.go", "src/dialects/my/a.go", "src/dialects/lite/a.go", "src/dialects/index.go", "src/driver/a.go",
		"src/driver/b.go", "src/driver/c.go", "test/dialects/x/a.go")
	tests := []struct {
		message  string
		found    []Found
		has, not []string
	}{
		{"which databases does it support?", []Found{below("/w/README.md", "It supports the databases A, B, and C.", "", "More."), none, none, folders},
			[]string{"supported databases:", "README.md:1 says:", "A, B, and C", "`src/dialects/` has: `lite`, `my`, `pg`."}, []string{"More", "driver", "index"}},
		{"which databases are supported", []Found{below("/w/README.md", "## Supported databases", "", "- A", "- B", "", "## Other", "- no")},
			[]string{"- A\n- B"}, []string{"Other"}},
		{"what databases does it work with", []Found{below("/w/README.md", "A multi-dialect (A, B, C) builder.")}, []string{"(A, B, C)"}, nil},
		{"supported databases", []Found{below("/w/README.md", "The new database support is ready. Else, there are, if needed, others.")}, nil, nil},
		{"supported databases", []Found{below("/w/docs/migration.md", "It supports the databases A, B, and C.")}, nil, nil},
		{"supported databases", []Found{below("/w/docs/a.yml", "It supports the databases A, B, and C.")}, nil, nil},
		{"supported databases", []Found{below("/w/README.md", "The database is open, if needed, and closed.")}, nil, nil},
		{"which shells are supported", []Found{none, below("/w/a.py", "_available_shells = {", `    "bash": B,`, `    "zsh": Z,`, "}", "x = 1")},
			[]string{"a.py:1 lists them:", `"zsh": Z,`}, []string{"x = 1"}},
		{"which shells are supported", []Found{none, below("/w/a.py", "supported_shell = find(shell, a)", "more(", ")")}, nil, nil},
		{"which shells are supported", []Found{none, below("/w/a.py", "supported_shells = [", `"a",`, `"b",`)}, nil, nil},
		{"supported databases", []Found{below("/w/README.md", "A line before it.", "It supports the databases A, B, and C.")}, nil, nil},
		{"which formatters does it support", []Found{none, none, none, files("src/Formatter/LineFormatter.php", "src/Formatter/JsonFormatter.php",
			"src/Formatter/HtmlFormatter.php")}, []string{"`src/Formatter/` has: `HtmlFormatter`"}, nil},
		{"which drivers does it support", []Found{none, none, none, folders}, []string{"`src/dialects/`"}, []string{"src/driver"}},
		{"which platforms does it run on", []Found{none, none, matches("/w/.github/workflows/a.yml", "  os: [ubuntu-latest, windows-latest]", "  os: ${{ matrix.os }}")},
			[]string{"`os: [ubuntu-latest, windows-latest]` — .github/workflows/a.yml:1"}, []string{"matrix"}},
		{"which python versions are supported", []Found{none, none, matches("/w/setup.py", `"Programming Language :: Python :: 3.9",`)},
			[]string{"`\"Programming Language :: Python :: 3.9\"`"}, nil},
		{"which shells are supported", []Found{none, none, matches("/w/setup.py", "  os: [ubuntu-latest]")}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			asked, ok := lexicon.SupportedIn(tt.message, "knex")
			if !ok {
				t.Fatal("not understood")
			}
			got := ask(t, Supports{asked}, nil, tt.found...)
			said(t, got, tt.has, tt.not)
			if tt.has == nil && got != "" {
				t.Errorf("said: %s", got)
			}
		})
	}
	for _, message := range []string{"which options are supported", "what does it support", "which one does it support", "which versions are supported",
		"does it support windows", "which function handles errors"} {
		if asked, ok := lexicon.SupportedIn(message, "knex"); ok {
			t.Errorf("%s: %v", message, asked)
		}
	}
	if asked, ok := lexicon.SupportedIn("which databases does knex support", "Knex"); !ok || asked.Kind != "databases" {
		t.Errorf("the name of the project: %v, %v", asked, ok)
	}
}
