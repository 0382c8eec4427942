package embedded

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// past answers from the history of the project: its last commits, their authors, its releases, or what is not
// committed.
type past struct {
	about string   // commits, authors, releases or uncommitted
	of    target   // a symbol or a path; empty for the project
	words []string // that subjects of commits have
	in    lexicon.Period
}

const (
	shownCommits  = 10
	shownInPeriod = 30
	shownAuthors  = 12
	shownChanges  = 40
)

type languageLines struct {
	Language            string
	Files, Lines, Blank int
}

type projectFacts struct {
	historyFacts
	About     string
	NoHistory bool `json:"no_history"`
	Changed   []struct{ File, How string }
	Lines     []languageLines
	Unused    []struct {
		Canon, Kind, File string
		Line              int
		Public            bool
	}
	Uses []struct {
		ID   string
		Uses int
	}
	Longest []struct {
		Canon, Kind, File string
		Line, Lines       int
	}
	Proposals        []struct{ Title, State, Back string }
	Counted, Omitted int
	Partial          bool
}

// historyFacts are what the commits say.
type historyFacts struct {
	CutOff               bool `json:"cut_off"`
	Since, Until, Newest string
	Commits              []struct {
		ID, Day, Author, Subject string
		Files                    []string
		More                     int `json:"more_files"`
	}
	Tags    []struct{ Name, Day string }
	Authors []struct {
		Name        string
		Commits     int
		First, Last string // days
	}
}

func (x past) next(p progress) step {
	path := x.of.file
	if x.of.name != "" {
		found, calls := x.of.resolve(p)
		if calls != nil {
			return step{calls: calls}
		}
		if len(found.items) == 0 {
			return question{}.next(p)
		}
		path = found.items[0].path()
	}
	facts := p.facts(x.asked())
	if len(facts) == 0 {
		return step{calls: []llm.Call{x.call(path)}}
	}
	found := decode[projectFacts](&facts[0])
	switch {
	case !facts[0].OK:
		return p.failed("I could not ask git", facts[0])
	case found.NoHistory:
		return answerWith("There is no history that I can read: no folder of the workspace is in a git repository with " +
			"commits" + ofPath(p.rel(path)) + ".\n")
	}
	switch x.about {
	case "authors":
		return answerWith(x.authors(found, ofPath(p.rel(path))))
	case "uncommitted":
		return answerWith(p.uncommitted(found, ofPath(p.rel(path))))
	case "releases":
		return answerWith(found.releases())
	}
	return answerWith(p.commits(x, found, ofPath(p.rel(path))))
}

// authorsAbout finds who wrote the file that fits some words best.
type authorsAbout struct{ words string }

func (x authorsAbout) next(p progress) step {
	searches, facts := p.of("request_code_context"), p.facts("authors")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"token_budget": contextTokens, "hint": x.words})}}
	}
	found := bestFirst(x.words, decode[searchResult](&searches[0]).Results)
	if !searches[0].OK || len(found) == 0 || !fits(x.words, found) {
		return question{}.next(p)
	}
	path := found[0].path()
	if len(facts) == 0 {
		return step{calls: []llm.Call{past{about: "authors"}.call(path)}}
	}
	authors := decode[projectFacts](&facts[0])
	if !facts[0].OK || authors.NoHistory {
		return p.failed("I could not ask git", facts[0])
	}
	return answerWith(fmt.Sprintf("The nearest to %s is %s, at %s.\n\n", code(x.words), code(found[0].Canon),
		p.location(found[0].ID)) + past{about: "authors"}.authors(authors, ofPath(p.rel(path))))
}

// asked returns what project_facts is asked about.
func (x past) asked() string {
	if x.about == "releases" {
		return "commits"
	}
	return x.about
}

// facts returns the results of project_facts about something.
func (p progress) facts(about string) []toolResult {
	return slices.DeleteFunc(p.of("project_facts"), func(r toolResult) bool {
		return r.OK && !slices.Contains([]string{"", about}, decode[projectFacts](&r).About)
	})
}

func (x past) call(path string) llm.Call {
	about, limit := x.asked(), shownCommits
	switch x.about {
	case "releases":
		limit = 1
	case "authors":
		limit = shownAuthors
	case "uncommitted":
		limit = shownChanges
	}
	ask := args{"about": about, "limit": limit}
	if path != "" {
		ask["path"] = path
	}
	if len(x.words) > 0 {
		ask["words"] = x.words
	}
	if x.in != (lexicon.Period{}) {
		ask["since"], ask["until"], ask["limit"] = x.in.Since, x.in.Until, shownInPeriod
	}
	return callTool("project_facts", ask)
}

// ofPath returns the words for a path after what is said about it, "" for the project.
func ofPath(path string) string {
	if path == "" {
		return ""
	}
	return " of " + path
}

// commits lists commits with the files that they touched.
func (p progress) commits(x past, found projectFacts, of string) string {
	within := ""
	if x.in != (lexicon.Period{}) {
		if x.in.Since == "release" && len(found.Tags) > 0 {
			found.Since = "the tag " + found.Tags[0].Name
		}
		within = x.in.Said(found.Since, found.Until)
	}
	switch {
	case within != "" && found.Counted == 0:
		return fmt.Sprintf("There are no commits%s %s. The newest one is of %s.\n", of, within, found.Newest)
	case within != "" && len(found.Commits) == 0:
		return fmt.Sprintf("None of the %s%s %s has %s in its subject.\n", count(found.Counted, "commit"), of, within,
			codes(x.words))
	case len(found.Commits) == 0:
		return fmt.Sprintf("None of the last %s has %s in its subject.\n", count(found.Counted, "commit"), codes(x.words))
	}
	text := "The last commits" + of + ", the newest first:\n\n"
	switch atLeast := map[bool]string{true: "At least "}[found.CutOff]; {
	case within != "" && len(x.words) > 0:
		text = fmt.Sprintf("Of the %s%s %s, these have most of the words %s:\n\n", count(found.Counted, "commit"), of, within,
			codes(x.words))
	case within != "":
		text = fmt.Sprintf("%s%s%s %s, the newest first:\n\n", atLeast, count(found.Counted, "commit"), of, within)
	case len(x.words) > 0:
		text = fmt.Sprintf("Of the last %s, these have most of the words %s:\n\n", count(found.Counted, "commit"),
			codes(x.words))
	}
	for _, c := range found.Commits {
		text += fmt.Sprintf("- %s %s, %s (%s)%s\n", c.Day, lexicon.PlainText(c.Subject), lexicon.PlainText(c.Author),
			code(c.ID[:min(8, len(c.ID))]), p.touched(c.Files, c.More))
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	return text + "\nThis is what git says, without merges.\n"
}

// touched lists the first files of a commit.
func (f folders) touched(files []string, more int) string {
	const named = 3
	if len(files) == 0 {
		return ""
	}
	var names []string
	for _, file := range files[:min(named, len(files))] {
		names = append(names, f.rel(file))
	}
	text := " — " + strings.Join(names, ", ")
	if more += len(files) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (x past) authors(found projectFacts, of string) string {
	text := fmt.Sprintf("Who wrote the last %s%s, without merges:\n\n", count(found.Counted, "commit"), of)
	for _, a := range found.Authors {
		text += fmt.Sprintf("- %s — %s%s\n", lexicon.PlainText(a.Name), count(a.Commits, "commit"),
			lexicon.Span(a.First, a.Last))
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	return text + "\nCommits say who wrote most of it, not who knows it best today.\n"
}

func (f folders) uncommitted(found projectFacts, of string) string {
	if len(found.Changed) == 0 {
		return "Nothing" + of + " is uncommitted: all files are as in the last commit. What waits as a proposal is not " +
			"written yet.\n"
	}
	text := fmt.Sprintf("%s%s differ from the last commit:\n\n", count(len(found.Changed)+found.Omitted, "file"), of)
	for _, c := range found.Changed {
		text += fmt.Sprintf("- %s — %s\n", f.rel(c.File), c.How)
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	return text
}

// releases lists the last tags, and the last commit.
func (found projectFacts) releases() string {
	text := "There are no tags.\n"
	if len(found.Tags) > 0 {
		text = "The last tags, with the days on which they were made:\n\n"
		for _, t := range found.Tags {
			text += fmt.Sprintf("- %s — %s\n", code(t.Name), t.Day)
		}
	}
	for _, c := range found.Commits[:min(1, len(found.Commits))] {
		text += fmt.Sprintf("\nThe last commit is of %s: %s\n", c.Day, lexicon.PlainText(c.Subject))
	}
	return text
}

// counts answers with numbers about all files: the lines of each language, or the symbols that nothing uses.
type counts struct{ about, path string }

const shownUnused = 30

func (x counts) next(p progress) step {
	facts := p.facts(x.about)
	if len(facts) == 0 {
		ask := args{"about": x.about, "limit": shownUnused}
		if x.path != "" {
			ask["path"] = x.path
		}
		return step{calls: []llm.Call{callTool("project_facts", ask)}}
	}
	found := decode[projectFacts](&facts[0])
	switch {
	case !facts[0].OK:
		return p.failed("I could not count", facts[0])
	case x.about == "lines":
		return answerWith(found.linesOf(x.path))
	}
	return answerWith(p.unused(found, x.path))
}

func (found projectFacts) linesOf(path string) string {
	files, lines := 0, 0
	list := ""
	for _, l := range found.Lines {
		files, lines = files+l.Files, lines+l.Lines
		list += fmt.Sprintf("- %s — %s in %s, %d of them blank\n", l.Language, count(l.Lines, "line"), count(l.Files,
			"file"), l.Blank)
	}
	if list == "" {
		return "I found no file" + ofPath(path) + " in a language that I know.\n"
	}
	return fmt.Sprintf("%s in %s%s, by language:\n\n%s\nComments count as lines. Ignored files and files of unknown "+
		"kinds are left out.\n",
		count(lines, "line"), count(files, "file"), ofPath(path), list)
}

func (f folders) unused(found projectFacts, path string) string {
	const caveat = "This goes by names alone: what a framework, reflection or another project uses looks unused, too, " +
		"and what has " +
		"a name that stands anywhere else looks used. Tests, examples and generated files are left out.\n"
	if len(found.Unused) == 0 {
		return "I found no symbol" + ofPath(path) + " whose name stands only in its declaration. " + caveat
	}
	text, public := "", 0
	for _, u := range found.Unused {
		note := ""
		if u.Public {
			note = ", public"
			public++
		}
		text += fmt.Sprintf("- %s (%s%s) — %s:%d\n", code(u.Canon), u.Kind, note, f.rel(u.File), u.Line)
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	if found.Partial {
		text += "\nThe index is still being built, so symbols are missing.\n"
	}
	head := "%s%s stand nowhere but in their declarations, those first that other projects can't use:\n\n%s\n%s"
	switch n := len(found.Unused); {
	case n == 1 && found.Omitted == 0:
		head = "%s%s stands nowhere but in its declaration:\n\n%s\n%s"
	case public == 0 || public == n:
		head = "%s%s stand nowhere but in their declarations:\n\n%s\n%s"
	}
	return fmt.Sprintf(head, count(len(found.Unused)+found.Omitted, "name"), ofPath(path), text, caveat)
}
