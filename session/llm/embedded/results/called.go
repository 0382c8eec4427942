package results

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// likelyUse is the confidence from which a use is renamed with what it means.
const likelyUse = 0.5

// CallsOf returns the places among the occurrences of a name that may call the symbol of it, one of each line.
func (s Symbol) CallsOf(name string, occurrences ToolResult) (calls []Edge) {
	for _, e := range Decode[EdgesResult](&occurrences).Edges {
		if e.Kind == "occurrence" && s.mayBeCalled(name, e) && !slices.ContainsFunc(calls, e.sameLine) {
			calls = append(calls, e)
		}
	}
	return calls
}

// Unknown returns the places that no uses name that are known for certain. Of a compiler, all are known.
func Unknown(places []Edge, uses []ToolResult) []Edge {
	var known []Edge
	for _, r := range uses {
		found := Decode[EdgesResult](&r)
		if !r.OK || found.ByCompiler() {
			return nil
		}
		for _, e := range found.Edges {
			if e.Confidence == 0 || e.Confidence >= likelyUse {
				known = append(known, e)
			}
		}
	}
	return slices.DeleteFunc(places, func(e Edge) bool { return slices.ContainsFunc(known, e.sameLine) })
}

// sameLine reports whether two edges are on one line.
func (e Edge) sameLine(other Edge) bool { return e.File == other.File && e.Line == other.Line }

// mayBeCalled reports whether a place may call a symbol of a name: not its own declaration, nor that of another one,
// and not in another language.
func (s Symbol) mayBeCalled(name string, e Edge) bool {
	from := PlainCanon(e.From)
	if !SameLanguage(e.File, s.Path()) || from[strings.LastIndexByte(from, ':')+1:] == name {
		return false
	}
	name = regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?:^|[^\w$])`+name+`(?:::)?(?:<[\w\s,.?]*>)?!?\(`).MatchString(e.Text) &&
		!regexp.MustCompile(`\b(?:def|fn|fun|func|function|sub)\b[^=({]*\b`+name+`\b`).MatchString(e.Text)
}

// SameLanguage reports whether two files may name each other's symbols.
func SameLanguage(a, b string) bool { return family(a) == family(b) }

// family returns the languages of a file that go together, by their first ending, or the file's own ending.
func family(path string) string {
	ext := filepath.Ext(path)
	for _, endings := range []string{".c .cc .cpp .cxx .h .hh .hpp .hxx", ".java .kt .kts .scala .groovy",
		".ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte", ".py .pyi"} {
		if lexicon.SetOf(endings)[ext] {
			return endings[:3]
		}
	}
	return ext
}

// ListLines lists lines of files, as many as most.
func (f Folders) ListLines(lines []Edge, most int) string {
	var b strings.Builder
	for _, e := range lines[:min(most, len(lines))] {
		fmt.Fprintf(&b, "- %s:%d: %s\n", f.Rel(e.File), e.Line, Code(Clip(strings.TrimSpace(e.Text))))
	}
	if more := len(lines) - most; more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	return b.String()
}
