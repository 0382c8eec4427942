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
// have brackets in texts.
var listing = lazyregexp.New(`^(?:pub use|from|import|__all__|export (?:type )?[{*]|module\.exports)`)

func depth(text string) int {
	return strings.Count(text, "(") + strings.Count(text, "{") + strings.Count(text, "[") - strings.Count(text, ")") -
		strings.Count(text, "}") - strings.Count(text, "]")
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
