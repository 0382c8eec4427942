package embedded

import (
	"path/filepath"
	"strings"

	"ploke-lsp/session/llm"
)

// move moves a symbol with its doc comment to the end of another file, and names what still uses it.
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
	case len(item.overloadsIn(found.items)) > 1 && !strings.Contains(x.name, "#"):
		return answerWith(p.askOverload("moved", "move %s to "+strings.ReplaceAll(x.to, "%", "%%"), item, found.items))
	case secretFile.MatchString(x.to):
		return refuseSecret(x.to)
	case strings.Contains(item.Canon, "::") && filepath.Ext(item.path()) != ".go":
		return answerWith("I moved nothing: " + code(dotted(item.Canon)) + " is a part of another symbol, and would be " +
			"none in a file " +
			"of its own.\n")
	case len(looks) == 0:
		first, last := item.withDoc()
		return step{calls: []llm.Call{callTool("get_file_metadata", args{"file": x.to}),
			callTool("read_file", args{"file": item.path(), "start_line": first, "end_line": last}),
			relations["references"].call(item, foundEdges)}}
	case len(applied) == 0:
		return x.edit(p, item, looks[0], reads[0])
	}
	return p.staged("move "+code(item.Canon)+" to "+x.to, applied[0],
		"Imports are not adjusted: look at those of both files, and of the files that use it.\n\n"+p.usedBy(item, edges[0]))
}

// withDoc returns the first and the last line of a symbol, 1-based, with the doc comment above it.
func (s symbol) withDoc() (first, last int) {
	head := snippetHead.FindStringSubmatch(s.Snippet)
	first = s.firstLine()
	if head != nil {
		first = min(first, number(head[2]))
	}
	_, end, _ := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":")
	return first, max(first, number(end))
}

func (x move) edit(p progress, item symbol, look, read toolResult) step {
	to := decode[fileOutline](&look)
	text := decode[readResult](&read)
	first, last := item.withDoc()
	switch {
	case !look.OK:
		return p.failed("I moved nothing", look)
	case !to.Exists:
		return answerWith("I moved nothing: there is no file " + code(x.to) + ".\n" + p.near(look.Candidates))
	case to.File == item.path():
		return answerWith(code(item.Canon) + " is in " + p.rel(to.File) + " already.\n")
	case filepath.Ext(to.File) != filepath.Ext(item.path()):
		return answerWith("I moved nothing: " + p.rel(to.File) + " is in another language than " + p.rel(item.path()) + ".\n")
	case !read.OK:
		return p.failed("I moved nothing", read)
	case text.StartLine != first || text.EndLine != last:
		return answerWith("I moved nothing: " + code(item.Canon) + " is larger than what I read at once.\n")
	}
	edits := []args{
		{"mode": "canonical", "file": item.path(), "canon": item.Canon, "kind": item.Kind, "at": "delete"},
		{"mode": "canonical", "file": to.File, "at": "last", "code": strings.Join(text.text(), "\n") + "\n"},
	}
	return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": edits, "reason": "move " + item.Canon +
		" to " + x.to})}}
}
