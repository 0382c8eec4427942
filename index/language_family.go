package index

import (
	"path"
	"strings"
)

// family is a group of languages whose files can mention each other's symbols, with
// what is visible in them without more words.
type languageFamily struct {
	name string
	// index are the names of files that stand for their folder.
	index []string
	// home says what the address of a file's symbols begins with.
	prefixKind prefixKind
	// separator parts the names of an import's path.
	separator string
	// members may be called by their bare names inside of their type.
	bareMembers bool
	// strict says that a bare name which neither the file, its package nor its imports
	// declare is not the workspace's.
	strict bool
	// spread is how far from its type a member may be declared.
	memberReach reach
	// rooted says that an import's path is whole; else it may begin with names that are no folders.
	rooted bool
	// passed says that a package passes on what files beneath it declare.
	reexports bool
}

type prefixKind int

const (
	filePrefix   prefixKind = iota // its path without the extension, or its folder's for an index file
	folderPrefix                   // its folder's path; what a file declares is visible in the whole folder
	pathPrefix                     // its path, as includes name it
)

// reach is how far something extends.
type reach int

const (
	inFile reach = iota
	inFolder
	anywhere
)

// families are those that have rules of their own, by language.
var families = func() map[string]*languageFamily {
	m := map[string]*languageFamily{}
	for languages, f := range map[string]*languageFamily{
		"go":                        {prefixKind: folderPrefix, separator: "/", strict: true, memberReach: inFolder, rooted: true},
		"python":                    {prefixKind: filePrefix, separator: ".", index: []string{"__init__"}, strict: true, rooted: true, reexports: true},
		"javascript typescript tsx": {prefixKind: filePrefix, separator: "/", index: []string{"index"}, strict: true, rooted: true, reexports: true},
		"rust":                      {prefixKind: filePrefix, separator: "::", index: []string{"mod", "lib", "main"}, memberReach: anywhere, reexports: true},
		"java kotlin scala":         {prefixKind: folderPrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"csharp":                    {prefixKind: folderPrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"c cpp":                     {prefixKind: pathPrefix, separator: "/", bareMembers: true, memberReach: anywhere},
		"swift":                     {prefixKind: folderPrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"ruby":                      {prefixKind: filePrefix, separator: "/", bareMembers: true, memberReach: anywhere},
		"php":                       {prefixKind: folderPrefix, separator: `\`, memberReach: anywhere},
		"lua":                       {prefixKind: filePrefix, separator: ".", index: []string{"init"}, memberReach: anywhere},
		"bash":                      {prefixKind: pathPrefix, separator: "/"},
		"elixir":                    {prefixKind: filePrefix, separator: ".", bareMembers: true, memberReach: anywhere},
		"ocaml":                     {prefixKind: filePrefix, separator: ".", bareMembers: true, memberReach: anywhere},
	} {
		for language := range strings.FieldsSeq(languages) {
			f.name, m[language] = languages, f
		}
	}
	return m
}()

// familyOf is the family of a language. One without rules is a family by itself.
func familyOf(language string) *languageFamily {
	if f, ok := families[language]; ok {
		return f
	}
	return &languageFamily{name: language, separator: "/"}
}

// homeOf is what the address of a file's symbols begins with, in slashes.
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
