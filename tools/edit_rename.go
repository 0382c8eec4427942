package tools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/index/graph"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// renameConfidence is from which a reference is renamed.
const renameConfidence = 0.5

// placeRename finds the places of a symbol's name: its declarations, its own doc comment, and the
// references that most likely mean it. Other places with this name are left, and listed.
//
// What the call renames alike, such as a method with those that implement it, has its references in common: they are
// renamed if they most likely mean any of these, with the first of them.
func placeRename(ctx context.Context, srcs *current.Files, src *current.File, e placing.Request,
	also renames) (where placing.Placement, err error) {
	at, err := placing.FindSymbol(src.SourceFile, e)
	if err != nil {
		return where, err
	}
	if srcs.Index.Incomplete() {
		return where, &wording.Failure{Message: "the index is still being built, so uses could be missed", Code: "not_ready",
			Field: "new_name",
			Hint:  "repeat the call in a moment"}
	}
	r := symbolRename{srcs: srcs, language: src.Language,
		sym: src.Syntax().Symbols[at], signature: signatureOf(src, at), to: e.NewName, certain: make(map[location]float64),
		renamed: make(map[location]*current.File), left: make(map[location]*current.File)}
	if canon := strings.Split(syntax.Plain(r.sym.Canon), "::"); len(canon) > 1 {
		r.owner = canon[len(canon)-2]
	}
	if err := checkRename(ctx, srcs, src, r.sym, e); err != nil {
		return where, err
	}
	overlay, err := srcs.Overlay(ctx)
	if err != nil {
		return where, err
	}
	declared, err := declarationsOf(ctx, srcs, src, r.sym)
	if err != nil {
		return where, err
	}
	for _, it := range declared {
		r.declaration(it)
	}
	earlier, err := r.declaredBy(ctx, also.before)
	if err != nil || len(earlier) > 0 {
		return r.placement(src, len(declared)), err
	}
	later, err := r.declaredBy(ctx, also.after)
	if err != nil {
		return where, err
	}
	together := slices.Concat(declared, later)
	if r.namesakes, err = r.namesakesOf(ctx, together); err != nil {
		return where, err
	}
	for _, it := range together {
		edges, err := overlay.Incoming(ctx, it.Unit())
		if err != nil {
			return where, err
		}
		for _, edge := range edges {
			if err := r.reference(ctx, edge.Reference, r.certainty(ctx, edge)); err != nil {
				return where, err
			}
		}
	}
	others, err := overlay.Occurrences(ctx, r.sym.Name)
	if err != nil {
		return where, err
	}
	for _, other := range others {
		if err := r.reference(ctx, other, r.occurrence(ctx, other)); err != nil {
			return where, err
		}
	}
	err = r.compile(ctx, also.compiler, src, declared)
	return r.placement(src, len(declared)), err
}

// certainty returns how certain a reference means a declaration. A name that the standard library has, too, tells
// nothing if the types are not known, and in Rust, the form of a place may rule the declaration out.
func (r *symbolRename) certainty(ctx context.Context, e index.Edge) float64 {
	if r.language == "rust" && e.Confidence <= graph.NameInScope {
		switch fits, sole := r.suits(ctx, e.Reference); {
		case !fits:
			return min(e.Confidence, renameConfidence-.1)
		case sole:
			return max(e.Confidence, renameConfidence)
		}
	}
	if r.owner != "" && e.Confidence <= graph.NameInScope && placing.ForeignNames[r.language][r.sym.Name] {
		return min(e.Confidence, renameConfidence-.1)
	}
	return e.Confidence
}

// namesakesOf returns what else in the workspace has a name of Rust.
func (r *symbolRename) namesakesOf(ctx context.Context, declared []*current.Symbol) ([]index.Unit, error) {
	if r.language != "rust" {
		return nil, nil
	}
	units, _, err := r.srcs.Index.Lookup(ctx, index.LookupQuery{Name: r.sym.Name})
	return slices.DeleteFunc(units, func(u index.Unit) bool {
		return u.Language != r.language || u.Name != r.sym.Name || slices.ContainsFunc(declared,
			func(it *current.Symbol) bool { return it.File.Path == u.Path && it.Canon == u.Canon })
	}), err
}

// suits reports whether a place with a name of Rust may mean the symbol by its form: a field, a call with a dot, or a
// path. It is the sole one if nothing else in the workspace suits the place, and the standard library has not the
// name, either. Methods of Rust are called on values of types that the text rarely shows, types are exported by other
// crates once more, and both are named in macros: then the name tells as much as a path.
func (r *symbolRename) suits(ctx context.Context, ref index.Reference) (fits, sole bool) {
	src, err := r.srcs.At(ctx, ref.Path)
	if err != nil || src.Hash != ref.FileHash {
		return true, false
	}
	before := bytes.TrimRight(src.Text[:ref.StartByte], " \t\r\n")
	after := bytes.TrimLeft(src.Text[ref.EndByte:], " \t\r\n")
	called := bytes.HasPrefix(after, []byte("(")) || bytes.HasPrefix(after, []byte("::<"))
	mayMean := func(kind syntax.Kind, signature string) bool {
		switch {
		case bytes.HasSuffix(before, []byte("..")): // of a range
			return true
		case bytes.HasSuffix(before, []byte(".")) && called:
			return kind != syntax.KindField && rustReceiver.MatchString(signature)
		case bytes.HasSuffix(before, []byte(".")):
			return kind == syntax.KindField
		case bytes.HasSuffix(before, []byte("::")):
			return kind != syntax.KindField
		}
		return true
	}
	fits = mayMean(r.sym.Kind, r.signature)
	return fits, fits && !placing.ForeignNames["rust"][r.sym.Name] && !slices.ContainsFunc(r.namesakes,
		func(u index.Unit) bool { return mayMean(u.Kind, u.Signature) })
}

// rustReceiver matches the signature of a method of Rust that is called on a value.
var rustReceiver = lazyregexp.New(`\(\s*(?:&\s*)?(?:'\w+\s+)?(?:mut\s+)?self\b`)

// occurrence returns how certain a place, which may be no reference, means the symbol.
func (r *symbolRename) occurrence(ctx context.Context, ref index.Reference) float64 {
	src, err := r.srcs.At(ctx, ref.Path)
	if err != nil || src.Language != "rust" || src.Hash != ref.FileHash {
		return 0
	}
	before := strings.TrimRight(string(src.Text[:ref.StartByte]), " \t\r\n")
	path, inPath := strings.CutSuffix(before, "::")
	isType := r.owner == "" && unicode.IsUpper([]rune(r.sym.Name)[0])
	_, sole := r.suits(ctx, ref)
	if sole && (inPath || isType || r.owner != "" && strings.HasSuffix(before, ".")) ||
		inPath && r.owner != "" && placing.EndsWithName(path, r.owner) {
		return renameConfidence
	}
	return 0
}

func signatureOf(src *current.File, at int) string {
	sym := src.Syntax().Symbols[at]
	return string(src.Text[sym.Start:sym.BodyStart])
}

// declarationsOf returns the symbols that are renamed together: the symbol, its overloads, and its
// declarations in other files of C and C++.
func declarationsOf(ctx context.Context, srcs *current.Files, src *current.File,
	sym syntax.Symbol) ([]*current.Symbol, error) {
	base := syntax.Plain(sym.Canon)
	found := src.Symbols(src.Where(func(other syntax.Symbol) bool {
		return syntax.Plain(other.Canon) == base && other.Name == sym.Name || isConstructorOf(other, src, sym)
	}))
	if src.Language != "c" && src.Language != "cpp" {
		return found, nil
	}
	units, _, err := srcs.Index.Lookup(ctx, index.LookupQuery{Name: base})
	if err != nil {
		return nil, err
	}
	units = slices.DeleteFunc(units, func(u index.Unit) bool {
		return syntax.Plain(u.Canon) != base || u.Path == src.Path || u.Language != "c" && u.Language != "cpp"
	})
	elsewhere, err := srcs.ResolveAll(ctx, units)
	return append(found, elsewhere...), err
}

// isConstructorOf reports whether a symbol is a constructor that has its type's name.
func isConstructorOf(other syntax.Symbol, src *current.File, sym syntax.Symbol) bool {
	return other.Kind == syntax.KindConstructor && other.Name == sym.Name && other.Parent >= 0 &&
		src.CanonOf(other.Parent) == sym.Canon
}

// symbolRename collects the places of a symbol's name.
type symbolRename struct {
	srcs          *current.Files
	sym           syntax.Symbol
	language      string
	owner         string // name of the type of a member, "" for none
	signature     string
	namesakes     []index.Unit // see suits
	to            string
	certain       map[location]float64 // how certain a place means one of the declarations
	renamed, left map[location]*current.File
	outdated      int                     // places in files that have just changed
	compiled      map[location]edits.Edit // what a compiler replaces at the renamed places, where that differs
	compiler      string                  // which has found the places; "" if they were found by name
	byNameSince   string                  // why, if a compiler was asked
}

// declaration renames an item where it is declared, and in its doc comment.
func (r *symbolRename) declaration(it *current.Symbol) {
	for _, sym := range it.File.Syntax().Symbols {
		if sym.Start == it.StartByte && sym.Canon == it.Canon && sym.Kind == it.Kind {
			r.renamed[location{it.File.Path, sym.NameStart}] = it.File
		}
	}
	for _, e := range namedInDoc(it) {
		r.renamed[location{e.File, e.StartByte}] = it.File
	}
}

// reference adds a place that may mean the symbol. Under another name, such as that of an import, it
// stays as it is. confidence is that for one of the declarations, which are renamed together.
func (r *symbolRename) reference(ctx context.Context, ref index.Reference, confidence float64) error {
	src, err := r.srcs.At(ctx, ref.Path)
	switch {
	case err != nil && !current.Unavailable(err):
		return err
	case err != nil || src.Hash != ref.FileHash:
		r.outdated++
		return nil
	case string(src.Text[ref.StartByte:ref.EndByte]) != r.sym.Name:
		return nil
	}
	at := location{ref.Path, ref.StartByte}
	r.certain[at] += confidence
	switch {
	case r.renamed[at] != nil:
	case r.certain[at] >= renameConfidence:
		delete(r.left, at)
		r.renamed[at] = src
	case !declares(src, at.at):
		r.left[at] = src
	}
	return nil
}

// declares reports whether a symbol of a file has its name at an offset.
func declares(src *current.File, at int) bool {
	return slices.ContainsFunc(src.Syntax().Symbols, func(s syntax.Symbol) bool { return s.NameStart == at })
}

// placement returns the edits, by file. src declares the symbol.
func (r *symbolRename) placement(src *current.File, declarations int) (where placing.Placement) {
	where.Renames = src.SourceFile
	for at, src := range inOrder(r.renamed) {
		last := len(where.Files) - 1
		if last < 0 || where.Files[last].Src != src.SourceFile {
			where.Files = append(where.Files, placing.FileEdits{Src: src.SourceFile})
			last++
		}
		edit, ok := r.compiled[location{src.Path, at}]
		if !ok {
			edit = edits.Edit{Start: at, End: at + len(r.sym.Name), New: r.to}
		}
		where.Files[last].Edits = append(where.Files[last].Edits, placing.Placed{Edit: edit})
	}
	for at, src := range inOrder(r.left) {
		if len(where.Left) == leftPlaces {
			where.LeftOmitted = len(r.left) - leftPlaces
			break
		}
		where.Left = append(where.Left, placing.CodeLine{File: src.Path, Line: src.LineOf(at),
			In: src.CanonOf(src.Enclosing(at)), Text: src.LineText(at)})
	}
	where.Note = fmt.Sprintf("renamed %s in %s of %s", r.sym.Canon, wording.Plural(len(r.renamed), "place"),
		wording.Plural(len(where.Files), "file"))
	switch where.By = r.compiler; {
	case r.compiler != "":
		where.Note += ", by " + r.compiler
	case r.byNameSince != "":
		where.Note += ", found by name: " + r.byNameSince
	}
	if declarations > 1 {
		where.Note += fmt.Sprintf(", with %s", wording.Plural(declarations, "declaration"))
	}
	if len(r.left) > 0 {
		where.Note += "; " + leftByRename(r.sym.Name, len(r.left))
	}
	if r.outdated > 0 {
		where.Note += fmt.Sprintf("; %s in files that have just changed were not looked at",
			wording.Plural(r.outdated, "place"))
	}
	return where
}

// inOrder yields the offsets and sources of places, by path and offset.
func inOrder(places map[location]*current.File) func(yield func(int, *current.File) bool) {
	keys := make([]location, 0, len(places))
	for at := range places {
		keys = append(keys, at)
	}
	slices.SortFunc(keys, func(a, b location) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.at, b.at)) })
	return func(yield func(int, *current.File) bool) {
		for _, at := range keys {
			if !yield(at.at, places[at]) {
				return
			}
		}
	}
}
