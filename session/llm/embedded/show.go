package embedded

import (
	"fmt"
	"ploke-lsp/session/llm"
	"strings"
)

// show shows a file from its beginning, or the symbol around a line of it.
type show struct{ target }

// heldBack refuses to show a file that holds secrets.
type heldBack struct{ file string }

func (x heldBack) next(progress) step {
	return answerWith("I can't show " + code(x.file) + ": by its name, it holds secrets, and I do not read it.\n")
}

const (
	firstLines  = 40 // of a file
	linesAround = 12 // a line in no symbol
)

type readResult struct {
	File, Snippet string
	StartLine     int `json:"start_line"`
	EndLine       int `json:"end_line"`
	LineCount     int `json:"line_count"`
}

func (x show) next(p progress) step {
	searches, reads := p.of("request_code_context"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"hint": x.String(),
			"token_budget": contextTokens})}}
	}
	found := decode[searchResult](&searches[0])
	around, _ := x.resolveLine(p)
	if x.line > 0 && len(around.items) > 0 && around.items[0].Snippet != "" {
		return answerWith(p.around(x.target, around.items[0]))
	}
	if len(reads) == 0 {
		return step{calls: []llm.Call{callTool("read_file", x.part(found))}}
	}
	return x.answer(p, reads[0], around)
}

// part returns the part of the file to read. The search knows the file by a part of
// its path.
func (x show) part(found searchResult) args {
	read := args{"file": x.file, "end_line": firstLines}
	for _, s := range found.Results {
		if s.inFile(x.file) {
			read["file"] = s.path()
			break
		}
	}
	if x.line > 0 {
		read["start_line"], read["end_line"] = max(1, x.line-linesAround), x.line+linesAround
	}
	return read
}

// around shows the symbol that encloses a line.
func (p progress) around(t target, s symbol) string {
	return fmt.Sprintf("Line %d is in the %s %s, at %s.\n\n%s%s", t.line, s.Kind, code(s.Canon), p.location(s.ID),
		s.described(), s.quoted()) +
		"To see more, ask who calls " + code(s.Canon) + ", or what it calls.\n"
}

func (x show) answer(p progress, r toolResult, around resolved) step {
	read := decode[readResult](&r)
	if !r.OK {
		return p.failed("I could not read "+code(x.String()), r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d, of %s", p.rel(read.File), max(1, x.line), count(read.LineCount, "line"))
	if len(around.items) > 0 {
		fmt.Fprintf(&b, ", in the %s %s", around.items[0].Kind, code(around.items[0].Canon))
	}
	b.WriteString(":\n\n" + read.Snippet + "\n\n")
	for _, search := range p.of("request_code_context") {
		var symbols []string
		for _, s := range decode[searchResult](&search).Results {
			if !s.inFile(read.File) {
				continue
			}
			symbols = append(symbols, p.listed(s))
			for _, sibling := range s.Siblings {
				symbols = append(symbols, p.listedSibling(s, sibling))
			}
		}
		listFurther(&b, symbols, 0)
	}
	return answerWith(b.String())
}
