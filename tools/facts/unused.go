package facts

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

type unusedSymbol struct {
	Canon  string      `json:"canon"`
	Kind   syntax.Kind `json:"kind"`
	File   string      `json:"file"`
	Line   int         `json:"line"`
	Public bool        `json:"public,omitempty"` // other projects can use it, as far as its declaration says
}

// usable are the kinds of symbols that code names when it uses them.
var usable = []syntax.Kind{syntax.KindFunction, syntax.KindMethod, syntax.KindType, syntax.KindStruct, syntax.KindClass,
	syntax.KindInterface, syntax.KindTrait, syntax.KindEnum, syntax.KindConstant, syntax.KindMacro}

// Unused adds the symbols below a path whose names stand nowhere in the workspace but in their own declarations, those
// first that other projects can't use. Tests, examples and generated files declare none.
func (g Gatherer) Unused(ctx context.Context, r *Result, path string) error {
	names, headers := map[string]int{}, headers{names: map[string]int{}}
	var declaring []string
	err := g.eachText(ctx, "", func(f *workspace.File) {
		eachWord(f.Text, func(word []byte) { names[string(word)]++ })
		headers.add(f)
		if g.declares(f) && (path == "" || f.Path == path || strings.HasPrefix(f.Path, path+"/")) {
			declaring = append(declaring, f.Path)
		}
	})
	if err != nil {
		return err
	}
	r.Partial, r.Counted = g.Files.Index.Incomplete(), len(declaring)
	for _, file := range declaring {
		units, err := g.Files.Index.Outline(ctx, file)
		if err != nil {
			return err
		}
		f, err := g.Files.Workspace.Read(ctx, file)
		if err != nil {
			continue // it has gone meanwhile
		}
		here := map[string]int{}
		eachWord(f.Text, func(word []byte) { here[string(word)]++ })
		named := map[string]bool{}
		for _, u := range units {
			name := wordOf(u.Name)
			count := names[name]
			if !mayBeUnused(u) || named[u.Name] {
				continue
			}
			itself := func() int { return mentionsOfItself(f.Text, u, units) }
			unused, err := g.isUnused(ctx, &headers, u, count, here[name], itself)
			if err != nil {
				return err
			}
			if unused {
				named[u.Name] = true
				r.Unused = append(r.Unused, unusedSymbol{u.Canon, u.Kind, u.Path, u.StartLine, isPublic(u)})
			}
		}
	}
	slices.SortStableFunc(r.Unused, func(a, b unusedSymbol) int {
		switch {
		case a.Public == b.Public:
			return 0
		case b.Public:
			return -1
		}
		return 1
	})
	return nil
}

// isUnused reports whether a symbol, whose name stands count times in the workspace and here times in its file, is only
// declared. itself returns how often it is mentioned by itself.
func (g Gatherer) isUnused(ctx context.Context, h *headers, u index.Unit, count, here int,
	itself func() int) (bool, error) {
	if count == 1+ownMentions(u) {
		return true, nil
	}
	if u.Kind != syntax.KindFunction || count > here+h.names[u.Name] {
		return false, nil
	}
	own := itself()
	if count == own {
		return true, nil
	}
	return g.onlyDeclared(ctx, h, u, count, here, own)
}

// mentionsOfItself returns how often a function's name stands in the function, in another declaration of it in the same
// file, in their doc comments, and in the list of what a module of Python exports.
func mentionsOfItself(file []byte, u index.Unit, units []index.Unit) (n int) {
	lines := bytes.Split(file, []byte("\n"))
	mentioned := func(text []byte) {
		eachWord(text, func(word []byte) {
			if string(word) == wordOf(u.Name) {
				n++
			}
		})
	}
	for _, other := range units {
		if other.Name == u.Name && plain(other.Canon) == plain(u.Canon) && other.EndLine <= len(lines) {
			within := bytes.Join(lines[other.StartLine-1:other.EndLine], []byte("\n"))
			mentioned(within)
			if !bytes.Contains(within, []byte(strings.TrimSpace(firstLine(other.Doc)))) {
				mentioned([]byte(other.Doc))
			}
		}
	}
	if bytes.Contains(file, []byte("__all__")) {
		for _, list := range exportList.FindAllString(string(file), -1) {
			mentioned([]byte(list))
		}
	}
	return n
}

// exportList matches the names that a module of Python exports.
var exportList = lazyregexp.New(`(?m)^__all__\s*\+?=\s*[(\[][^)\]]*`)

// plain returns an address without the number by which namesakes of a file are told apart.
func plain(canon string) string {
	address, _, _ := strings.Cut(canon, "#")
	return address
}

type usedSymbol struct {
	ID   string `json:"id"`
	Uses int    `json:"uses"` // places that most likely mean it
}

// countedNamesakes is the number of symbols of one name whose uses are counted.
const countedNamesakes = 30

// Uses counts the uses of each symbol that has the only name in words: the references of at least a confidence.
func (g Gatherer) Uses(ctx context.Context, r *Result, words []string, sure float64) error {
	if len(words) != 1 {
		return wording.BadValue("words", "there is not exactly one name", "send one")
	}
	items, _, err := g.Files.Lookup(ctx, words[0], "", "")
	if err != nil {
		return err
	}
	overlay, err := g.Files.Overlay(ctx)
	if err != nil {
		return err
	}
	for _, it := range items[:min(countedNamesakes, len(items))] {
		edges, err := overlay.Incoming(ctx, it.Unit())
		if err != nil {
			return err
		}
		likely := slices.DeleteFunc(edges, func(e index.Edge) bool { return e.Confidence < sure })
		r.Uses = append(r.Uses, usedSymbol{it.ID(), len(likely)})
	}
	slices.SortStableFunc(r.Uses, func(a, b usedSymbol) int { return cmp.Compare(b.Uses, a.Uses) })
	return nil
}

// mayBeUnused leaves out what runs without being named: entry points, and what a language calls.
func mayBeUnused(u index.Unit) bool {
	switch {
	case !slices.Contains(usable, u.Kind), u.Name == "_", strings.HasPrefix(u.Name, "__"),
		slices.Contains(calledByLanguages, u.Name):
		return false
	}
	return !strings.HasPrefix(u.Name, "Test") && !strings.HasPrefix(u.Name, "Benchmark") &&
		!runByOthers.MatchString(u.Signature)
}

// calledByLanguages are the names of functions that a language or its library calls.
var calledByLanguages = strings.Fields("main init " +
	"initialize initialize_dup initialize_copy initialize_clone method_missing respond_to_missing? const_missing " +
	"inherited included extended prepended method_added singleton_method_added to_s to_str to_a to_ary to_h to_hash " +
	"to_proc inspect hash eql? coerce marshal_dump marshal_load " + // Ruby
	"toString hashCode equals compareTo clone finalize readObject writeObject readResolve writeReplace toJSON valueOf " +
	"ToString GetHashCode Equals Dispose drop fmt deinit String Error MarshalJSON UnmarshalJSON MarshalText UnmarshalText")

// wordOf returns the word of a name by which text is searched: without the mark that a name of Ruby may end in.
func wordOf(name string) string { return strings.TrimRight(name, "?!=") }

// runByOthers matches attributes, annotations and decorators by which a framework, a test runner or a linker finds what
// it runs.
var runByOthers = lazyregexp.New(`(?i)#\[[^\]]*(?:test|bench|no_mangle|export)|@\w*(?:Test|Bench|Before|After|Bean` +
	`|Provides|Mapping|Override)|@[\w.]+\.(?:route|get|post|put|delete|command|` +
	`fixture|task|setter|register\w*|\w*_request|\w*handler)`)

// ownMentions returns how often a symbol's own doc comment names it.
func ownMentions(u index.Unit) (n int) {
	eachWord([]byte(u.Doc), func(word []byte) {
		if string(word) == wordOf(u.Name) {
			n++
		}
	})
	return n
}

// isPublic reports whether a declaration says that other projects may use it.
func isPublic(u index.Unit) bool {
	first, _ := utf8.DecodeRuneInString(u.Name)
	switch u.Language {
	case "go":
		return unicode.IsUpper(first)
	case "python":
		return first != '_'
	}
	return publicWord.MatchString(u.Signature)
}

// publicWord matches the signatures of what other projects can use, in Rust, TypeScript, Java and their like.
var publicWord = lazyregexp.New(`\bpub (?:async |const |unsafe |extern |fn|struct|enum|trait|type|static|mod)` +
	`|^export |\bpublic `)

// eachWord calls fn with each identifier of a text.
func eachWord(text []byte, fn func([]byte)) {
	for _, word := range bytes.FieldsFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && !unicode.IsLetter(c) &&
			!unicode.IsDigit(c)
	}) {
		fn(word)
	}
}
