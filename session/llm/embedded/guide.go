package embedded

import (
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/results"
)

// guide says how to contribute: the prose and the headings of the file about that, or of a README's section.
type guide struct{}

func (guide) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": `(?i)^#+ .*contribut` +
			`|^(?:how to )?contribut\w*\s*$|contribut(?:e|ing)`,
			"include": []string{"/CONTRIBUTING*", "/.github/CONTRIBUTING*", "/docs/CONTRIBUTING*", "/docs/contributing*",
				"/DEVELOPMENT*", "/README*", "/HACKING*"}})}}
	}
	found := results.Decode[countedText](&searches[0])
	switch {
	case !searches[0].OK:
		return p.failed("The search failed", searches[0])
	case len(found.Matches) == 0:
		return answerWith("No file that I know for it says how to contribute: there is no CONTRIBUTING, and the README " +
			"does not speak of it.\n")
	case len(reads) == 0:
		best := found.Matches[0]
		for _, m := range found.Matches {
			if strings.Contains(strings.ToLower(results.Base(m.File)), "contributing") {
				best = m
				break
			}
		}
		read := args{"file": best.File}
		if strings.HasPrefix(strings.ToLower(results.Base(best.File)), "readme") {
			read["start_line"], read["end_line"] = best.Line, best.Line+conventions.ParagraphLines
		}
		return step{calls: []llm.Call{callTool("read_file", read)}}
	}
	read := results.Decode[results.ReadResult](&reads[0])
	if !reads[0].OK {
		return p.failed("I could not read it", reads[0])
	}
	return answerWith(p.Guide(read))
}
