package embedded

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/modules"
	"ploke-lsp/session/llm/embedded/results"
)

// move moves a symbol with its doc comment to the end of another file, before the tests there, with the imports that
// this needs as far as their lines show it, and names what will not resolve.
type move struct {
	target
	to string
}

func (x move) next(p progress) step {
	found, calls := x.resolve(p)
	if calls != nil {
		return step{calls: calls}
	}
	item, question := x.only(p, found, "moved", "move %s to "+strings.ReplaceAll(x.to, "%", "%%"))
	looks, reads := p.of("get_file_metadata"), p.of("read_file")
	edges, applied := p.of("code_item_edges"), p.of("apply_code_edit")
	switch {
	case question != "":
		return answerWith(question)
	case len(item.OverloadsIn(found.items)) > 1 && !strings.Contains(x.name, "#"):
		return answerWith(p.AskOverload("moved", "move %s to "+strings.ReplaceAll(x.to, "%", "%%"), item, found.items))
	case secretFile.MatchString(x.to):
		return refuseSecret(x.to)
	case strings.Contains(item.Canon, "::") && filepath.Ext(item.Path()) != ".go":
		return answerWith("I moved nothing: " + results.Code(results.Dotted(item.Canon)) +
			" is a part of another symbol, and would be " +
			"none in a file " +
			"of its own.\n")
	case len(looks) == 0:
		first, last := item.WithDoc()
		return step{calls: []llm.Call{callTool("get_file_metadata", args{"file": x.to}),
			callTool("read_file", args{"file": item.Path(), "start_line": first, "end_line": last}),
			relations["references"].call(item, foundEdges)}}
	}
	if problem := x.impossible(p, item, looks[0], reads[0]); problem != nil {
		return *problem
	}
	to := results.Decode[results.FileOutline](&looks[0])
	from, next := wholeText(item.Path(), reads[1:])
	if next == nil {
		var target string
		if target, next = wholeText(to.File, reads[1:]); next == nil {
			edits, note := x.edits(p, item, to, reads[0], from, target, edges[0])
			if len(applied) == 0 {
				return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": edits, "reason": "move " + item.Canon +
					" to " + x.to})}}
			}
			return p.staged("move "+results.Code(item.Canon)+" to "+x.to, applied[0], note+"\n"+p.UsedBy(item, edges[0]))
		}
	}
	return step{calls: []llm.Call{*next}}
}

// impossible returns what is said instead of moving, nil if the symbol can be moved.
func (x move) impossible(p progress, item results.Symbol, look, read results.ToolResult) *step {
	to := results.Decode[results.FileOutline](&look)
	text := results.Decode[results.ReadResult](&read)
	first, last := item.WithDoc()
	var s step
	switch {
	case !look.OK:
		s = p.failed("I moved nothing", look)
	case !to.Exists:
		s = answerWith("I moved nothing: there is no file " + results.Code(x.to) +
			". I move into files that exist: create it first, as in " + results.Code("create "+x.to) + ".\n")
	case to.File == item.Path():
		s = answerWith(results.Code(item.Canon) + " is in " + p.Rel(to.File) + " already.\n")
	case filepath.Ext(to.File) != filepath.Ext(item.Path()):
		s = answerWith("I moved nothing: " + p.Rel(to.File) + " is in another language than " + p.Rel(item.Path()) + ".\n")
	case !read.OK:
		s = p.failed("I moved nothing", read)
	case text.StartLine != first || text.EndLine != last:
		s = answerWith("I moved nothing: " + results.Code(item.Canon) + " is larger than what I read at once.\n")
	default:
		return nil
	}
	return &s
}

// moving collects the edits that move a symbol and adjust imports, and what will not resolve.
type moving struct {
	modules.Moved
	p        progress
	edits    []args
	adjusted int // lines
	broken   []string
}

// edits returns the edits that move the symbol and adjust imports, and a note on these and on what will not resolve.
func (x move) edits(p progress, item results.Symbol, to results.FileOutline, read results.ToolResult, from,
	target string, uses results.ToolResult) (edits []args, note string) {
	moved := results.Decode[results.ReadResult](&read)
	first, last := item.WithDoc()
	lines := strings.Split(from, "\n")
	m := moving{p: p, Moved: modules.Moved{Name: item.Name, Text: strings.Join(moved.Text(), "\n"),
		From: p.Rel(item.Path()), To: p.Rel(to.File), Target: target,
		Before: strings.Join(slices.Concat(lines[:min(first-1, len(lines))], lines[min(last, len(lines)):]), "\n")}}
	m.edits = []args{{"mode": "canonical", "file": item.Path(), "canon": item.Canon, "kind": item.Kind, "at": "delete"},
		placed(to, m.Moved)}
	imports, missing := m.Imports()
	m.add(to.File, target, imports)
	m.drop(to.File, target, uses)
	if len(missing) > 0 {
		m.breaks("%s lacks %s", m.To, results.Codes(missing))
	}
	line, ok := modules.ImportLine(m.From, m.To, m.Name)
	switch {
	case !m.StaysUsed() || m.SameScope():
	case m.Circle(m.From):
		m.breaks("%s and %s would import each other", m.From, m.To)
	case ok && !slices.Contains(lines, line):
		m.add(item.Path(), from, []string{line})
	default:
		m.breaks("%s lacks %s", m.From, results.Code(m.Name))
	}
	m.reimport(item.Path(), to.File, uses)
	return m.edits, m.note()
}

// breaks notes what will not resolve.
func (m *moving) breaks(form string, values ...any) {
	m.broken = append(m.broken, fmt.Sprintf(form, values...))
}

// add adds imports to a file with a text.
func (m *moving) add(file, text string, imports []string) {
	changed := modules.WithImports(file, text, imports)
	for line, now := range changed {
		m.edits = append(m.edits, args{"mode": "replace", "file": file, "line": line,
			"old": strings.Split(text, "\n")[line-1], "new": now})
	}
	if m.adjusted += len(changed); len(imports) > 0 && changed == nil {
		m.breaks("%s lacks %s", m.p.Rel(file), results.Codes(imports))
	}
}

// drop takes what moves out of the imports of the file that it moves to, which would import it from where it was.
func (m *moving) drop(to, text string, uses results.ToolResult) {
	lines := strings.Split(text, "\n")
	for _, e := range results.Decode[results.EdgesResult](&uses).Edges {
		if e.Kind != "import" || e.File != to || e.Line < 1 || e.Line > len(lines) || m.SameScope() {
			continue
		}
		at := slices.IndexFunc(m.edits, func(edit args) bool { return edit["file"] == to && edit["line"] == e.Line })
		if at < 0 {
			at = len(m.edits)
			m.edits = append(m.edits, args{"mode": "replace", "file": to, "line": e.Line, "old": lines[e.Line-1],
				"new": lines[e.Line-1]})
		}
		line, more, several := strings.Cut(m.edits[at]["new"].(string), "\n")
		kept, ok := m.Dropped(line)
		alone := e.Line > 1 && e.Line < len(lines) && strings.HasSuffix(lines[e.Line-2], "(") &&
			strings.HasPrefix(strings.TrimSpace(lines[e.Line]), ")")
		switch {
		case !ok || kept == "" && alone:
			m.breaks("%s:%d", m.p.Rel(to), e.Line)
			if !several && line == lines[e.Line-1] {
				m.edits = slices.Delete(m.edits, at, at+1)
			}
			continue
		case kept != "" && several:
			m.edits[at]["new"] = kept + "\n" + more
		case several:
			m.edits[at]["new"] = more
		case kept == "":
			m.edits[at]["old"], m.edits[at]["new"] = lines[e.Line-1]+"\n", ""
		default:
			m.edits[at]["new"] = kept
		}
		m.adjusted++
	}
}

// reimport adjusts the imports of other files, and notes the uses that it can't.
func (m *moving) reimport(from, to string, uses results.ToolResult) {
	for _, e := range results.Decode[results.EdgesResult](&uses).Edges {
		elsewhere := e.File != from && e.File != to
		switch {
		case !elsewhere, m.SameScope(),
			e.Kind != "import" && elsewhere && importsName(uses, e.File):
			continue
		case e.Kind == "import" && elsewhere && len(e.Text) < results.CutLine:
			if now, ok := m.Reimported(m.p.Rel(e.File), e.Text); ok {
				m.edits = append(m.edits, args{"mode": "replace", "file": e.File, "line": e.Line, "old": e.Text,
					"new": strings.Join(now, "\n")})
				if m.adjusted++; m.Circle(m.p.Rel(e.File)) {
					m.breaks("%s and %s would import each other", m.p.Rel(e.File), m.To)
				}
				continue
			}
		}
		m.breaks("%s:%d", m.p.Rel(e.File), e.Line)
	}
}

func (m *moving) note() string {
	note := fmt.Sprintf("Imports go by their text: %s adjusted.", results.Count(m.adjusted, "line"))
	if len(m.broken) > 0 {
		note += " **These will not resolve, for you to mend:** " +
			strings.Join(m.broken[:min(results.FurtherPlaces, len(m.broken))], ", ")
		if n := len(m.broken) - results.FurtherPlaces; n > 0 {
			note += fmt.Sprintf(" and %d more", n)
		}
		note += "."
	}
	if unneeded := m.Unneeded(); len(unneeded) > 0 {
		note += fmt.Sprintf(" %s no longer needs its imports of %s.", m.From, results.Codes(unneeded))
	}
	return note + "\n"
}

// importsName reports whether a file has an import among the uses of a symbol.
func importsName(uses results.ToolResult, file string) bool {
	return slices.ContainsFunc(results.Decode[results.EdgesResult](&uses).Edges, func(e results.Edge) bool {
		return e.File == file &&
			e.Kind == "import"
	})
}

// placed returns the edit that puts what moves into its new file.
func placed(to results.FileOutline, m modules.Moved) args {
	line, text := m.Placed()
	if line == 0 {
		return args{"mode": "canonical", "file": to.File, "at": "last", "code": m.Text + "\n"}
	}
	return args{"mode": "replace", "file": to.File, "line": line, "old": strings.Split(m.Target, "\n")[line-1],
		"new": text}
}
