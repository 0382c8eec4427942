package traits

import (
	"path"
	"strings"

	"ploke-lsp/internal/syntax"
)

// Text is what the name of a file says that its text is.
type Text int

const (
	OtherText Text = iota // data, configuration, build rules, or something unknown
	CodeText
	ProseText
)

// TextOf returns what a file's name says: of code only by its extension, since names without one are those of
// scripts and build rules.
func TextOf(name string) Text {
	name = strings.ToLower(name)
	ext := path.Ext(name)
	language := syntax.Detect("_"+ext, nil)
	switch {
	case language == "markdown", language == "html", ext == "" && proseNames[name], language == "" && proseEndings[ext]:
		return ProseText
	case language != "" && !dataLanguages[language]:
		return CodeText
	}
	return OtherText
}

// Precedence orders files by what a reader looks for first.
type Precedence int

const (
	Source    Precedence = iota // everything else
	Test                        // tests
	Document                    // documentation and data
	Secondary                   // vendored, generated, and examples
	precedences
)

// Precedences is the number of values of [Precedence].
const Precedences = int(precedences)

// PrecedenceOf returns the precedence of a file by its slash-separated path and its text.
func PrecedenceOf(rel string, text []byte) Precedence {
	language := syntax.Detect(rel, text)
	switch kind := Of(rel, language, text); {
	case kind&SecondaryTrait != 0:
		return Secondary
	case language == "" || kind&(ProseTrait|DataTrait) != 0:
		return Document
	case kind&TestTrait != 0:
		return Test
	}
	return Source
}
