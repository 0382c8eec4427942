package modules

import (
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Export are names that a module exports and that have one origin.
type Export struct {
	From  string // module that they come from; "" if they are declared in the text
	Names []string
	All   bool // everything of that module, whatever it is called
	Line  int  // 1-based, of the first one
}

// Entry returns the patterns of the files that say what a package exports, by its name.
func Entry(name string) (patterns []string) {
	names := []string{name}
	if under := strings.ReplaceAll(name, "-", "_"); under != name {
		names = append(names, under)
	}
	for _, n := range names {
		for _, file := range []string{"__init__.py", "__init__.pyi", "src/lib.rs", "lib.rs", "mod.rs", "index.ts",
			"index.js", "index.mts",
			"index.mjs", "src/index.ts", "src/index.js", "index.tsx", "src/main.ts"} {
			patterns = append(patterns, "**/"+n+"/"+file)
		}
		patterns = append(patterns, "**/"+n+".rs")
	}
	return patterns
}

// TopEntry are the patterns of the files at the top of a project that say what it exports.
var TopEntry = []string{"/src/lib.rs", "/lib.rs", "/index.ts", "/index.js", "/src/index.ts", "/src/index.js",
	"/index.mjs",
	"/src/index.mjs"}

// Exports returns what the text of a module exports, by the ending of its path; false for a language that it can't
// read.
func Exports(path, text string) (all []Export, ok bool) {
	switch filepath.Ext(path) {
	case ".py", ".pyi":
		all = pythonExports(text, strings.HasPrefix(filepath.Base(path), "__init__."))
	case ".rs":
		all = rustExports(text)
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts":
		all = scriptExports(text)
	default:
		return nil, false
	}
	return merged(all), true
}

// merged joins the exports of one origin, and leaves out names that were there before.
func merged(all []Export) (joined []Export) {
	seen := map[string]bool{}
	for _, e := range all {
		e.Names = slices.DeleteFunc(e.Names, func(n string) bool {
			before := seen[n] || n == ""
			seen[n] = true
			return before
		})
		at := slices.IndexFunc(joined, func(j Export) bool { return j.From == e.From && j.All == e.All })
		switch {
		case len(e.Names) == 0 && !e.All:
		case at >= 0:
			joined[at].Names = append(joined[at].Names, e.Names...)
		default:
			joined = append(joined, e)
		}
	}
	return joined
}

// Own is the origin of what comes from several modules of the package itself.
const Own = "its own modules"

// OwnTogether joins what comes from modules of the package itself.
func OwnTogether(all []Export) []Export {
	all = slices.Clone(all)
	for i := range all {
		if from := all[i].From; !all[i].All && (strings.HasPrefix(from, ".") || ownPath.MatchString(from)) {
			all[i].From = Own
		}
	}
	return merged(all)
}

var ownPath = lazyregexp.New(`^(?:self|crate|super)(?:::|$)`)

// statement is a part of a text that begins at the margin, with the lines that belong to it.
type statement struct {
	text string
	line int
}

// statements returns the statements of a text that begin with a match; lists until their brackets are closed.
func statements(text string, begins *lazyregexp.Regexp) (found []statement) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if !begins.MatchString(lines[i]) {
			continue
		}
		s := statement{lines[i], i + 1}
		for listing.MatchString(s.text) && depth(s.text) > 0 && i+1 < len(lines) {
			i++
			s.text += "\n" + lines[i]
		}
		found = append(found, s)
	}
	return found
}

// listing matches the beginning of a statement that is a list of names. A declaration is its first line: its body may
// have
// brackets in texts.
var listing = lazyregexp.New(`^(?:pub use|from|import|__all__|export (?:type )?[{*]|module\.exports)`)

func depth(text string) int {
	return strings.Count(text, "(") + strings.Count(text, "{") + strings.Count(text, "[") - strings.Count(text, ")") -
		strings.Count(text, "}") - strings.Count(text, "]")
}

// Python

var (
	pythonBegins = lazyregexp.New(`^(?:from \S+ import|import |(?:async )?def \w|class \w|__all__\b` +
		`|[A-Za-z_]\w*(?:: [^=]+)? =)`)
	pythonFrom    = lazyregexp.New(`^from (\S+) import (?s:(.*))$`)
	pythonDeclare = lazyregexp.New(`^(?:(?:async )?def |class )?([A-Za-z_]\w*)`)
	pythonAll     = lazyregexp.New(`^__all__(?:: [^=]+)?\s*\+?=|^__all__\.(?:extend|append)\(`)
	quotedName    = lazyregexp.New(`["'](\w+)["']`)
	hashComment   = lazyregexp.New(`(?m)(?:^|\s)#.*$`)
)

// pythonExports returns what a module of Python declares, and what a package's own file imports: for others, unless
// it is
// of the standard library and has no alias.
func pythonExports(text string, isPackage bool) (all []Export) {
	text = hashComment.ReplaceAllString(blankDocstrings(text), "")
	var listed []string
	origin := map[string]string{}
	for _, s := range statements(text, pythonBegins) {
		from, names := "", []string(nil)
		if m := pythonFrom.FindStringSubmatch(s.text); m != nil {
			from = m[1]
			if strings.TrimSpace(m[2]) == "*" {
				all = append(all, Export{From: from, All: true, Line: s.line})
				continue
			}
			names = listNames(m[2], " as ")
			if !isPackage || pythonTools.MatchString(from) {
				names = reexported(m[2])
			}
		} else if pythonAll.MatchString(s.text) {
			for _, q := range quotedName.FindAllStringSubmatch(s.text, -1) {
				listed = append(listed, q[1])
			}
			all = append(all, Export{From: "\x00", Names: listed, Line: s.line})
			continue
		} else if rest, imports := strings.CutPrefix(s.text, "import "); imports {
			for _, part := range strings.Split(rest, ",") {
				if name, as, renamed := strings.Cut(part, " as "); renamed && strings.TrimSpace(name) == strings.TrimSpace(as) {
					names = append(names, strings.TrimSpace(as))
				}
			}
			from = strings.Fields(rest + " ?")[0]
		} else {
			names = []string{pythonDeclare.FindStringSubmatch(s.text)[1]}
		}
		for _, n := range names {
			origin[n] = from
		}
		if m := pythonFrom.FindStringSubmatch(s.text); m != nil {
			for _, n := range listNames(m[2], " as ") { // which the list of exports may have
				origin[n] = from
			}
		}
		all = append(all, Export{From: from, Names: public(names), Line: s.line})
	}
	if len(listed) == 0 {
		return all
	}
	byOrigin := []Export{}
	for _, e := range all {
		kept := Export{From: e.From, Line: e.Line, All: false}
		for _, n := range listed {
			if from, known := origin[n]; known && from == e.From && slices.Contains(e.Names, n) {
				kept.Names = append(kept.Names, n)
			}
		}
		if e.From == "\x00" {
			kept.From = ""
			for _, n := range listed {
				if _, known := origin[n]; !known {
					kept.Names = append(kept.Names, n)
				}
			}
		}
		byOrigin = append(byOrigin, kept)
	}
	return byOrigin
}

// reexported returns the names of a list that have themselves as their alias, which marks them as exported.
func reexported(list string) (names []string) {
	for _, m := range ownAlias.FindAllStringSubmatch(list, -1) {
		if m[1] == m[2] {
			names = append(names, m[1])
		}
	}
	return names
}

var (
	ownAlias    = lazyregexp.New(`(\w+) as (\w+)`)
	pythonTools = lazyregexp.New(`^(?:typing|typing_extensions|__future__|os|sys|importlib|warnings|collections` +
		`|functools|logging|re|abc|` +
		`types|pathlib|contextlib|itertools|inspect)(?:\.|$)`)
)

// blankDocstrings removes strings of several lines, whose lines may look like statements.
func blankDocstrings(text string) string {
	return docstring.ReplaceAllStringFunc(text, func(s string) string {
		return `""` + strings.Repeat("\n",
			strings.Count(s, "\n"))
	})
}

var docstring = lazyregexp.New(`(?s)""".*?"""|'''.*?'''`)

func public(names []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "_") && n != "__version__" })
}

// listNames returns the names of a list in any brackets, under which they are known behind an alias.
func listNames(list, alias string) (names []string) {
	for _, part := range strings.Split(strings.Trim(strings.TrimSpace(list), "(){};"), ",") {
		part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "type "))
		if _, as, renamed := strings.Cut(part, alias); renamed {
			part = strings.TrimSpace(as)
		}
		if word.MatchString(part) {
			names = append(names, part)
		}
	}
	return names
}

var word = lazyregexp.New(`^[\pL_$][\pL\pN_$]*$`)

// Rust

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
		case strings.HasPrefix(s.text, "macro_rules!"):
			if exported {
				all = append(all, Export{Names: rustMacro.FindStringSubmatch(s.text)[1:], Line: s.line})
			}
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

// TypeScript and JavaScript

var (
	scriptBegins = lazyregexp.New(`^(?:export\b|module\.exports\b|exports\.)`)
	scriptList   = lazyregexp.New(`(?s)^export (?:type )?(\{.*?\})(?:\s*from\s*["']([^"']+)["'])?`)
	scriptStar   = lazyregexp.New(`^export (?:type )?\*(?:\s+as\s+(\w+))?\s+from\s*["']([^"']+)["']`)
	scriptItem   = lazyregexp.New(`^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:const enum|const` +
		`|let|var|function\*?|class|interface|type|` +
		`enum|namespace) ([\w$]+)`)
	scriptNamed  = lazyregexp.New(`^(?:module\.)?exports\.([\w$]+)\s*=`)
	scriptObject = lazyregexp.New(`(?s)^module\.exports\s*=\s*(\{.*\})`)
	moduleIs     = lazyregexp.New(`^module\.exports\s*=\s*(?:new )?([\w$]+)`)
	objectKey    = lazyregexp.New(`^\s*(?:async )?(?:\.\.\.)?([\w$]+)`)
)

func scriptExports(text string) (all []Export) {
	for _, s := range statements(withoutComments(text), scriptBegins) {
		switch {
		case scriptStar.MatchString(s.text):
			m := scriptStar.FindStringSubmatch(s.text)
			all = append(all, Export{From: m[2], Names: nonEmpty(m[1]), All: m[1] == "", Line: s.line})
		case scriptList.MatchString(s.text):
			m := scriptList.FindStringSubmatch(s.text)
			all = append(all, Export{From: m[2], Names: listNames(m[1], " as "), Line: s.line})
		case scriptItem.MatchString(s.text):
			all = append(all, Export{Names: scriptItem.FindStringSubmatch(s.text)[1:], Line: s.line})
		case strings.HasPrefix(s.text, "export default"):
			all = append(all, Export{Names: []string{"default"}, Line: s.line})
		case scriptNamed.MatchString(s.text):
			all = append(all, Export{Names: scriptNamed.FindStringSubmatch(s.text)[1:], Line: s.line})
		case scriptObject.MatchString(s.text):
			object := scriptObject.FindStringSubmatch(s.text)[1]
			var names []string
			for _, part := range splitTop(object[1 : len(object)-1]) {
				if m := objectKey.FindStringSubmatch(part); m != nil {
					names = append(names, m[1])
				}
			}
			all = append(all, Export{Names: names, Line: s.line})
		case moduleIs.MatchString(s.text):
			all = append(all, Export{Names: moduleIs.FindStringSubmatch(s.text)[1:], Line: s.line})
		}
	}
	return all
}

func nonEmpty(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}
