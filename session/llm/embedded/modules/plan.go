package modules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Change is one to lines of a file: the text from the beginning of Line, which is replaced.
type Change struct {
	File     string // path as the tools name it
	Line     int    // 1-based
	Old, New string // whole lines, with their end if they go
}

// Use is a line that names what moves.
type Use struct {
	Place
	Path   string // from the top of the project
	Import bool
	Cut    bool // Text lacks an end
}

// Plan collects the changes with which a declaration moves: to the imports of both files and of others.
type Plan struct {
	Moved
	Changes  []Change
	Adjusted int      // lines
	Broken   []string // what will not resolve, in words
	from, to string   // paths as the tools name them
	text     string   // of From with all it has
}

// NewPlan returns the changes for a declaration that moves between two files, whose paths the tools name so. text is
// that of From with all it has, and uses are the lines that name what moves.
func NewPlan(m Moved, from, to, text string, uses []Use) Plan {
	plan := Plan{Moved: m, from: from, to: to, text: text}
	plan.Moved.Text = m.Offered()
	imports, missing := m.Imports()
	plan.add(to, m.To, m.Target, imports, 0, 0)
	plan.drop(uses)
	if len(missing) > 0 {
		plan.breaks("%s lacks %s", m.To, codes(missing))
	}
	line, ok := m.ImportLine()
	switch {
	case !m.StaysUsed() || m.SameScope():
	case m.Circle(m.From):
		plan.breaks("%s and %s would load each other", m.From, m.To)
	case ok && !slices.Contains(strings.Split(text, "\n"), line):
		plan.add(from, m.From, m.Before, []string{line}, m.First, strings.Count(text, "\n")-strings.Count(m.Before, "\n"))
		if inner := m.PerhapsPrivate(m.From); inner != "" {
			plan.breaks("%s if %s is private", m.From, code(inner))
		}
	default:
		plan.breaks("%s lacks %s", m.From, code(m.Name))
	}
	plan.without()
	plan.reimport(uses)
	return plan
}

// breaks notes what will not resolve.
func (p *Plan) breaks(form string, values ...any) {
	p.Broken = append(p.Broken, fmt.Sprintf(form, values...))
}

// add adds imports to a file with a text, which has further lines where the given one is.
func (p *Plan) add(file, path, text string, imports []string, at, further int) {
	if len(imports) == 0 {
		return
	}
	changed := WithImports(path, text, imports)
	for line, now := range changed {
		old := strings.Split(text, "\n")[line-1]
		if line >= at {
			line += further
		}
		p.Changes = append(p.Changes, Change{file, line, old, now})
	}
	p.Adjusted += len(changed)
}

// without drops the imports that From needs no longer, where a program does not build with them.
func (p *Plan) without() {
	lines := strings.Split(p.text, "\n")
	for _, n := range p.UnneededLines(p.text) {
		p.Changes = append(p.Changes, Change{p.from, n, lines[n-1] + "\n", ""})
		p.Adjusted++
	}
}

// drop takes what moves out of the imports of To, which would import it from where it was.
func (p *Plan) drop(uses []Use) {
	lines := strings.Split(p.Target, "\n")
	for _, u := range uses {
		if !u.Import || u.File != p.to || u.Line < 1 || u.Line > len(lines) || p.SameScope() {
			continue
		}
		at := slices.IndexFunc(p.Changes, func(c Change) bool { return c.File == p.to && c.Line == u.Line })
		if at < 0 {
			at = len(p.Changes)
			p.Changes = append(p.Changes, Change{p.to, u.Line, lines[u.Line-1], lines[u.Line-1]})
		}
		line, more, several := strings.Cut(p.Changes[at].New, "\n")
		kept, ok := p.Dropped(line)
		alone := u.Line > 1 && u.Line < len(lines) && strings.HasSuffix(lines[u.Line-2], "(") &&
			strings.HasPrefix(strings.TrimSpace(lines[u.Line]), ")")
		switch {
		case !ok || kept == "" && alone:
			p.breaks("%s:%d", p.To, u.Line)
			if !several && line == lines[u.Line-1] {
				p.Changes = slices.Delete(p.Changes, at, at+1)
			}
			continue
		case kept != "" && several:
			p.Changes[at].New = kept + "\n" + more
		case several:
			p.Changes[at].New = more
		case kept == "":
			p.Changes[at].Old, p.Changes[at].New = lines[u.Line-1]+"\n", ""
		default:
			p.Changes[at].New = kept
		}
		p.Adjusted++
	}
}

// reimport adjusts the lines of other files, and notes those that it can't.
func (p *Plan) reimport(uses []Use) {
	for _, u := range uses {
		imports := slices.ContainsFunc(uses, func(o Use) bool { return o.Import && o.File == u.File })
		adjusted := slices.ContainsFunc(p.Changes, func(c Change) bool { return c.File == u.File && c.Line == u.Line })
		if u.File == p.from || u.File == p.to || p.SameScope() || !u.Import && imports || adjusted {
			continue
		}
		now, ok := []string(nil), false
		if !u.Cut && u.Import {
			now, ok = p.Reimported(u.Path, u.Text)
		} else if line, known := p.Requalified(u.Path, u.Text); !u.Cut && known {
			now, ok = []string{line}, true
		}
		if !ok {
			p.breaks("%s:%d", u.Path, u.Line)
			continue
		}
		if inner := p.PerhapsPrivate(u.Path); inner != "" {
			p.breaks("%s:%d if %s is private", u.Path, u.Line, code(inner))
		}
		p.Changes = append(p.Changes, Change{u.File, u.Line, u.Text, strings.Join(now, "\n")})
		if p.Adjusted++; p.Circle(u.Path) {
			p.breaks("%s and %s would load each other", u.Path, p.To)
		}
	}
}

// Knows reports whether imports of the language are understood.
func (m Moved) Knows() bool {
	switch filepath.Ext(m.From) {
	case ".go", ".java", ".kt", ".php", ".py", ".rs", ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return true
	}
	return false
}

func code(s string) string { return "`" + s + "`" }

func codes(names []string) string {
	var all []string
	for _, n := range names {
		all = append(all, code(n))
	}
	return strings.Join(all, ", ")
}
