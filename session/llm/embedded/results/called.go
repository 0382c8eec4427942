package results

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
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

// LikeUses returns the lines among those with a symbol's name that look like uses of it: a call in its language, and a
// string that is its name or ends with that, as in "Http\\get". Its own lines, comments and declarations are none.
func (s Symbol) LikeUses(lines []Edge) []Edge {
	first, last := s.WithDoc()
	name := regexp.QuoteMeta(s.Name)
	call := regexp.MustCompile(`(?:^|[^\w$])` + name + `(?:::)?(?:<[\w\s,.?]*>)?!?\(`)
	quoted := regexp.MustCompile("[\"'`](?:[\\w\\\\.:/]*[\\\\.:/#])?" + name + "(?:\\(\\))?[\"'`]")
	declared := regexp.MustCompile(`\b(?:def|fn|fun|func|function|sub)\b[^=({]*\b` + name + `\b`)
	return slices.DeleteFunc(slices.Clone(lines), func(e Edge) bool {
		own := e.File == s.Path() && first <= e.Line && e.Line <= last
		typed := typesFirst[filepath.Ext(e.File)] && slices.ContainsFunc(
			regexp.MustCompile(`(\w+)[\w<>,\[\]?*&]* [*&]?`+name+`\(`).FindAllStringSubmatch(e.Text, -1),
			func(m []string) bool { return !beforeCalls[m[1]] })
		return own || commented.MatchString(e.Text) || declared.MatchString(e.Text) || typed ||
			!quoted.MatchString(e.Text) && !(SameLanguage(e.File, s.Path()) && call.MatchString(e.Text))
	})
}

var (
	commented   = lazyregexp.New(`^\s*(?://|#[^\[!]|/?\*|--|;|%|<!--)`)
	typesFirst  = lexicon.SetOf(".c .cc .cpp .cxx .h .hh .hpp .hxx .java .cs .dart") // a type is before a declared name
	beforeCalls = lexicon.SetOf("return new await else throw case yield do and or not in assert co_await co_return")
)

// UnconnectedUses lists lines that look like uses of a symbol, "" for none.
func (f Folders) UnconnectedUses(s Symbol, lines []Edge) string {
	found := s.LikeUses(lines)
	if len(found) == 0 {
		return ""
	}
	head := "These lines look like uses of %s, though the index does not connect them with it:\n\n"
	if len(found) == 1 {
		head = "This line looks like a use of %s, though the index does not connect it with it:\n\n"
	}
	return fmt.Sprintf(head, Code(s.Name)) + f.ListLines(found, FurtherPlaces) + "\n"
}

// Prototypes lists the lines of searches for the name of a function of C that declare it elsewhere, "" for none. A
// deletion of its body leaves them.
func (f Folders) Prototypes(s Symbol, searches []ToolResult) string {
	if !ofC.MatchString(s.File) || len(searches) == 0 {
		return ""
	}
	prototype := regexp.MustCompile(`^\s*[A-Za-z_][\w\s*]*[\s*]` + regexp.QuoteMeta(s.Name) + `\s*\([^;{]*\)?[^;{]*;?\s*$`)
	found := Decode[struct{ Matches []Edge }](&searches[0]).Matches
	found = slices.DeleteFunc(found, func(e Edge) bool {
		return e.File == s.Path() && strings.HasSuffix(strings.TrimSpace(e.Text), "{") ||
			!prototype.MatchString(e.Text) || returns.MatchString(e.Text)
	})
	if len(found) == 0 {
		return ""
	}
	return "Its declaration stays, for you to delete:\n\n" + f.ListLines(found, FurtherPlaces) + "\n"
}

var returns = lazyregexp.New(`^\s*(?:return|else|case|goto|throw|delete|new|co_return)\b`)

var ofC = lazyregexp.New(`(?i)\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm)$`)

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
