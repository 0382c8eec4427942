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
	target := ""
	if next == nil {
		target, next = wholeText(to.File, reads[1:])
	}
	if next != nil {
		return step{calls: []llm.Call{*next}}
	}
	if max(strings.Count(from, "\n"), strings.Count(target, "\n")) >= maxReads*readLines {
		return answerWith("I moved nothing: one of the files is larger than what I read.\n")
	}
	m := x.moved(p, item, to, reads[0], from, target)
	if why := m.Unfit(); why != "" {
		return answerWith("I moved nothing: " + why + ".\n")
	}
	note := ""
	if filepath.Ext(m.From) == ".py" {
		loads := p.of("search_text")
		if len(loads) == 0 {
			return step{calls: []llm.Call{callTool("search_text", args{"pattern": modules.PythonLoads(m.From, m.To),
				"include": []string{"*.py"}, "limit": mostLoads})}}
		}
		m.Loads, note = x.loads(p, loads[0])
	}
	uses := results.Decode[results.EdgesResult](&edges[0])
	plan := modules.NewPlan(m, item.Path(), to.File, from, x.uses(p, uses))
	if len(applied) == 0 {
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": x.edits(item, to, plan), "reason": "move " +
			item.Canon + " to " + x.to})}}
	}
	if uses.Omitted > 0 {
		note += results.Count(uses.Omitted, "further use") + " I did not look at. "
	}
	return p.staged("move "+results.Code(item.Canon)+" to "+x.to, applied[0], note+noteOf(plan)+"\n"+
		p.UsedBy(item, edges[0]))
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

// mostLoads is the maximum number of lines that import in a program of Python, which are looked at for circles.
const mostLoads = 1000

// moved returns the declaration that moves.
func (x move) moved(p progress, item results.Symbol, to results.FileOutline, read results.ToolResult,
	from, target string) modules.Moved {
	moved := results.Decode[results.ReadResult](&read)
	first, last := item.WithDoc()
	lines := strings.Split(from, "\n")
	return modules.Moved{Name: item.Name, Text: strings.Join(moved.Text(), "\n"), From: p.Rel(item.Path()),
		To: p.Rel(to.File), Target: target, First: first,
		Before: strings.Join(slices.Concat(lines[:min(first-1, len(lines))], lines[min(last, len(lines)):]), "\n")}
}

// loads returns which modules load which, and what is to be said if it is not known of all.
func (x move) loads(p progress, found results.ToolResult) (g modules.Graph, note string) {
	lines := results.Decode[countedText](&found)
	var places []modules.Place
	for _, l := range lines.Matches {
		places = append(places, modules.Place{File: p.Rel(l.File), Line: l.Line, Text: l.Text})
	}
	if !found.OK || lines.Omitted > 0 {
		note = "**I could not see all imports: look for modules that would load each other.** "
	}
	return modules.NewGraph(places), note
}

// uses returns the lines that name what moves.
func (x move) uses(p progress, found results.EdgesResult) (uses []modules.Use) {
	for _, e := range found.Edges {
		uses = append(uses, modules.Use{Place: modules.Place{File: e.File, Line: e.Line, Text: e.Text}, Path: p.Rel(e.File),
			Import: e.Kind == "import", Cut: e.Joined || len(e.Text) >= results.CutLine})
	}
	return uses
}

// edits returns the edits that move the symbol and adjust imports.
func (x move) edits(item results.Symbol, to results.FileOutline, plan modules.Plan) []args {
	edits := []args{{"mode": "canonical", "file": item.Path(), "canon": item.Canon, "kind": item.Kind, "at": "delete"},
		placed(to, plan.Moved)}
	for _, c := range plan.Changes {
		edits = append(edits, args{"mode": "replace", "file": c.File, "line": c.Line, "old": c.Old, "new": c.New})
	}
	return edits
}

// noteOf says what a plan adjusts, and what it leaves to the person.
func noteOf(plan modules.Plan) string {
	note := fmt.Sprintf("Imports go by their text: %s adjusted.", results.Count(plan.Adjusted, "line"))
	if !plan.Knows() {
		note = "**I don't know how this language imports: look at what both files and the users need.**"
	}
	if broken := plan.Broken; len(broken) > 0 {
		note += " **These may not resolve, for you to mend:** " +
			strings.Join(broken[:min(results.FurtherPlaces, len(broken))], ", ")
		if n := len(broken) - results.FurtherPlaces; n > 0 {
			note += fmt.Sprintf(" and %d more", n)
		}
		note += "."
	}
	if unneeded := plan.Unneeded(); len(unneeded) > 0 && filepath.Ext(plan.From) != ".go" {
		note += fmt.Sprintf(" %s no longer needs its imports of %s.", plan.From, results.Codes(unneeded))
	}
	return note + "\n"
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
