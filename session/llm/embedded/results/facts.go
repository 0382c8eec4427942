package results

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// LanguageLines are the counts of the files of a language.
type LanguageLines struct {
	Language            string
	Files, Lines, Blank int
}

// ProjectFacts is what project_facts returns: the fields that were asked for.
type ProjectFacts struct {
	historyFacts
	About     string
	NoHistory bool `json:"no_history"`
	Changed   []struct{ File, How string }
	Lines     []LanguageLines
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

// Releases lists the last tags, and the last commit.
func (found ProjectFacts) Releases() string {
	text := "There are no tags.\n"
	if len(found.Tags) > 0 {
		text = "The last tags, with the days on which they were made:\n\n"
		for _, t := range found.Tags {
			text += fmt.Sprintf("- %s — %s\n", Code(t.Name), t.Day)
		}
	}
	for _, c := range found.Commits[:min(1, len(found.Commits))] {
		text += fmt.Sprintf("\nThe last commit is of %s: %s\n", c.Day, lexicon.PlainText(c.Subject))
	}
	return text
}

// LinesOf lists the lines of code by language, of a path or of the project.
func (found ProjectFacts) LinesOf(path string) string {
	files, lines := 0, 0
	list := ""
	for _, l := range found.Lines {
		files, lines = files+l.Files, lines+l.Lines
		list += fmt.Sprintf("- %s — %s in %s, %d of them blank\n", l.Language, Count(l.Lines, "line"), Count(l.Files,
			"file"), l.Blank)
	}
	if list == "" {
		return "I found no file" + OfPath(path) + " in a language that I know.\n"
	}
	return fmt.Sprintf("%s in %s%s, by language:\n\n%s\nComments count as lines. Ignored files and files of unknown "+
		"kinds are left out.\n",
		Count(lines, "line"), Count(files, "file"), OfPath(path), list)
}

// OfPath returns the words for a path after what is said about it, "" for the project.
func OfPath(path string) string {
	if path == "" {
		return ""
	}
	return " of " + path
}

// Touched lists the first files of a commit.
func (f Folders) Touched(files []string, more int) string {
	const named = 3
	if len(files) == 0 {
		return ""
	}
	var names []string
	for _, file := range files[:min(named, len(files))] {
		names = append(names, f.Rel(file))
	}
	text := " — " + strings.Join(names, ", ")
	if more += len(files) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Uncommitted lists the files that differ from the last commit.
func (f Folders) Uncommitted(found ProjectFacts, of string) string {
	if len(found.Changed) == 0 {
		return "Nothing" + of + " is uncommitted: all files are as in the last commit. What waits as a proposal is not " +
			"written yet.\n"
	}
	text := fmt.Sprintf("%s%s differ from the last commit:\n\n", Count(len(found.Changed)+found.Omitted, "file"), of)
	for _, c := range found.Changed {
		text += fmt.Sprintf("- %s — %s\n", f.Rel(c.File), c.How)
	}
	if found.Omitted > 0 {
		text += fmt.Sprintf("- and %d more\n", found.Omitted)
	}
	return text
}

// Unused lists the symbols that nothing names, of a path or of the project.
func (f Folders) Unused(found ProjectFacts, path string) string {
	const caveat = "This goes by names alone: what a framework, reflection or another project uses looks unused, too, " +
		"and what has " +
		"a name that stands anywhere else looks used. Tests, examples and generated files are left out.\n"
	if len(found.Unused) == 0 {
		return "I found no symbol" + OfPath(path) + " whose name stands only in its declaration. " + caveat
	}
	text, public := "", 0
	for _, u := range found.Unused {
		note := ""
		if u.Public {
			note = ", public"
			public++
		}
		text += fmt.Sprintf("- %s (%s%s) — %s:%d\n", Code(u.Canon), u.Kind, note, f.Rel(u.File), u.Line)
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
	return fmt.Sprintf(head, Count(len(found.Unused)+found.Omitted, "name"), OfPath(path), text, caveat)
}
