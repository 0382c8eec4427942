package inquiries_test

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

func line(file string, n int, before, text, after string) inquiries.Match {
	m := inquiries.Match{Edge: results.Edge{File: file, Line: n, Text: text}}
	if before != "" {
		m.Before = strings.Split(before, "\n")
	}
	if after != "" {
		m.After = strings.Split(after, "\n")
	}
	return m
}

func look(found ...[]inquiries.Match) (l inquiries.Look) {
	for _, f := range found {
		l.Found = append(l.Found, inquiries.Found{Matches: f})
	}
	return l
}

// TestStated quotes the entry of a setting, whatever its form.
func TestStated(t *testing.T) {
	for _, tt := range []struct {
		name, setting string
		docs          inquiries.Match
		says          string // "" for nothing
	}{
		{"an item", "MAX_AGE", line("README.md", 4, "", "- `MAX_AGE`", "  - Limits things.\n  - By default, this is 10.\n- `OTHER`"),
			"#4:6>\n- `MAX_AGE`\n  - Limits things.\n  - By default, this is 10.\n</code>"},
		{"another item's default", "MAX_AGE", line("README.md", 4, "", "- `MAX_AGE`", "  - Limits things.\n- `OTHER`\n  - Default: 3"), ""},
		{"a table", "MAX_AGE", line("README.md", 4, "| Name | Default | What |\n|---|---|---|", "| `MAX_AGE` | `10` | limits |", ""),
			"the default of `MAX_AGE` is `10`"},
		{"a table without defaults", "MAX_AGE", line("README.md", 4, "| Name | What |\n|---|---|", "| `MAX_AGE` | the default limit |", ""), ""},
		{"a manual page", "--cmd", line("man/a.1", 4, ".TP", `.B \-\-cmd NAME`, "Sets the prefix.\nThe default is z.\n.TP\n.B x"), "The" +
			" default is z."},
		{"a sentence", "--cmd", line("README.md", 4, "", "With `--cmd`, the default prefix z is another.", ""), "README.md:4 says"},
	} {
		got := inquiries.Stated{Setting: tt.setting}.Say(look([]inquiries.Match{tt.docs}, nil))
		if (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	code := look(nil, []inquiries.Match{line("a.rs", 3, "", `env::var_os("MAX_AGE").map_or(10, f)`, ""), line("b.rs", 4, "",
		`set("MAX_AGE");`, "")})
	if got := (inquiries.Stated{Setting: "MAX_AGE"}).Say(code); !strings.Contains(got, "map_or(10") || strings.Contains(got, "set(") {
		t.Error(got)
	}
}

// TestKinds quotes an enumeration or lists classes.
func TestKinds(t *testing.T) {
	kind, _ := lexicon.KindOf("list all subcommands")
	enums := []inquiries.Match{line("a.rs", 1, "", "pub enum EditCommand {", "    X,\n}"), line("b.rs", 5, "", "pub enum Cmd {", "   "+
		" Add(Add),\n    Edit,\n}\n\nfn f() {}")}
	if got := (inquiries.Kinds{KindAsked: kind}).Say(look(enums, nil)); !strings.Contains(got, "#5:8>\npub enum Cmd {\n    Add(Add),\n  "+
		"  Edit,\n}\n</code>") {
		t.Error(got)
	}
	enums[1].Text = "pub enum ViewCommand {"
	if got := (inquiries.Kinds{KindAsked: kind}).Say(look(enums, nil)); !strings.Contains(got, "these enumerations may be") {
		t.Error(got)
	}
	handlers, _ := lexicon.KindOf("which handlers are there?")
	classes := []inquiries.Match{line("a.php", 1, "", "class AHandler", ""), line("b.php", 1, "", "final class BHandler extends AHandler", ""),
		line("c.php", 1, "", "abstract class AbstractHandler", ""), line("tests/d.php", 1, "", "class DHandler", "")}
	if got := (inquiries.Kinds{KindAsked: handlers}).Say(look(nil, classes)); got != "" {
		t.Error("two make no kind: ", got)
	}
	got := inquiries.Kinds{KindAsked: handlers}.Say(look(nil, append(classes, line("e.php", 7, "", "class EHandler", ""))))
	if !strings.Contains(got, "3 are handlers") || strings.Contains(got, "Abstract") || strings.Contains(got, "DHandler") {
		t.Error(got)
	}
}

// TestLocated quotes what tells a place, with the item that it is in.
func TestLocated(t *testing.T) {
	x := inquiries.Located{Words: []string{"database"}}
	item := line("README.md", 3, "- `DATA_DIR`", "  - The directory in which the database is stored.", "  - On Linux: `~/.x`\n- `ECHO`")
	if got := x.Say(look([]inquiries.Match{item})); !strings.Contains(got, "README.md:2 says") || !strings.Contains(got, "#2:4>\n-"+
		" `DATA_DIR`") ||
		strings.Contains(got, "ECHO") {
		t.Error(got)
	}
	if got := x.Say(look([]inquiries.Match{line("README.md", 3, "", "The database is fast.", "")})); got != "" {
		t.Error(got)
	}
}
