package results

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// Docs returns the beginning of a symbol's doc comment as a quotation.
func (s Symbol) Docs() string {
	if strings.TrimSpace(s.Doc) == "" {
		return "It has no documentation.\n\n"
	}
	lines := strings.Split(strings.TrimSpace(s.Doc), "\n")
	text := ""
	for _, line := range lines[:min(comparedLines, len(lines))] {
		text += strings.TrimRight("> "+line, " ") + "\n"
	}
	if len(lines) > comparedLines {
		text += "> …\n"
	}
	return text + "\n"
}

// TextOf returns all that results say, in lower case.
func TextOf(results []Symbol) string {
	var b strings.Builder
	for _, s := range results {
		for _, part := range append([]string{s.ID, s.Canon, s.Signature, s.Doc, s.Snippet, s.Relation}, s.Siblings...) {
			b.WriteString(strings.ToLower(part) + "\n")
		}
	}
	return b.String()
}

// Shown returns what a result shows of a symbol: its name, its doc comment and its code.
func (s Symbol) Shown() string { return s.Canon + "\n" + s.Doc + "\n" + s.Snippet }

// UsedAs returns the direction of the edges that say who uses the symbol: callers, or
// references of what can't be called.
func (s Symbol) UsedAs() string {
	if slices.Contains(Callables, s.Kind) {
		return "callers"
	}
	return "references"
}

// WithDoc returns the first and the last line of a symbol, 1-based, with the doc comment above it.
func (s Symbol) WithDoc() (first, last int) {
	head := SnippetHead.FindStringSubmatch(s.Snippet)
	first = s.FirstLine()
	if head != nil {
		first = min(first, number(head[2]))
	}
	_, end, _ := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":")
	return first, max(first, number(end))
}

// IsEntry reports whether a symbol is an entry of a file of settings that only names what is declared elsewhere.
func (s Symbol) IsEntry() bool {
	owner, _, inside := strings.Cut(s.Canon, "::")
	return inside && listing.MatchString(owner) && data.MatchString(s.Path())
}

var listing = lazyregexp.New(`(?i)dependencies$|^jobs$|^on$|^steps$|^scripts$|^require(?:-dev)?$`)

var data = lazyregexp.New(`\.(?:toml|ya?ml|json)$`)

// AddsTo reports whether s is an impl block of a type that is among the namesakes.
func (s Symbol) AddsTo(other Symbol) bool {
	return s.Kind == "impl" && other.Kind != "impl" && slices.Contains(slices.Concat(Classes, Abstract), other.Kind)
}

// Overloads reports whether both symbols are declarations of one: overloads, or in C and C++ a prototype and its
// function.
func (s Symbol) Overloads(other Symbol) bool {
	if PlainCanon(s.Canon) != PlainCanon(other.Canon) || s.Kind != other.Kind {
		return false
	}
	return s.Path() == other.Path() || s.isHeader() != other.isHeader() && inC[filepath.Ext(s.Path())] &&
		inC[filepath.Ext(other.Path())]
}

// inC are the endings of files in C and C++, true for all.
var inC = lexicon.SetOf(".c .cc .cpp .cxx .h .hh .hpp .hxx")

func (s Symbol) isHeader() bool { return strings.HasPrefix(filepath.Ext(s.Path()), ".h") }

// PlainCanon returns an address without the number that tells overloads apart.
func PlainCanon(canon string) string {
	plain, _, _ := strings.Cut(canon, "#")
	return plain
}

// Public leaves out of namesakes what a plain name hardly means while others remain: titles of tests, what tests
// declare, and the variables of functions.
func Public(items []Symbol) []Symbol {
	for _, hidden := range []func(Symbol) bool{
		func(s Symbol) bool { return s.Kind == "test" },
		func(s Symbol) bool { return IsTest(s.Path()) },
		func(s Symbol) bool { return s.Kind == "variable" && strings.Contains(s.Canon, "::") },
	} {
		if left := slices.DeleteFunc(slices.Clone(items), hidden); len(left) > 0 {
			items = left
		}
	}
	return items
}

// OverloadsIn returns the symbols that have the same address in the same file, but for their numbers.
func (s Symbol) OverloadsIn(items []Symbol) (same []Symbol) {
	for _, other := range items {
		if PlainCanon(other.Canon) == PlainCanon(s.Canon) && other.Path() == s.Path() {
			same = append(same, other)
		}
	}
	return same
}

// PrototypesIn returns what declares a function of C or C++ in another file: its prototype, or the function of one.
func (s Symbol) PrototypesIn(items []Symbol) (others []Symbol) {
	for _, other := range items {
		if s.Overloads(other) && s.Path() != other.Path() {
			others = append(others, other)
		}
	}
	return others
}

// Named returns the name by which an instruction means a symbol and not its namesakes: its address, or with its file.
func (s Symbol) Named(namesakes []Symbol) string {
	for _, other := range namesakes {
		if other.ID != s.ID && strings.HasSuffix("::"+PlainCanon(other.Canon), "::"+PlainCanon(s.Canon)) {
			return Dotted(s.Canon) + " in " + Base(s.Path())
		}
	}
	return Dotted(s.Canon)
}

// Clashing returns the symbols that have a name which s is to have: of members those of the same type, of others those
// that are no members. Packages of Go have names of their own.
func (s Symbol) Clashing(named LookupResult) []Symbol {
	return slices.DeleteFunc(Public(named.All()), func(other Symbol) bool {
		return other.Owner() != s.Owner() ||
			s.Owner() == "" && IsGoFile(s.Path()) && filepath.Dir(other.Path()) != filepath.Dir(s.Path())
	})
}

// Namesakes returns the methods of other types that a method may implement.
func (s Symbol) Namesakes(named LookupResult) []Symbol {
	others := slices.DeleteFunc(named.All(), func(other Symbol) bool {
		return other.Kind != "method" || other.Owner() == s.Owner() || filepath.Ext(other.Path()) != filepath.Ext(s.Path())
	})
	return others[:min(Subjects, len(others))]
}

// Owner returns the address of what a symbol is declared in, "" for a file.
func (s Symbol) Owner() string {
	canon := PlainCanon(s.Canon)
	return canon[:max(0, strings.LastIndex(canon, "::"))]
}

// Declares reports whether a symbol only declares another one, in a file that has no code: what has the same address,
// such as a method in a .d.ts next to that of a class in JavaScript.
func (s Symbol) Declares(other Symbol) bool {
	return conventions.Declaring.MatchString(s.Path()) && !conventions.Declaring.MatchString(other.Path()) &&
		PlainCanon(s.Canon) == PlainCanon(other.Canon) && s.Name == other.Name
}

// Implements returns a method that s implements, with those that check asked for, nil for none.
func (s Symbol) Implements(named LookupResult, edges []ToolResult) *Symbol {
	for i, other := range s.Namesakes(named) {
		if at := i + 2; at < len(edges) && slices.ContainsFunc(Decode[EdgesResult](&edges[at]).Edges, func(e Edge) bool {
			return e.Sure() && e.Target != nil && e.Target.Canon == s.Canon && e.Target.File == s.Path()
		}) {
			return &other
		}
	}
	return nil
}

// Within reports whether the symbol's package or file has that name.
func (s Symbol) Within(name string) bool {
	file := filepath.Base(s.File)
	return filepath.Base(filepath.Dir(s.File)) == name || strings.TrimSuffix(file, filepath.Ext(file)) == name
}

// isPrivate reports whether a declaration says that other files can't use it.
func (s Symbol) isPrivate() bool {
	switch filepath.Ext(s.Path()) {
	case ".rs":
		return s.Signature != "" && !visible.MatchString(s.Signature)
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue":
		return s.Signature != "" && !strings.HasPrefix(s.Signature, "export")
	case ".py":
		return strings.HasPrefix(s.Name, "_")
	case ".c", ".h", ".cc", ".cpp":
		return strings.HasPrefix(s.Signature, "static ")
	}
	return strings.Contains(s.Signature, "private ")
}

// visible matches the signature of what is public in Rust.
var visible = lazyregexp.New(`\bpub [a-z]|^(?:macro_rules!|impl)`)

// Path returns the symbol's file: cards have no other word for it than their id.
func (s Symbol) Path() string {
	return s.ID[:max(0, strings.LastIndexByte(s.ID, '#'))]
}

// InFile reports whether the symbol's path ends in a path.
func (s Symbol) InFile(path string) bool {
	path = strings.TrimPrefix(filepath.ToSlash(path), "./")
	return strings.HasSuffix("/"+filepath.ToSlash(s.Path()), "/"+strings.TrimPrefix(path, "/"))
}

// Encloses reports whether the symbol has the line.
func (s Symbol) Encloses(line int) bool {
	_, end, _ := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":")
	last, _ := strconv.Atoi(end)
	return s.FirstLine() <= line && line <= last
}

// FirstLine returns the 1-based line at which a symbol begins.
func (s Symbol) FirstLine() int {
	start, _, _ := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":")
	first, _ := strconv.Atoi(start)
	return first
}

var testPath = lazyregexp.New(`(?i)(?:^|/)(?:tests?|__tests__|specs?|testdata)/|_test\.\w+$|(?:^|/)test_[^/]*$` +
	`|(?:^|/)[\w.]*(?:\.Tests?|[a-z]Tests)(?:\.\w+)*/|[._-](?:test|spec)s?\.\w+$|(?:Tests?|Spec)\.\w+$`)

// IsTest reports whether a path is of a test, by the conventions of all languages.
func IsTest(path string) bool { return testPath.MatchString(filepath.ToSlash(path)) }

// Symbol is a symbol in a tool's result.
type Symbol struct {
	ID                         string // path#START:END
	Canon, Name, Kind          string
	File, Signature, Doc, Hash string
	StartLine                  int    `json:"start_line"`
	EndLine                    int    `json:"end_line"` // in an outline
	Line                       int    // instead, of a symbol without its code
	Relation                   string // to a search result, if it is not one itself
	Snippet                    string
	Cut                        string   // the part that the snippet lacks
	Siblings                   []string // further symbols of the file: START:END canon signature (relation)
}

// ShownIn returns the symbol with its code as the last of some lookups that found it has shown it.
func (s Symbol) ShownIn(lookups []ToolResult) Symbol {
	for _, r := range lookups {
		for _, shown := range Decode[LookupResult](&r).Items {
			if shown.ID == s.ID {
				s.Snippet, s.Cut = shown.Snippet, shown.Cut
			}
		}
	}
	return s
}

// Described returns the symbol's signature and the first sentence of its doc comment.
func (s Symbol) Described() string {
	out := s.ShownSignature()
	if doc := conventions.FirstSentence(s.Doc); doc != "" {
		out += doc + "\n\n"
	}
	return out
}

// saysOf returns what a symbol's doc comment says of a message behind its first sentence, "" for nothing.
func (s Symbol) saysOf(message string) string {
	said := conventions.SentenceAbout(s.Doc, lexicon.Asked(lexicon.Plain(message)), lexicon.Stem)
	if said == "" {
		return ""
	}
	return Clip(said) + "\n\n"
}

// ShownSignature returns the symbol's signature without attributes: a code span, or a block if it has a bar, which
// would end a code span in a table.
func (s Symbol) ShownSignature() string {
	text := strings.Join(strings.Fields(attributes.ReplaceAllString(s.Signature, "")), " ")
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "|"):
		return "```\n" + text + "\n```\n\n"
	}
	return Code(text) + "\n\n"
}

// Quoted returns the snippet on lines of its own, and a note if it is cut off.
func (s Symbol) Quoted() string {
	if s.Snippet == "" {
		return ""
	}
	out := s.Snippet + "\n\n"
	if s.Cut != "" {
		out += "The rest is not shown.\n\n"
	}
	return out
}

const comparedLines = 12 // maximum number of lines of each doc comment
