package graph

import (
	"path"
	"strings"
)

// languageFamily is a group of languages whose files can refer to each other's symbols,
// with their rules of visibility.
type languageFamily struct {
	name string
	// index are the names of files that stand for their folder.
	index []string
	// prefixKind says what the addresses of a file's symbols begin with.
	prefixKind prefixKind
	// separator separates the names of an import's path.
	separator string
	// bareMembers says that code in a type refers to its members without a qualifier.
	bareMembers bool
	// strict says that a bare name belongs to the workspace only if the file, its package
	// or its imports declare it.
	strict bool
	// memberReach is how far from its type a member may be declared.
	memberReach declarationReach
	// rooted says that an import's path is complete. Otherwise it may begin with names
	// that are not folders.
	rooted bool
	// reexports says that a package may export what the files beneath it declare.
	reexports bool
	// aliases says that a file may export under another name what it declares or imports.
	aliases bool
}

type prefixKind int

const (
	filePrefix   prefixKind = iota // its path without the extension, or the folder's for an index file
	folderPrefix                   // its folder's path; the whole folder sees what a file declares
	pathPrefix                     // its path, as in an include
)

type declarationReach int

const (
	inFile declarationReach = iota
	inFolder
	anywhere
)

// javascript is the name of the family of JavaScript and TypeScript.
const javascript = "javascript typescript tsx"

// families are the groups that have their own rules, by language.
var families = func() map[string]*languageFamily {
	m := map[string]*languageFamily{}
	for languages, f := range map[string]*languageFamily{
		"go":                {prefixKind: folderPrefix, separator: "/", strict: true, memberReach: inFolder, rooted: true},
		"python":            {prefixKind: filePrefix, separator: ".", index: []string{"__init__"}, strict: true, rooted: true, reexports: true, aliases: true},
		javascript:          {prefixKind: filePrefix, separator: "/", index: []string{"index"}, strict: true, rooted: true, reexports: true, aliases: true},
		"rust":              {prefixKind: filePrefix, separator: "::", index: []string{"mod", "lib", "main"}, memberReach: anywhere, reexports: true, aliases: true},
		"java kotlin scala": {prefixKind: folderPrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"csharp":            {prefixKind: folderPrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"c cpp":             {prefixKind: pathPrefix, separator: "/", bareMembers: true, memberReach: anywhere},
		"swift":             {prefixKind: folderPrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"ruby":              {prefixKind: filePrefix, separator: "/", bareMembers: true, memberReach: anywhere},
		"php":               {prefixKind: folderPrefix, separator: `\`, memberReach: anywhere},
		"lua":               {prefixKind: filePrefix, separator: ".", index: []string{"init"}, memberReach: anywhere},
		"bash":              {prefixKind: pathPrefix, separator: "/"},
		"elixir":            {prefixKind: filePrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"ocaml":             {prefixKind: filePrefix, separator: ".", bareMembers: true, memberReach: anywhere},
	} {
		for language := range strings.FieldsSeq(languages) {
			f.name, m[language] = languages, f
		}
	}
	return m
}()

// familyOf returns the family of a language. A language without rules has a family of its
// own.
func familyOf(language string) *languageFamily {
	if f, ok := families[language]; ok {
		return f
	}
	return &languageFamily{name: language, separator: "/"}
}

// prefixOf returns what the addresses of a file's symbols begin with, separated by
// slashes.
func (f *languageFamily) prefixOf(rel string) string {
	switch f.prefixKind {
	case folderPrefix:
		return path.Dir(rel)
	case pathPrefix:
		return rel
	}
	bare := strings.TrimSuffix(rel, path.Ext(rel))
	for _, name := range f.index {
		if path.Base(bare) == name {
			return path.Dir(bare)
		}
	}
	return bare
}
