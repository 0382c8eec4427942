package scipexport

import (
	"cmp"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/syntax"
)

// symbolOf returns the name of a symbol in the file: the folders and the file, and the names that enclose it. more
// tells it apart from another one that would have this name.
func symbolOf(u index.Unit, more string) string {
	var b strings.Builder
	b.WriteString("ploke . . . ")
	for part := range strings.SplitSeq(u.Rel, "/") {
		b.WriteString(scip.Name(part) + "/")
	}
	parts := strings.Split(u.Canon, "::")
	for _, part := range parts[:len(parts)-1] {
		b.WriteString(scip.Name(cmp.Or(part, nameless)) + "#")
	}
	last := parts[len(parts)-1]
	name, number, numbered := strings.Cut(last, "#")
	called := u.Kind == syntax.KindFunction || u.Kind == syntax.KindMethod || u.Kind == syntax.KindConstructor
	if !called || !numbered || name == "" {
		name, number = last, ""
	}
	if more != "" {
		name += " (" + more + ")"
	}
	b.WriteString(scip.Name(cmp.Or(name, nameless)))
	switch u.Kind {
	case syntax.KindFunction, syntax.KindMethod, syntax.KindConstructor:
		if number != "" {
			number = "+" + number
		}
		b.WriteString("(" + number + ").")
	case syntax.KindModule, syntax.KindNamespace:
		b.WriteString("/")
	case syntax.KindClass, syntax.KindEnum, syntax.KindInterface, syntax.KindStruct, syntax.KindTrait, syntax.KindType:
		b.WriteString("#")
	case syntax.KindMacro:
		b.WriteString("!")
	case syntax.KindConstant, syntax.KindField, syntax.KindProperty, syntax.KindVariable:
		b.WriteString(".")
	default:
		b.WriteString(":")
	}
	return b.String()
}

// nameless stands for the name of what has none, such as a rule of a style sheet: the format wants one.
const nameless = "(nameless)"

// kinds are the numbers that SCIP has for kinds.
var kinds = map[syntax.Kind]scip.SymbolKind{
	syntax.KindModule: 29, syntax.KindNamespace: 30, syntax.KindType: 54, syntax.KindStruct: 49, syntax.KindClass: 7,
	syntax.KindInterface: 21, syntax.KindTrait: 53, syntax.KindEnum: 11, syntax.KindFunction: 17, syntax.KindMethod: 26,
	syntax.KindConstructor: 9, syntax.KindField: 15, syntax.KindProperty: 41, syntax.KindConstant: 8,
	syntax.KindVariable: 61, syntax.KindMacro: 25,
}

// kindOf returns the number of a kind, 0 if there is none.
func kindOf(kind syntax.Kind) scip.SymbolKind { return kinds[kind] }

// languages are the names that SCIP has for languages, where they are not ours with a capital.
var languages = map[string]string{"cpp": "CPP", "csharp": "CSharp", "css": "CSS", "html": "HTML", "javascript": "JavaScript",
	"json": "JSON", "php": "PHP", "sql": "SQL", "tsx": "TypeScriptReact", "typescript": "TypeScript", "xml": "XML",
	"yaml": "YAML", "toml": "TOML", "bash": "ShellScript", "ocaml": "OCaml"}

// languageName returns the name that SCIP has for a language.
func languageName(language string) string {
	if name, ok := languages[language]; ok || language == "" {
		return name
	}
	return strings.ToUpper(language[:1]) + language[1:]
}
