package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// EdgesResult is what code_item_edges returns.
type EdgesResult struct {
	Edges    []Edge
	Omitted  int
	Unlikely int // count of further places that hardly mean the symbol
	Partial  bool
	By       string // what has found the places, if a compiler was asked: its name, or "name"
	// ByNameSince is why it is "name".
	ByNameSince string `json:"by_name_since"`
}

// ByCompiler reports whether a compiler has found the places.
func (r EdgesResult) ByCompiler() bool { return r.By != "" && r.By != "name" }

// Edge is a place that names a symbol. Offsets are in bytes, 0-based and
// end-exclusive.
type Edge struct {
	Kind, File, From, Text string
	Name                   string // of the symbol that is named there
	Line                   int
	Joined                 bool // Text has the lines of a call, joined by spaces
	Confidence             float64
	Target                 *edgeTarget
	Through                string // the interface whose method is named there
	StartByte              int    `json:"start_byte"`
	EndByte                int    `json:"end_byte"`
	FileHash               string `json:"file_hash"`
}

// edgeTarget is the symbol that is named there, or that implements, and the place of
// its declaration.
type edgeTarget struct {
	Canon, File string
	Line        int
}

// IsCall reports whether the place calls the symbol.
func (e Edge) IsCall() bool { return e.Kind == "call" }

// InTest reports whether the place is in a test.
func (e Edge) InTest() bool {
	return IsTest(e.File) || strings.HasPrefix(e.From, "tests::") // as a module of the file in Rust
}

// Sure reports whether the place does not only share the name.
func (e Edge) Sure() bool { return e.Confidence == 0 || e.Confidence >= Certain }

// SamePlace reports whether two edges are at one place.
func (e Edge) SamePlace(other Edge) bool {
	return e.File == other.File && e.StartByte == other.StartByte
}

// Subject returns the symbol or the file that names another one.
func (e Edge) Subject() string {
	switch {
	case e.Target != nil: // the type that implements
		return e.Target.Canon
	case e.From != "":
		return e.From
	}
	return Base(e.File)
}

// Object returns the symbol that is named.
func (e Edge) Object() string {
	if e.Target != nil {
		return e.Target.Canon
	}
	return e.Name
}

// Location returns the edge, or the declaration that it leads to.
func (e Edge) Location() edgeTarget {
	if e.Target != nil {
		return *e.Target
	}
	return edgeTarget{File: e.File, Line: e.Line}
}

// Quoted returns the line as a snippet, "" if only a part of it is known.
func (e Edge) Quoted() string {
	if e.Text == "" || len(e.Text) >= CutLine {
		return ""
	}
	if e.Joined { // as no line of the file is
		return Code(strings.TrimSpace(e.Text)) + "\n\n"
	}
	return Snippet(e.File, e.Line, e.Text)
}

// EdgeItem is the places of one symbol in a file, which are one item of a list.
type EdgeItem struct {
	File, Text string
	Times      int
}

// CountItems counts places by file, the files with most of them first.
func (f Folders) CountItems(items []*EdgeItem) string {
	var files []Counted
	for _, item := range items {
		i := slices.IndexFunc(files, func(c Counted) bool { return c.File == item.File })
		if i < 0 {
			i, files = len(files), append(files, Counted{File: item.File})
		}
		files[i].Lines += item.Times
	}
	slices.SortStableFunc(files, func(a, b Counted) int { return cmp.Compare(b.Lines, a.Lines) })
	return f.CountsByFile(files, len(files))
}

// LookupResult is what code_item_lookup returns.
type LookupResult struct {
	Items   []Symbol
	Further []Symbol // without their code
	Omitted int
}

// All returns the listed symbols in one form.
func (r LookupResult) All() []Symbol {
	all := slices.Clone(r.Items)
	for _, s := range r.Further {
		s.StartLine = s.Line
		s.ID = fmt.Sprintf("%s#%d:%d", s.File, s.Line, s.Line)
		if s.Name == "" {
			parts := strings.Split(PlainCanon(s.Canon), "::")
			s.Name = parts[len(parts)-1]
		}
		all = append(all, s)
	}
	return all
}

// Lines returns the places of edges as FILE:LINE.
func Lines(edges []Edge) map[string]bool {
	lines := map[string]bool{}
	for _, e := range edges {
		lines[fmt.Sprintf("%s:%d", e.File, e.Line)] = true
	}
	return lines
}

// enclosing lists the symbols or files that edges come from, each once.
func (f Folders) enclosing(edges []Edge) (lines []string) {
	seen := map[string]bool{}
	for _, e := range edges {
		from := e.From
		if from == "" {
			from = Base(e.File)
		}
		if key := e.File + "\x00" + from; !seen[key] {
			seen[key] = true
			lines = append(lines, fmt.Sprintf("- %s — %s:%d\n", Code(lexicon.Shown(from)), f.Rel(e.File), e.Line))
		}
	}
	return lines
}

// UsedBy lists the callers, each enclosing symbol once.
func (f Folders) UsedBy(item Symbol, r ToolResult) string {
	found := Decode[EdgesResult](&r)
	if !r.OK {
		return "Its uses could not be listed: " + r.Error + ".\n\n"
	}
	lines := f.enclosing(found.Edges)
	if len(lines) == 0 {
		return fmt.Sprintf("No uses of %s were found in the workspace.\n\n", Code(item.Name))
	}
	more := max(0, len(lines)-FurtherPlaces)
	out := "It is used, by its name, in:\n\n" + strings.Join(lines[:len(lines)-more], "")
	if more > 0 || found.Omitted > 0 {
		out += fmt.Sprintf("- and %d more\n", more+found.Omitted)
	}
	return out + "\n"
}

// FoundBy says what has found the places.
func FoundBy(edges []ToolResult) string {
	by := ""
	for _, r := range edges {
		switch found := Decode[EdgesResult](&r); {
		case found.ByNameSince != "":
			return "The places were found by name, since " + found.ByNameSince + ".\n"
		case !found.ByCompiler():
			return "The index finds places by their names. It does not compile the code.\n"
		default:
			by = found.By
		}
	}
	return "The places are those of " + by + ".\n"
}
