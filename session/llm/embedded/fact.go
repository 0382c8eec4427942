package embedded

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/results"
)

// fact answers what a project's manifests and a few files at its top say.
type fact struct{ what string }

type factLines struct {
	Matches []factLine
	Omitted int
}

type factLine struct {
	results.Edge
	After []string
}

func (x fact) next(p progress) step {
	switch x.what {
	case "entry points":
		return entryPoints{}.next(p)
	case "modules":
		return workspaceMembers{}.next(p)
	}
	searches := p.of("search_text")
	if len(searches) == 0 {
		return step{calls: x.search()}
	}
	var lines []string
	omitted, head := 0, ""
	for i, f := range conventions.Facts[x.what] {
		found := results.Decode[factLines](&searches[i])
		if !searches[i].OK {
			return p.failed("The search failed", searches[i])
		}
		if x.what == "language version" && i == len(searches)-1 && len(lines) > 0 {
			break // what changelogs say of the past only counts if nothing says it of now
		}
		if x.what == "version" {
			found.Matches = p.ownVersions(found.Matches, searches[len(searches)-1])
		}
		lines = append(lines, x.lines(p, f, found)...)
		if f.OfFile == 0 {
			omitted += found.Omitted
		}
		if x.what == "license" {
			head = licensed(found)
			if conventions.AsksForUse.MatchString(p.message) {
				head += p.allowed(found)
			}
		}
	}
	return x.answer(p, head, lines, omitted)
}

// search returns the calls that look for what says it.
func (x fact) search() (calls []llm.Call) {
	for _, f := range conventions.Facts[x.what] {
		look := args{"pattern": f.Pattern, "limit": 100}
		if f.Include != nil {
			look["include"] = f.Include
		}
		if f.Context > 0 {
			look["context"] = f.Context
		}
		calls = append(calls, callTool("search_text", look))
	}
	if x.what == "version" {
		calls = append(calls, callTool("search_text", args{"pattern": conventions.OwnName, "include": conventions.OwnNames}),
			past{about: "releases"}.call(""))
	}
	return calls
}

// answer lists the lines that say it, with the tags of the repository if these were asked for.
func (x fact) answer(p progress, head string, lines []string, omitted int) step {
	tags := ""
	for _, r := range p.of("project_facts") {
		if found := results.Decode[results.ProjectFacts](&r); r.OK && len(found.Tags) > 0 {
			tags = "\n" + found.Releases()
		}
	}
	switch {
	case len(lines) == 0 && tags == "":
		return answerWith("No file that I know for it names the " + x.what + " of this project.\n")
	case len(lines) == 0:
		return answerWith(strings.TrimPrefix(tags, "\n"))
	}
	others := ""
	if x.what == "version" {
		lines, others = oneVersion(lines)
	}
	listed := lines[:min(listedEdges, len(lines))]
	text := fmt.Sprintf("%sWhat the files say about the %s:\n\n%s", head, x.what, strings.Join(listed, ""))
	if more := len(lines) - len(listed) + omitted; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text + others + tags)
}

// oneVersion returns the lines with the version of the first one, and what is said of the others.
func oneVersion(lines []string) (same []string, others string) {
	var apart []string
	at := max(0, slices.IndexFunc(lines, func(line string) bool { return conventions.SameVersion(line, line) }))
	for i, line := range lines {
		if i < at || conventions.SameVersion(lines[at], line) {
			same = append(same, line)
		} else {
			apart = append(apart, strings.TrimSpace(strings.TrimPrefix(line, "- ")))
		}
	}
	if len(apart) == 0 {
		return same, ""
	}
	listed := apart[:min(nearest, len(apart))]
	others = "\nOthers have their own: " + strings.Join(listed, "; ")
	if more := len(apart) - len(listed); more > 0 {
		others += fmt.Sprintf("; and %d more", more)
	}
	return same, others + ".\n"
}

// ownVersions leaves out what the manifest of something beside the project says, by the names in the manifests at the
// top, and puts the manifests at the top first.
func (p progress) ownVersions(lines []factLine, named results.ToolResult) []factLine {
	var names []string
	beside := ""
	found := results.Decode[countedText](&named).Matches
	for _, m := range found {
		names = append(names, p.Rel(m.File))
	}
	for _, m := range found {
		if file := p.Rel(m.File); file == "package.json" && beside == "" {
			beside = map[bool]string{true: file, false: "no"}[conventions.Beside(m.Text, p.Name(), names)]
		}
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l factLine) bool { return p.Rel(l.File) == beside })
	slices.SortStableFunc(lines, func(a, b factLine) int {
		return results.Order(strings.Contains(p.Rel(a.File), "/")) - results.Order(strings.Contains(p.Rel(b.File), "/"))
	})
	return lines
}

// lines lists the lines that say it: those that match, or for tables those below. Tests and examples come last.
func (x fact) lines(p progress, search conventions.Search, found factLines) []string {
	var first, last []string
	ofFile := map[string]int{}
	for _, m := range found.Matches {
		if ofFile[m.File]++; search.OfFile > 0 && ofFile[m.File] > search.OfFile {
			continue
		}
		lines := []string{m.Text}
		at := m.Line
		if search.Context > 0 && conventions.Opens(m.Text) {
			lines, at = conventions.JoinLists(conventions.EntriesOf(m.After)), at+1
		}
		for i, line := range lines {
			if !conventions.Member.MatchString(line) && !conventions.Keyed.MatchString(line) && search.Context > 0 &&
				line != m.Text {
				continue
			}
			item := fmt.Sprintf("- %s — %s:%d\n", results.Code(results.Clip(strings.TrimRight(strings.TrimSpace(line),
				","))), p.Rel(m.File),
				at+i)
			if results.IsTest(m.File) || conventions.Aside.MatchString(p.Rel(m.File)) {
				last = append(last, item)
			} else {
				first = append(first, item)
			}
		}
	}
	if x.what == "features" && len(first) > 0 {
		return first // what a test's own manifest has is none of the project
	}
	return append(first, last...)
}

// allowed says what decides about a use that the message asks for: no rule does.
func (p progress) allowed(found factLines) string {
	text := "the text of the license"
	for _, m := range found.Matches {
		if conventions.LicenseFile.MatchString(results.Base(m.File)) {
			text += ", in " + p.Rel(m.File) + ","
			break
		}
	}
	return "Whether a use is allowed, and on which conditions, " + text + " decides; I can't judge that for you.\n\n"
}

// licensed names the licenses whose words the lines have.
func licensed(found factLines) string {
	var lines []string
	for _, m := range found.Matches {
		lines = append(lines, m.Text)
	}
	names := conventions.Licenses(lines)
	if len(names) == 0 {
		return ""
	}
	return "By its words, the license is " + strings.Join(names, ", ") + ".\n\n"
}
