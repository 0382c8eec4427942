package inquiries

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Stated asks for the default of a setting by its spelling: it quotes what documentation says of it, and the lines of
// code that read it.
type Stated struct{ Setting string }

// documents are the files in which settings are described.
var documents = []string{"*.md", "*.rst", "*.adoc", "*.[1-9]", "*.[1-9].in", "!CHANGE*", "!HISTORY*", "!**/test*/**",
	"!**/node_modules/**", "!**/vendor/**"}

const (
	aboveRow   = 60 // lines above a row of a table in which its head is
	entryLines = 14 // of what is said of a setting
	readsShown = 3  // lines of code
)

// Searches returns the searches in documentation and in code.
func (x Stated) Searches() []Search {
	quoted := `["'` + "`" + `]` + strings.TrimPrefix(x.Setting, "--")
	if strings.HasPrefix(x.Setting, "--") {
		quoted = `["'` + "`" + `]-{0,2}` + strings.TrimPrefix(x.Setting, "--")
	}
	return []Search{
		{Pattern: lexicon.SettingPattern(x.Setting), Include: documents, Limit: 100, Before: aboveRow, After: entryLines},
		{Pattern: quoted + `["'` + "`" + `]`, Include: code, Limit: 60, After: 3},
	}
}

// Reads returns nil: the lines say it.
func (Stated) Reads(Look) []Lines { return nil }

// Say quotes the entry of a setting that tells its default, and the code that has a value for where it is unset.
func (x Stated) Say(l Look) string {
	text := x.documented(l)
	if strings.HasPrefix(x.Setting, "-") { // options are declared, and not read
		return text
	}
	var reads []string
	for _, m := range l.Found[1].Matches {
		rel := l.Rel(m.File)
		lines := append([]string{m.Text}, m.After...)
		if results.IsTest(rel) || conventions.Aside.MatchString(rel) || !lexicon.GivesInstead(strings.Join(lines, " "),
			strings.TrimPrefix(x.Setting, "--")) || comment.MatchString(m.Text) || len(reads) == readsShown {
			continue
		}
		reads = append(reads, results.Snippet(m.File, m.Line, strings.Join(lines, "\n")))
	}
	if len(reads) > 0 {
		text += "By its name, the code has it here:\n\n" + strings.Join(reads, "")
	}
	return text
}

// documented quotes the best entry, "" if none tells a default.
func (x Stated) documented(l Look) string {
	best, first, rank := []string(nil), Match{}, 0
	for _, m := range l.Found[0].Matches {
		rel := l.Rel(m.File)
		if conventions.IsTranslation(rel) || results.IsTest(rel) {
			continue
		}
		lines, n := entryOf(m)
		if n > rank {
			best, first, rank = lines, m, n
		}
	}
	if rank == 0 {
		return ""
	}
	text := fmt.Sprintf("%s:%d says of %s:\n\n", l.Rel(first.File), first.Line, results.Code(x.Setting))
	if value := inColumn(first); value != "" {
		text = fmt.Sprintf("%s:%d says, in a column for it, that the default of %s is %s:\n\n", l.Rel(first.File), first.Line,
			results.Code(x.Setting), results.Code(strings.Trim(value, "`")))
	}
	return text + results.Snippet(first.File, first.Line, strings.Join(best, "\n"))
}

// entryOf returns the lines of what is said of a setting, and how surely they tell its default, 0 for not.
func entryOf(m Match) (lines []string, rank int) {
	if inColumn(m) != "" {
		return []string{m.Text}, 4
	}
	lines = []string{m.Text}
	indent := len(m.Text) - len(strings.TrimLeft(m.Text, " \t"))
	for i, line := range m.After {
		line = strings.ReplaceAll(line, `\-`, "-")
		text := strings.TrimLeft(line, " \t")
		deeper := len(line)-len(text) > indent
		switch {
		case text == "" && i+1 < len(m.After) && strings.HasPrefix(m.After[i+1], strings.Repeat(" ", indent+1)):
		case text == "", !deeper && (listItem.MatchString(line) || strings.HasPrefix(line, ".") ||
			strings.HasPrefix(line, "#")):
			return lines, rankOf(lines)
		}
		lines = append(lines, line)
	}
	return lines, rankOf(lines)
}

// rankOf ranks what is said of a setting: that it begins with it, and tells a default.
func rankOf(lines []string) int {
	at := slices.IndexFunc(lines, lexicon.SaysDefault)
	switch {
	case at < 0 || strings.HasPrefix(lines[0], "|"):
		return 0
	case settingHead(lines[0]):
		return 3
	case at == 0:
		return 2
	}
	return 0
}

// settingHead reports whether a line begins with what looks like a setting: of a list, a heading or a manual page.
func settingHead(line string) bool {
	line = strings.ReplaceAll(line, `\-`, "-")
	text := strings.TrimLeft(line, " \t-*+#.`BIRTP\\f\"[")
	return text != "" && (strings.HasPrefix(text, "_") || strings.ToUpper(text[:1]) == text[:1] ||
		strings.Contains(line, "--")) &&
		(listItem.MatchString(line) || strings.HasPrefix(line, ".") || strings.HasPrefix(line, "#") ||
			strings.HasPrefix(line, `\f`))
}

// inColumn returns what a row of a table has in the column for defaults, "" for none.
func inColumn(m Match) string {
	if strings.Count(m.Text, "|") < 2 {
		return ""
	}
	head := ""
	for i := len(m.Before) - 1; i >= 0 && strings.Contains(m.Before[i], "|"); i-- {
		head = m.Before[i]
	}
	heads, cells := cellsOf(head), cellsOf(m.Text)
	at := slices.IndexFunc(heads, func(h string) bool { return strings.HasPrefix(strings.ToLower(h), "default") })
	if at < 1 || len(heads) != len(cells) {
		return ""
	}
	return cells[at]
}

func cellsOf(row string) (cells []string) {
	for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

// Located asks where something is kept: it quotes the paragraph of documentation that tells it.
type Located struct{ Words []string }

// Searches returns the search in documentation.
func (x Located) Searches() []Search {
	return []Search{{Pattern: `(?i)` + x.Words[0], Include: append([]string{"!**/packaging/**"}, documents...),
		Limit: 200, Context: 6}}
}

// Reads returns nil: the lines say it.
func (Located) Reads(Look) []Lines { return nil }

// Say quotes the best paragraph.
func (x Located) Say(l Look) string {
	var best []string
	first, at, rank := 0, Match{}, 0
	for _, m := range l.Found[0].Matches {
		rel := l.Rel(m.File)
		if conventions.Aside.MatchString(rel) || conventions.IsTranslation(rel) || results.IsTest(rel) {
			continue
		}
		lines := slices.Concat(m.Before, []string{m.Text}, m.After)
		paragraph, from := conventions.ParagraphAt(lines, len(m.Before))
		if item := itemAround(lines[:from]); item >= 0 && len(paragraph) > 0 && strings.HasPrefix(paragraph[0], " ") {
			from = item
			paragraph, _ = entryOf(Match{Edge: results.Edge{Text: lines[item]}, After: lines[item+1:]})
		}
		if n := lexicon.TellsPlace(strings.Join(paragraph, "\n"), x.Words); n > rank {
			best, first, at, rank = paragraph, m.Line-len(m.Before)+from, m, n
		}
	}
	if rank == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d says:\n\n", l.Rel(at.File), first) +
		results.Snippet(at.File, first, strings.TrimRight(strings.Join(best, "\n"), "\n "))
}

// itemAround returns the index of the item of a list at the margin in which the line behind some is, -1 for none.
func itemAround(lines []string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		switch {
		case lines[i] == "":
			return -1
		case listItem.MatchString(lines[i]) && !strings.HasPrefix(lines[i], " "):
			return i
		case !strings.HasPrefix(lines[i], " "):
			return -1
		}
	}
	return -1
}

// Of returns the inquiry that a message makes by its form alone, nil for none.
func Of(message string) Inquiry {
	if asked, ok := lexicon.LinesIn(message); ok {
		return LinesOf{asked}
	}
	if a, b := lexicon.FilesCompared(message); a != "" {
		return Differ{a, b}
	}
	if name := lexicon.DefaultNamed(message); name != "" {
		return Stated{name}
	}
	if words := lexicon.KeptThing(message); words != nil {
		return Located{words}
	}
	return nil
}
