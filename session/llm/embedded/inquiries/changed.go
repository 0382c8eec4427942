package inquiries

import (
	"fmt"
	"path"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Changed asks what has changed in a version, or since one: it quotes the section of a changelog.
type Changed struct{ lexicon.VersionAsked }

const (
	versionLines = 500 // maximum number of headings of versions
	sectionLines = 45  // maximum number of quoted lines
	listedHeads  = 12
)

// Searches returns the search for headings of versions, and that for files of the version's name.
func (x Changed) Searches() []Search {
	return []Search{
		{Pattern: conventions.VersionLine, Include: conventions.VersionHeads, Limit: versionLines},
		{Include: []string{"**/" + x.Version + ".*", "**/v" + x.Version + ".*", "**/" + x.Version + "-*.md"}, Limit: 40},
	}
}

// head is the heading of a version's section.
type head struct {
	file, version, text string
	line                int
}

// heads returns the headings of versions, and the index of the one that is asked for; -1 if there is none. several says
// that it is the newest of several that the question may mean.
func (x Changed) heads(l Look) (all []head, at int, several bool) {
	for _, m := range l.Found[0].Matches {
		if v := conventions.VersionOf(m.Text); v != "" && !changesFolder.MatchString(path.Dir(l.Rel(m.File))) {
			all = append(all, head{m.File, v, m.Text, m.Line})
		}
	}
	at = -1
	for i, h := range all {
		if conventions.VersionFits(h.version, x.Version) {
			return all, i, false
		}
		if at < 0 && conventions.VersionWithin(h.version, x.Version) {
			at = i
		}
	}
	return all, at, at >= 0
}

// ofVersion returns the file that a folder of changes has for the version, "" if it has none.
func (x Changed) ofVersion(l Look) string {
	for _, f := range l.Found[1].Files {
		rel := l.Rel(f.File)
		if changesFolder.MatchString(path.Dir(rel)) {
			return f.File
		}
	}
	return ""
}

// Reads returns the section of the version; for changes since a version, the newest section.
func (x Changed) Reads(l Look) []Lines {
	if file := x.ofVersion(l); file != "" && !x.Since {
		return []Lines{{file, 1, sectionLines}}
	}
	all, at, _ := x.heads(l)
	if at < 0 {
		return nil
	}
	if x.Since {
		if at = newestOf(all, at); at < 0 {
			return nil
		}
	}
	return []Lines{{all[at].file, all[at].line, all[at].line + sectionLines}}
}

// newestOf returns the first heading of the file of another one.
func newestOf(all []head, at int) int {
	for i, h := range all {
		if h.file == all[at].file {
			return i
		}
	}
	return at
}

// Say quotes the section.
func (x Changed) Say(l Look) string {
	all, at, several := x.heads(l)
	file := x.ofVersion(l)
	switch {
	case file != "" && !x.Since && len(l.Read) > 0:
		return l.quoted(file, 1, l.Read[0], func([]string) int { return sectionLines })
	case at < 0 && len(all) > 0:
		return x.none(l, all)
	case at < 0 || len(l.Read) == 0:
		return ""
	case x.Since:
		return x.since(l, all, at)
	}
	text := l.section(all[at], l.Read[0])
	if several {
		text = fmt.Sprintf("There is no section for %s alone; this is the newest one of its versions.\n\n",
			results.Code(x.Version)) + text
	}
	var others []head
	for _, h := range all {
		if h != all[at] && conventions.VersionWithin(h.version, x.Version) {
			others = append(others, h)
		}
	}
	return text + l.listed("Other versions of "+results.Code(x.Version)+" have sections, too:", others)
}

// none says that no section is for the version, and which there are.
func (x Changed) none(l Look, all []head) string {
	first := all[0]
	return fmt.Sprintf("No changelog that I know of has a section for %s. The first heading of a version is %s, at "+
		"%s:%d.\n", results.Code(x.Version), results.Code(results.Clip(strings.TrimSpace(first.text))),
		l.Rel(first.file), first.line)
}

// since lists the sections before that of a version, which are newer, and quotes the first one.
func (x Changed) since(l Look, all []head, at int) string {
	var newer []head
	for _, h := range all[:at] {
		if h.file == all[at].file {
			newer = append(newer, h)
		}
	}
	if x.Until != "" {
		for i, h := range newer {
			if conventions.VersionFits(h.version, x.Until) || conventions.VersionWithin(h.version, x.Until) {
				newer = newer[i:]
				break
			}
		}
	}
	if len(newer) == 0 {
		return fmt.Sprintf("%s:%d is the section of %s; none of that file is newer.\n", l.Rel(all[at].file), all[at].line,
			results.Code(x.Version))
	}
	text := fmt.Sprintf("%s:%d is the section of %s. ", l.Rel(all[at].file), all[at].line, results.Code(x.Version))
	return text + l.listed(results.Count(len(newer), "section")+" of versions came after it:", newer) +
		"`what changed in " + newer[0].version + "` quotes one of them.\n"
}

// section quotes the section below a heading.
func (l Look) section(h head, read results.ReadResult) string {
	return l.quoted(h.file, h.line, read, func(lines []string) int {
		for i, line := range lines {
			if i > 0 && conventions.VersionOf(line) != "" {
				return i
			}
		}
		return len(lines)
	})
}

// quoted quotes the first lines of what was read, whose number a function returns.
func (l Look) quoted(file string, line int, read results.ReadResult, length func([]string) int) string {
	lines := read.Text()
	lines = lines[:min(len(lines), length(lines), sectionLines)]
	cut := len(lines) == sectionLines
	for len(lines) > 1 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	text := fmt.Sprintf("%s:%d says:\n\n", l.Rel(file), line) + results.Snippet(file, line, strings.Join(lines, "\n"))
	if cut {
		return text + "The section is longer.\n\n"
	}
	return text
}

// listed lists headings below a line, "" for none.
func (l Look) listed(above string, heads []head) string {
	if len(heads) == 0 {
		return ""
	}
	text := above + "\n\n"
	for _, h := range heads[:min(listedHeads, len(heads))] {
		text += fmt.Sprintf("- %s — %s:%d\n", results.Code(results.Clip(strings.Trim(h.text, "#*= "))), l.Rel(h.file),
			h.line)
	}
	if more := len(heads) - listedHeads; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return text + "\n"
}

var changesFolder = lazyregexp.New(`(?i)(?:^|/)(?:change\w*|release[\w-]*|news|whatsnew|history)$`)
