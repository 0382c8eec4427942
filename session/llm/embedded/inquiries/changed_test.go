package inquiries

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// matches makes what a search has found of lines in a file, numbered from the first one.
func matches(file string, lines ...string) (found Found) {
	for i, text := range lines {
		if text != "" {
			found.Matches = append(found.Matches, Match{Edge: results.Edge{File: file, Line: i + 1, Text: text}})
		}
	}
	return found
}

// ask asks an inquiry about found lines, and about the lines of the files that it reads.
func ask(t *testing.T, x Inquiry, files map[string]string, found ...Found) string {
	t.Helper()
	l := Look{Folders: results.Folders{"/w"}, Found: found}
	for len(l.Found) < len(x.Searches()) {
		l.Found = append(l.Found, Found{})
	}
	for _, r := range x.Reads(l) {
		lines := strings.Split(files[r.File], "\n")
		text := strings.Join(lines[min(max(0, r.First-1), len(lines)):min(max(r.Last, r.First), len(lines))], "\n")
		l.Read = append(l.Read, results.ReadResult{File: r.File, StartLine: max(1, r.First), Snippet: "<code>\n" + text + "\n</code>"})
	}
	return x.Say(l)
}

// said compares what is said with what it shall have and shall not have.
func said(t *testing.T, got string, has, not []string) {
	t.Helper()
	for _, want := range has {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	for _, unwanted := range not {
		if strings.Contains(got, unwanted) {
			t.Errorf("%q is said in:\n%s", unwanted, got)
		}
	}
}

func TestChangesOfAVersion(t *testing.T) {
	const log = "# Unreleased\n\n## 3.3.0 - 26 June\n\n- new: pools\n\n### Fixed in 2.9\n\n- a leak\n\n## 3.2.1\n\n- mend\n\n## 3.2.0\n\n- " +
		"old\n\n## 2.0.0\n\n- two\n"
	heads := matches("/w/CHANGELOG.md", strings.Split(log, "\n")...)
	files := map[string]string{"/w/CHANGELOG.md": log, "/w/CHANGELOG/3.3.0.md": "* of a file\n"}
	of := Found{Files: []struct{ File string }{{"/w/CHANGELOG/3.3.0.md"}}}
	elsewhere := Found{Files: []struct{ File string }{{"/w/fixtures/3.3.0.md"}}}
	tests := []struct {
		name     string
		asked    lexicon.VersionAsked
		found    []Found
		has, not []string
	}{
		{"the section alone", lexicon.VersionAsked{Version: "3.3.0"}, []Found{heads},
			[]string{"CHANGELOG.md:3 says:", "new: pools", "a leak"}, []string{"mend", "longer"}},
		{"zeros are left out", lexicon.VersionAsked{Version: "3.3"}, []Found{heads}, []string{"new: pools"}, []string{"mend", "no section"}},
		{"a whole version", lexicon.VersionAsked{Version: "2"}, []Found{heads}, []string{"CHANGELOG.md:19 says", "- two"}, []string{"pools"}},
		{"the newest of several", lexicon.VersionAsked{Version: "3"}, []Found{heads}, []string{"no section for `3` alone", "new: pools",
			"- `3.2.1` — CHANGELOG.md:11\n- `3.2.0` — CHANGELOG.md:15"}, []string{"2.0.0", "- two"}},
		{"none", lexicon.VersionAsked{Version: "9.1"}, []Found{heads}, []string{"No changelog that I know of has a section for `9.1`", "CHANGELOG.md:3"}, []string{"pools"}},
		{"no number is another's beginning", lexicon.VersionAsked{Version: "3.2.10"}, []Found{heads}, []string{"No changelog"}, nil},
		{"since", lexicon.VersionAsked{Version: "3.2.0", Since: true}, []Found{heads},
			[]string{"CHANGELOG.md:15 is the section of `3.2.0`. 2 sections", "- `3.3.0 - 26 June` — CHANGELOG.md:3\n- `3.2.1`"}, []string{"2.0.0"}},
		{"between", lexicon.VersionAsked{Version: "2.0.0", Since: true, Until: "3.2.0"}, []Found{heads},
			[]string{"- `3.2.0` — CHANGELOG.md:15"}, []string{"3.3.0", "3.2.1"}},
		{"a file of the version", lexicon.VersionAsked{Version: "3.3.0"}, []Found{{}, of}, []string{"CHANGELOG/3.3.0.md:1 says", "of a file"}, nil},
		{"a file elsewhere", lexicon.VersionAsked{Version: "3.3.0"}, []Found{{}, elsewhere}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, Changed{tt.asked}, files, tt.found...)
			said(t, got, tt.has, tt.not)
			if tt.has == nil && got != "" {
				t.Errorf("said: %s", got)
			}
		})
	}
}

func TestVersionOfSomething(t *testing.T) {
	lines := matches("/w/CHANGES", "", "- Fixed Cache with a flag", "- Added a flag for wheels",
		"- Added a cache", "- Mend the cache", "- unrelated")
	lines.Matches = append(lines.Matches, matches("/w/docs/CHANGES", "", "", "", "- Added a cache").Matches...)
	heads := matches("/w/CHANGES", "2.0.0 (2024-01-01)", "", "", "1.0.0")
	heads.Matches[1].Line = 3
	heads.Matches = append(heads.Matches, matches("/w/docs/CHANGES", "2.0.0").Matches...)
	got := ask(t, Added{[]string{"cache", "option"}}, nil, lines, heads)
	said(t, got, []string{"- 1.0.0 — CHANGES:4: `- Added a cache`\n- 1.0.0 — CHANGES:5: `- Mend the cache`\n- 2.0.0 — CHANGES:2: `- Fixed Cache"},
		[]string{"flag for", "unrelated", "docs/"})
	if got := ask(t, Added{[]string{"spoke"}}, nil, lines, heads); got != "" {
		t.Errorf("said of what no line has: %s", got)
	}
}
