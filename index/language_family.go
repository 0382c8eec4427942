package index

import (
	"path"
	"strings"
)

// family is a group of languages whose files can mention each other's symbols, with
// what is visible in them without more words.
type family struct {
	name string
	// index are the names of files that stand for their folder.
	index []string
	// home says what the address of a file's symbols begins with.
	home addressing
	// separator parts the names of an import's path.
	separator string
	// members may be called by their bare names inside of their type.
	members bool
	// strict says that a bare name which neither the file, its package nor its imports
	// declare is not the workspace's.
	strict bool
	// spread is how far from its type a member may be declared.
	spread reach
	// rooted says that an import's path is whole; else it may begin with names that are no folders.
	rooted bool
	// passed says that a package passes on what files beneath it declare.
	passed bool
}

type addressing int

const (
	ofFile   addressing = iota // its path without the extension, or its folder's for an index file
	ofFolder                   // its folder's path; what a file declares is visible in the whole folder
	ofText                     // its path, as includes name it
)

// reach is how far something extends.
type reach int

const (
	inFile reach = iota
	inFolder
	anywhere
)

// families are those that have rules of their own, by language.
var families = func() map[string]*family {
	m := map[string]*family{}
	for languages, f := range map[string]*family{
		"go":                        {home: ofFolder, separator: "/", strict: true, spread: inFolder, rooted: true},
		"python":                    {home: ofFile, separator: ".", index: []string{"__init__"}, strict: true, rooted: true, passed: true},
		"javascript typescript tsx": {home: ofFile, separator: "/", index: []string{"index"}, strict: true, rooted: true, passed: true},
		"rust":                      {home: ofFile, separator: "::", index: []string{"mod", "lib", "main"}, spread: anywhere, passed: true},
		"java kotlin scala":         {home: ofFolder, separator: ".", members: true, spread: anywhere},
		"csharp":                    {home: ofFolder, separator: ".", members: true, spread: anywhere},
		"c cpp":                     {home: ofText, separator: "/", members: true, spread: anywhere},
		"swift":                     {home: ofFolder, separator: ".", members: true, spread: anywhere},
		"ruby":                      {home: ofFile, separator: "/", members: true, spread: anywhere},
		"php":                       {home: ofFolder, separator: `\`, spread: anywhere},
		"lua":                       {home: ofFile, separator: ".", index: []string{"init"}, spread: anywhere},
		"bash":                      {home: ofText, separator: "/"},
		"elixir":                    {home: ofFile, separator: ".", members: true, spread: anywhere},
		"ocaml":                     {home: ofFile, separator: ".", members: true, spread: anywhere},
	} {
		for language := range strings.FieldsSeq(languages) {
			f.name, m[language] = languages, f
		}
	}
	return m
}()

// familyOf is the family of a language. One without rules is a family by itself.
func familyOf(language string) *family {
	if f, ok := families[language]; ok {
		return f
	}
	return &family{name: language, separator: "/"}
}

// homeOf is what the address of a file's symbols begins with, in slashes.
func (f *family) homeOf(rel string) string {
	switch f.home {
	case ofFolder:
		return path.Dir(rel)
	case ofText:
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
