package embedded

import (
	"path/filepath"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// called is a question for what something is that no symbol is named: the project or one of its packages, if a manifest
// has the name, else whatever the search finds.
type called struct{}

func (x called) next(p progress) step {
	m := whatIs.FindStringSubmatch(lexicon.Plain(p.message))
	if m == nil {
		return question{}.next(p)
	}
	at := slices.IndexFunc(p.results, func(r toolResult) bool { return r.tool == "search_text" })
	if at < 0 {
		name := conventions.NameLine(lexicon.Bare(m[1]))
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": name, "include": conventions.Naming})}}
	}
	found := decode[countedText](&p.results[at]).Matches
	if len(found) == 0 {
		return question{}.next(p)
	}
	p.results = p.results[at+1:] // what follows makes its own calls
	dir := filepath.Dir(found[0].File)
	if slices.ContainsFunc(found, func(e edge) bool { return slices.Contains(p.folders, filepath.Dir(e.File)) }) {
		return overview{}.next(p)
	}
	return pkg{filepath.Base(dir)}.next(p)
}
