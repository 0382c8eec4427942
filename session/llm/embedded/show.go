package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/results"
)

// show shows a file from its beginning, or the symbol around a line of it.
type show struct{ target }

// heldBack refuses to show a file that holds secrets.
type heldBack struct{ file string }

func (x heldBack) next(progress) step {
	return answerWith("I can't show " + results.Code(x.file) + ": by its name, it holds secrets, and I do not read it.\n")
}

const (
	firstLines  = 40 // of a file
	linesAround = 12 // a line in no symbol
)

func (x show) next(p progress) step {
	searches, reads := p.of("request_code_context"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"hint": x.String(),
			"token_budget": contextTokens})}}
	}
	found := results.Decode[results.SearchResult](&searches[0])
	around, _ := x.resolveLine(p)
	if x.line > 0 && len(around.items) > 0 && around.items[0].Snippet != "" {
		return answerWith(x.around(p, around.items[0]))
	}
	if len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", x.part(found))}}
	}
	return x.answer(p, reads[0], around)
}

// part returns the part of the file to read. The search knows the file by a part of
// its path.
func (x show) part(found results.SearchResult) args {
	read := args{"file": x.file, "end_line": firstLines}
	for _, s := range found.Results {
		if s.InFile(x.file) {
			read["file"] = s.Path()
			break
		}
	}
	if x.line > 0 {
		read["start_line"], read["end_line"] = max(1, x.line-linesAround), x.line+linesAround
	}
	return read
}

// around shows the symbol that encloses a line.
func (t target) around(p progress, s results.Symbol) string {
	return fmt.Sprintf("Line %d is in the %s %s, at %s.\n\n%s%s", t.line, s.Kind, results.Code(s.Canon), p.Location(s.ID),
		s.Described(), s.Quoted()) +
		"To see more, ask who calls " + results.Code(s.Canon) + ", or what it calls.\n"
}

func (x show) answer(p progress, r results.ToolResult, around resolved) step {
	read := results.Decode[results.ReadResult](&r)
	if !r.OK {
		return p.failed("I could not read "+results.Code(x.String()), r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d, of %s", p.Rel(read.File), max(1, x.line), results.Count(read.LineCount, "line"))
	if len(around.items) > 0 {
		fmt.Fprintf(&b, ", in the %s %s", around.items[0].Kind, results.Code(around.items[0].Canon))
	}
	b.WriteString(":\n\n" + read.Snippet + "\n\n")
	for _, search := range p.of("request_code_context") {
		var symbols []string
		for _, s := range results.Decode[results.SearchResult](&search).Results {
			if !s.InFile(read.File) {
				continue
			}
			symbols = append(symbols, p.Listed(s))
			for _, sibling := range s.Siblings {
				symbols = append(symbols, p.ListedSibling(s, sibling))
			}
		}
		results.ListFurther(&b, symbols, 0)
	}
	return answerWith(b.String())
}
