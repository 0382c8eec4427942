package modules

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var (
	rustBegins = lazyregexp.New(`^(?:\t|    )?pub (?:use|mod|(?:async |const |unsafe |extern (?:"C" )?)*fn|struct` +
		`|enum|union|trait|type|const|` +
		`static|macro|unsafe trait|auto trait)\b|^#\[macro_export|^macro_rules!`)
	rustItem = lazyregexp.New(`^\s*pub (?:async |const |unsafe |auto |extern (?:"C" )?)*(?:mod|fn|struct|enum` +
		`|union|trait|type|const|static|macro) (?:mut )?(?:r#)?(\w+)`)
	rustMacro   = lazyregexp.New(`^macro_rules!\s*(\w+)`)
	lineComment = lazyregexp.New(`(?m)(^|[^:"'])//.*$`)
	blocks      = lazyregexp.New(`(?s)/\*.*?\*/`)
)

func rustExports(text string) (all []Export) {
	exported := false
	for _, s := range statements(withoutComments(text), rustBegins) {
		margin := !strings.HasPrefix(s.text, " ") && !strings.HasPrefix(s.text, "\t")
		switch {
		case strings.HasPrefix(s.text, "#[macro_export"):
			exported = true
			continue
		case exported && strings.HasPrefix(s.text, "macro_rules!"):
			all = append(all, Export{Names: rustMacro.FindStringSubmatch(s.text)[1:], Line: s.line})
		case margin && strings.HasPrefix(s.text, "pub use "):
			tree, _, _ := strings.Cut(strings.TrimPrefix(s.text, "pub use "), ";")
			all = append(all, useTree("", tree, s.line)...)
		case margin:
			if m := rustItem.FindStringSubmatch(s.text); m != nil {
				all = append(all, Export{Names: m[1:], Line: s.line})
			}
		}
		exported = false
	}
	return all
}

// useTree returns the names that a tree of use declarations has, with the path that each one comes from.
func useTree(path, tree string, line int) (all []Export) {
	tree = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(tree), "::"))
	if open := strings.IndexByte(tree, '{'); open >= 0 && !strings.Contains(tree[:open], ",") {
		path = joinPath(path, tree[:open])
		for _, part := range splitTop(strings.TrimSuffix(strings.TrimSpace(tree[open+1:]), "}")) {
			all = append(all, useTree(path, part, line)...)
		}
		return all
	}
	at := strings.LastIndex(tree, "::")
	name := tree
	if at >= 0 {
		path, name = joinPath(path, tree[:at]), tree[at+2:]
	}
	name = strings.TrimSpace(name)
	if _, as, renamed := strings.Cut(name, " as "); renamed {
		name = strings.TrimSpace(as)
	}
	switch {
	case name == "*":
		return []Export{{From: path, All: true, Line: line}}
	case name == "self":
		name = path[strings.LastIndexByte(path, ':')+1:]
	case !word.MatchString(name) || name == "_":
		return nil
	}
	return []Export{{From: path, Names: []string{name}, Line: line}}
}

func joinPath(path, more string) string {
	return strings.Trim(path+"::"+strings.TrimSuffix(strings.TrimSpace(more), "::"), ":")
}

// splitTop splits a list at the commas outside of braces.
func splitTop(list string) (parts []string) {
	open, from := 0, 0
	for i, c := range list {
		switch {
		case c == '{':
			open++
		case c == '}':
			open--
		case c == ',' && open == 0:
			parts, from = append(parts, list[from:i]), i+1
		}
	}
	return append(parts, list[from:])
}

// withoutComments blanks the comments of C's kind, line for line.
func withoutComments(text string) string {
	text = blocks.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	return lineComment.ReplaceAllString(text, "$1")
}
