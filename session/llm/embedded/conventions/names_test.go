package conventions

import (
	"regexp"
	"strings"
	"testing"
)

// TestAManifestBesideTheProject is one of a kind that the project's own is not, with a name that says what it is for.
func TestAManifestBesideTheProject(t *testing.T) {
	tests := []struct {
		line  string
		names []string
		want  bool
	}{
		{`  "name": "faraday-docs",`, []string{"faraday.gemspec"}, true},
		{`"name": "@x/website"`, []string{"Cargo.toml"}, true},
		{`"name": "faraday-docs",`, []string{"Gemfile"}, false},
		{`"name": "faraday",`, []string{"faraday.gemspec"}, false},
		{`"name": "far_a.day",`, []string{"faraday.gemspec"}, false},
		{`"name": "other",`, []string{"faraday.gemspec"}, false},
		{`"version": "docs",`, []string{"faraday.gemspec"}, false},
	}
	for _, tt := range tests {
		if got := Beside(tt.line, "faraday", tt.names); got != tt.want {
			t.Errorf("%s with %q: %v", tt.line, tt.names, got)
		}
	}
	files := []Source{{Path: "package.json", Lines: []string{"{", tests[0].line}}, {Path: "a/package.json", Lines: []string{tests[0].line}},
		{Path: "x.gemspec"}}
	if got := Own(files, "faraday"); len(got) != 2 || got[0].Path != "a/package.json" {
		t.Errorf("own are %v", got)
	}
	if got := Own(files[:1], "faraday", "mix.exs"); len(got) != 0 {
		t.Errorf("next to another, own are %v", got)
	}
}

// TestSameVersion compares the first versions of two lines.
func TestSameVersion(t *testing.T) {
	for lines, want := range map[[2]string]bool{
		{"## v1.2.0", `version = "1.2.0"`}:      true,
		{"8.5.0.dev", "## Version 8.5.0"}:       true,
		{"2.14.1-SNAPSHOT", "2.14.1"}:           true,
		{"1.2.10", "1.2.1"}:                     false,
		{"1.2", "1.3"}:                          false,
		{`dynamic = ["version"]`, "1.3"}:        false,
		{`dynamic = ["version"]`, `no version`}: false,
	} {
		if got := SameVersion(lines[0], lines[1]); got != want {
			t.Errorf("%q: %v", lines, got)
		}
	}
}

// TestLinesOfFacts matches lines that say the version of a project, and those with which a program in C begins.
func TestLinesOfFacts(t *testing.T) {
	version, begins := regexp.MustCompile(Facts["version"][0].Pattern), regexp.MustCompile(MainLine)
	for line, want := range map[string]bool{"AC_INIT([tmux], next-3.8)": true, "project(app VERSION 1.2)": true, "  version: '1.2',": true,
		`dynamic = ["readme", "version"]`: true, "PROJECT_VERSION": false} {
		if got := version.MatchString(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for line, want := range map[string]bool{"main(int argc, char **argv)": true, "int main(void)": true, "\tmain();": false} {
		if got := begins.MatchString(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// TestCommentsWithAMark finds comments of several languages, and no text that speaks of a mark.
func TestCommentsWithAMark(t *testing.T) {
	pattern := regexp.MustCompile(CommentWith("TODOS?"))
	for line, want := range map[string]bool{
		"x() // TODO: a":                   true,
		"\t# TODO a":                       true,
		"a(); #TODO a":                     true,
		" * TODO a":                        true,
		"/* a TODO */":                     true,
		"-- TODO":                          true,
		"<!-- TODO -->":                    true,
		"\"\"\"TODO: a":                    true,
		"   TODO: in a block":              true,
		"hyperfine --warmup 3 'grep TODO'": false,
		`go to http://x.y/TODO`:            false,
		`print("TODO")`:                    false,
		"// TODOX":                         false,
	} {
		if got := pattern.MatchString(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestAParagraphTakesTheListThatItAnnounces with its first items, and with their further lines.
func TestAParagraphTakesTheListThatItAnnounces(t *testing.T) {
	text := "# App\n\nApp is the solution for logs:\n\n- **Fast**: yes\n  it is.\n\n- Small\n\nMore about it.\n- no"
	want := "App is the solution for logs:\n\n- **Fast**: yes\n  it is.\n\n- Small"
	if got := Describe(strings.Split(text, "\n")).Text; got != want {
		t.Errorf("it is %q", got)
	}
	for _, other := range []string{"App is the solution for logs.\n\n- a", "App is the solution for logs:", "App is the solution for logs:\n\nText"} {
		lines := strings.Split(other, "\n")
		if got := Describe(lines).Text; got != lines[0] {
			t.Errorf("of %q it is %q", other, got)
		}
	}
	if got := Describe([]string{"App is <b>the</b> solution for logs:", "", "- a"}).Text; got != "App is the solution for logs:" {
		t.Errorf("without its tags it is %q", got)
	}
	many := "App is the solution for logs:\n" + strings.Repeat("\n- a", listedItems+5)
	if got := strings.Count(Describe(strings.Split(many, "\n")).Text, "- a"); got != listedItems {
		t.Errorf("%d items", got)
	}
}
