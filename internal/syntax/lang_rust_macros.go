package syntax

import (
	"bytes"
	"context"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/rust"

	"ploke-lsp/internal/lazyregexp"
)

var (
	// rustMacroCall matches a call of a macro with braces that is the first thing in its line.
	rustMacroCall = lazyregexp.New(`(?m)^[ \t]*(?:\w+::)*\w+![ \t]*\{`)
	// rustLazyStatic matches the word that an item of lazy_static has more than others.
	rustLazyStatic = lazyregexp.New(`(?m)^[ \t]*(?:pub(?:\([^()\n]*\))?[ \t]+)?static[ \t]+(ref)[ \t]+\w+[ \t]*:`)
	// rustCondition matches what is before the braces of a branch of cfg_if.
	rustCondition = lazyregexp.New(`^\s*(?:else\s+)?if\s+#\[[^{}]*\]\s*$|^\s*else\s*$`)
)

// maxRustMacros bounds how deep calls lie in each other, each of which is parsed by itself.
const maxRustMacros = 6

// rustRewrite makes items of what is in the braces of a macro, if all of it is items: the macro gets empty braces, and
// the items follow it. The grammar has only tokens there, and some projects have most of their types in macros.
func rustRewrite(text []byte) []byte {
	if rustMacroCall.FindIndex(text) == nil {
		return text
	}
	rewritten, braces := text, pairRustBraces(text)
	for i := len(braces) - 1; i >= 0; i-- { // so that the calls inside come first
		b := braces[i]
		if b.mark < 0 || b.end < 0 || b.depth > maxRustMacros {
			continue
		}
		if items, ok := rustMacroItems(rewritten, braces[i:]); ok {
			if &rewritten[0] == &text[0] {
				rewritten = bytes.Clone(text)
			}
			copy(rewritten[b.start:], items)
			if b.start > b.mark+1 {
				blankOut(rewritten[b.mark+1 : b.start+1])
				rewritten[b.mark+1], rewritten[b.start] = '{', '}'
			} else { // no place for empty braces
				blankOut(rewritten[bytes.LastIndexByte(text[:b.mark], '\n')+1 : b.mark+1])
			}
		}
	}
	return rewritten
}

// rustMacroItems returns the text of the first of braces, with all but the items in it blanked out. It returns
// false if it holds anything else.
func rustMacroItems(text []byte, braces []rustBraces) ([]byte, bool) {
	call := braces[0]
	bodies := rustBranches(text, braces)
	if bodies == nil {
		bodies = braces[:1]
	}
	items := bytes.Clone(text[call.start : call.end+1])
	at := 0
	for _, b := range bodies {
		blankOut(items[at : b.start-call.start+1])
		at = b.end - call.start
	}
	blankOut(items[at:])
	for _, m := range rustLazyStatic.FindAllSubmatchIndex(items, -1) {
		blankOut(items[m[2]:m[3]])
	}
	return items, rustItems(items)
}

// rustBranches returns the braces of the branches of a call of cfg_if, which is the first of braces, or nil for
// any other call.
func rustBranches(text []byte, braces []rustBraces) (branches []rustBraces) {
	call := braces[0]
	at := call.start + 1
	for _, b := range braces[1:] {
		if b.start > call.end {
			break
		}
		if b.start < at {
			continue // inside of a branch
		}
		if b.end < 0 || !rustCondition.Match(text[at:b.start]) {
			return nil
		}
		branches, at = append(branches, b), b.end+1
	}
	if len(bytes.TrimSpace(text[at:call.end])) > 0 {
		return nil
	}
	return branches
}

// rustItems reports whether text is items, and errors are only in the bodies of functions.
func rustItems(text []byte) bool {
	p := treeParsers.Get().(*treeParser)
	defer treeParsers.Put(p)
	p.parser.SetLanguage(rust.GetLanguage())
	parsed, err := p.parser.ParseCtx(context.Background(), nil, text)
	if err != nil {
		p.parser.Reset()
		return false
	}
	defer parsed.Close()
	items, root := 0, parsed.RootNode()
	for i := range int(root.NamedChildCount()) {
		n := root.NamedChild(i)
		switch kind := n.Type(); {
		case rustBroken(n):
			return false
		case strings.HasSuffix(kind, "attribute_item"), strings.HasSuffix(kind, "comment"), kind == "macro_invocation":
		case kind == "expression_statement" && n.NamedChildCount() == 1 && n.NamedChild(0).Type() == "macro_invocation":
		case strings.HasSuffix(kind, "_item"), strings.HasSuffix(kind, "_declaration") && kind != "let_declaration",
			kind == "macro_definition":
			items++
		default:
			return false
		}
	}
	return items > 0
}

// rustBroken reports whether a node has an error outside of the bodies of functions.
func rustBroken(n *sitter.Node) bool {
	switch {
	case !n.HasError() || n.Type() == "block":
		return false
	case n.IsError() || n.IsMissing():
		return true
	}
	for i := range int(n.ChildCount()) {
		if rustBroken(n.Child(i)) {
			return true
		}
	}
	return false
}
