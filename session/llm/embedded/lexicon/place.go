package lexicon

import (
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Place is a file or a folder that a question is restricted to.
type Place struct {
	Path string
	Sure bool // by its form or the words around it, it is one
}

// PlaceOf returns the place that a question is restricted to, and the question without it.
func PlaceOf(message string) (place Place, rest string, ok bool) {
	message = Plain(message)
	at := inPlace.FindAllStringSubmatchIndex(message, -1)
	for i := len(at) - 1; i >= 0; i-- {
		m := at[i]
		group := func(n int) string { return message[max(0, m[2*n]):max(0, m[2*n+1])] }
		path, called := strings.Trim(Bare(group(3)), "/"), group(2) != "" || group(4) != ""
		rest = strings.TrimSpace(message[:m[0]] + " " + strings.TrimLeft(message[m[1]:], ", "))
		lower := strings.ToLower(path)
		if path == "" || rest == "" || Pronouns[lower] || Common[lower] || Fillers[lower] || languageNames[lower] ||
			unitOfPlace[lower] {
			continue
		}
		place.Sure = called || group(1) != "" || strings.ContainsAny(group(3), "/-_") || FileName.MatchString(path)
		if called && strings.Count(path, ".") > 1 && !strings.Contains(path, "/") && !FileName.MatchString(path) {
			path = strings.ReplaceAll(path, ".", "/") // of a package in Java
		}
		place.Path = path
		return place, rest, true
	}
	return Place{}, "", false
}

var (
	inPlace = lazyregexp.New(`(?i)(?:^|,? )(?:but )?((?:only |just |solely |restricted |limited )*)` +
		`(?:in|under|inside|below|within|of|to|from|for|underneath|at) (?:(?:the|our|my|all|any|of|this) )*` +
		`((?:sub-?)?(?:folder|directory|dir|file|package|module|crate|files (?:in|of|under)) )?` +
		`("[^"]+"|'[^']+'|\x60[^\x60]+\x60|@?[\w.-][\w./@-]*[\w/])` +
		`( (?:sub-?)?(?:folder|directory|dir|file|package|module|crate)\b)?(?: (?:only|alone))?`)
	languageNames = SetOf(strings.ToLower(Languages) +
		" javascript typescript c c++ c# bash shell html css sql markdown " +
		"yaml json toml total code comments")
	unitOfPlace = SetOf("project repo repository workspace codebase code order total general detail it this that size " +
		"lines line length folder file directory package module crate class function method language languages")
)

// AsksUnused reports whether a question asks for what nothing uses.
func AsksUnused(message string) bool { return unused.MatchString(message) }

var unused = lazyregexp.New(`(?i)\b(?:unused|dead|unreferenced|uncalled|orphaned|unneeded|never (?:used|called` +
	`|referenced|invoked)|` +
	`(?:nobody|no one|noone|nothing|no code|none)(?: (?:ever|else|really|actually))? (?:uses?|calls?|needs?` +
	`|references?|invokes?)|` +
	`(?:does|do|is|are) (?:nobody|no one|noone|not anybody|not anyone|not anything)(?: (?:ever|else))? (?:use|call` +
	`|need|reference)|` +
	`(?:not|no longer)(?: (?:being|ever|actually))? (?:used|called|referenced|needed)|no (?:callers?|uses?|usages?` +
	`|references?))\b`)

// ImportsIn returns the file whose own imports a question asks for, "" for none.
func ImportsIn(message string) string {
	m := importsIn.FindStringSubmatch(Plain(message))
	if m == nil || !FileName.MatchString(Bare(m[1]+m[2])) {
		return ""
	}
	return Bare(m[1] + m[2])
}

var importsIn = lazyregexp.New(`(?i)^(?:what|which(?: \w+)?)(?: (?:does|do|all))* (?:the )?(?:file )?(` + PathPattern +
	`) (?:imports?|requires?|pulls? in|includes?)$|^(?:(?:list|show|what are|which)(?: me)?(?: the| all)* )?` +
	`imports (?:are )?(?:in|inside|at the top of) (?:the )?(?:file )?(` + PathPattern + `)$`)

// ImportedPattern returns the pattern of a name in the line that imports it, as a whole or as one of a list.
func ImportedPattern(name string) string {
	parts := strings.Split(strings.ReplaceAll(name, "::", "."), ".")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	last := len(parts) - 1
	if last == 0 || strings.Contains(name, "/") {
		return regexp.QuoteMeta(name)
	}
	const joint = `(?:::|\.)`
	return strings.Join(parts[:last], joint) + `(?:` + joint + `(?:\{[^}]*\b)?|\s+import\s+(?:.*\b)?)` + parts[last]
}

// DeclaredForOthers matches the lines that declare what other packages can use, in Go, Java and Kotlin.
const DeclaredForOthers = `^func (?:\(\w* ?\*?[A-Z][^)]*\) )?[A-Z]|^(?:type|var|const) [A-Z]|^\t[A-Z]\w*\s.*=|` +
	`^(?:public (?:(?:abstract|final|sealed|static|open|data) )*|(?:(?:abstract|open|sealed|data) )*)(?:class` +
	`|interface|enum|record|@interface|object) \w`

// ExportsOf returns the package whose exports a question asks for.
func ExportsOf(message string) (name string, ok bool) {
	for _, form := range exportForms {
		if m := form.FindStringSubmatch(Plain(message)); m != nil {
			name := Bare(m[1])
			lower := strings.ToLower(name)
			if Pronouns[lower] {
				return "", ofPackage.MatchString(message)
			}
			return name, !Pronouns[lower] && !Common[lower] && !Fillers[lower] && !unitOfPlace[lower]
		}
	}
	return "", false
}

var ofPackage = lazyregexp.New(`(?i)\b(?:package|module|crate|library|gem|project)\b`)

const exportedPackage = `(?:the )?(?:package |module |crate |library )?([\w@./:-]+?)(?: package| module| crate` +
	`| library)?`

var exportForms = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)^what (?:all )?(?:can|could) (?:i|we|you|one|users?) import from ` + exportedPackage + `$`),
	lazyregexp.New(`(?i)^(?:what|which)(?: public)?(?: (?:names|symbols|functions|types|class(?:es)?|things|items` +
		`|traits|api|structs|members|else|all))* ` +
		`(?:does|do) ` + exportedPackage + ` (?:export|expose|re-?export|make public|offer to others|publish)s?$`),
	lazyregexp.New(`(?i)^(?:what|which)(?: (?:names|symbols|functions|types|class(?:es)?|things|items|traits` +
		`|structs))? (?:is|are|gets?|get) ` +
		`(?:re-?)?(?:exported|exposed) (?:by|from) ` + exportedPackage + `$`),
	lazyregexp.New(`(?i)^(?:(?:what is|show|list|print|give)(?: me)? )?(?:the )?(?:public|exported) (?:api` +
		`|interface|names|symbols) (?:of|in|from) ` +
		exportedPackage + `$`),
}
