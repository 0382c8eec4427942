package embedded

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// form is a syntax of an instruction. make reports false if the match is not an
// instruction.
type form struct {
	pattern *lazyregexp.Regexp
	make    func(m []string) (instruction, bool)
}

// forms are all instructions that are parsed exactly. In a pattern NAME, PATH, FILE, TERM,
// QUOTED and TEXT each stand for one captured word, and a space for any white space.
// A message that matches no form is a question, or a task for a language model.
var forms = []form{
	newForm(`rename (?:the )?(?:KIND )?NAME(?: KIND)? (?:as|into) NAME(?: everywhere)?`, renameOf),
	newForm(`rename (?:the )?(?:KIND )?NAME(?: KIND)? to (?:be )?(?:called )?NAME(?: everywhere)?`,
		func(m []string) (instruction,
			bool) {
			return newRename(lexicon.CanonOf(m[0]), "", m[1], "")
		}),
	newForm(`rename (only )?(?:the )?(?:KIND )?NAME( and (?:its |all |the )*(?:implementers|implementations`+
		`|overrides))? to NAME`,
		func(m []string) (instruction, bool) { return newRename(lexicon.CanonOf(m[1]), "", m[3], m[0]+m[2]) }),
	newForm(`rename (?:the )?(?:KIND )?NAME (?:in|from|of) (?:the )?(?:file )?PATH to NAME`,
		func(m []string) (instruction, bool) {
			return newRename(lexicon.CanonOf(m[0]), lexicon.Bare(m[1]), m[2], "")
		}),
	newForm(`rename (?:the )?(?:KIND )?NAME to NAME (?:in|from) (?:the )?(?:file )?PATH`,
		func(m []string) (instruction, bool) {
			return newRename(lexicon.CanonOf(m[0]), lexicon.Bare(m[2]), m[1], "")
		}),
	newForm(`rename (?:the )?(?:KIND )?NAME(?: KIND)? (?:in|from|of|on) (?:the )?(?:KIND )?NAME(?: KIND)? to NAME`,
		func(m []string) (instruction, bool) {
			return newRename(lexicon.CanonOf(m[1])+"::"+lexicon.CanonOf(m[0]), "", m[2], "")
		}),
	newForm(`(rename|move) (?:the )?(file )?PATH (?:in)?to (?:the )?(?:file )?(folder |directory )?FILE(/)?`,
		newRenameFile),
	newForm(`(?:replace|change|swap)((?: (?:all|of|every|each|the|occurrences?))*) TERM in (?:the )?(?:file )?PATH `+
		`(?:with|by|to|for) TERM`, func(m []string) (instruction, bool) {
		return replacing(inFile)([]string{"", m[0], m[1], m[3], m[2]})
	}),
	newForm(`(swap|exchange)((?: (?:all|of|every|each|the|occurrences?))*) TERM for TERM in (?:the )?(?:file )?FILE`,
		replacing(inFile)),
	newForm(`(?:replace|change|swap)((?: (?:all|of|every|each|the|occurrences?))*) TERM in (?:all |the )*`+
		`(?:files (?:in|of|under) (?:the )?)?(?:folder |directory )?FILE(?:/| folder| directory) (?:with|by|to|for) TERM`,
		func(m []string) (instruction, bool) {
			return replacing(inFolder)([]string{"", m[0], m[1], m[3], m[2]})
		}),
	newForm(`(swap|exchange)((?: (?:all|of|every|each|the|occurrences?))*) TERM for TERM in (?:the )?(?:folder `+
		`|directory )?FILE(?:/| folder| directory)`, replacing(inFolder)),
	newForm(replaceWords+` in (?:all |the )*(?:code )?comments`, replacing(inComments)),
	newForm(replaceWords+` in (?:all of )?(?:the )?(?:folder |directory |(?:all |the )*files (?:in`+
		`|of) )(?:the )?(?:folder )?FILE/?`, replacing(inFolder)),
	newForm(replaceWords+` in (?:the )?FILE(?:/| folder| directory)`, replacing(inFolder)),
	newForm(replaceWords+` in (?:the )?(?:file )?FILE`, replacing(inFile)),
	newForm(replaceWords+`(?: everywhere| in (?:all|every|the) (?:files?|project|workspace|code))?`,
		func(m []string) (instruction, bool) {
			return askWhere{lexicon.Bare(m[2]), lexicon.Bare(m[3])}, strings.EqualFold(m[0], "replace") &&
				lexicon.Bare(m[2]) != "" &&
				!strings.HasSuffix(m[3], "?")
		}),
	newForm(`(?:delete|remove|drop|erase) (?:the )?(?:KIND )?NAME(?: KIND)?(?: (?:in|from) `+
		`(?:the )?(?:file )?PATH)?`,
		func(m []string) (instruction, bool) {
			return remove{target{name: lexicon.CanonOf(m[0]), file: lexicon.Bare(m[1])}}, isName(m[0])
		}),
	newForm(`(?:move|relocate|put) (?:the )?(?:KIND )?NAME(?: KIND)? (?:(?:in|from) (?:the )?(?:file )?PATH )?`+
		`(?:over )?(?:in)?to (?:the )?(?:file )?FILE`,
		func(m []string) (instruction, bool) {
			return move{target{name: lexicon.CanonOf(m[0]), file: lexicon.Bare(m[1])}, lexicon.Bare(m[2])}, isName(m[0]) &&
				(lexicon.FileName.MatchString(lexicon.Bare(m[2])) || secretFile.MatchString(lexicon.Bare(m[2])))
		}),
	newForm(`(?:add|write|give|put|create|insert) (?:an? |the )?(?:doc(?:umentation)? ?comments?|docstring|doc ?string`+
		`|comment|documentation|docs|javadoc|jsdoc|kdoc|doc) `+
		`(?:to|for|on|above|in) (?:the )?(?:KIND )?NAME(?: (?:in|from|of) (?:the )?(?:file )?PATH)?(?:(?:: ?`+
		`|,? (?:that says|which says|saying|with(?: the text)?):? )TEXT)?`,
		newDocument),
	newForm(`(?:add|put|write|insert) (?:an? |the )?(?:doc(?:umentation)? ?)?(?:comment|docstring) QUOTED (?:to|for`+
		`|on|above`+
		`|before|at) (?:the )?(?:KIND )?NAME(?: (?:in|from|of) (?:the )?(?:file )?PATH)?`,
		func(m []string) (instruction, bool) { return newDocument([]string{m[1], m[2], m[0]}) }),
	newForm(`give (?:the )?(?:KIND )?NAME(?: in (?:the )?(?:file )?PATH)? (?:an? )?(?:docstring|doc comment|comment`+
		`|javadoc`+
		`|jsdoc)(?:: ?TEXT)?`, newDocument),
	newForm(`(?:document|comment) (?:the )?(?:KIND )?NAME(?: (?:in|from|of) (?:the )?(?:file )?PATH)?(?:(?:: ?`+
		`|,? (?:that says|which says|saying|with|as) )TEXT)?`, newDocument),
	newForm(createWords+` (?:(?:the|a|an) )?(?:title|heading|headline):? QUOTED(?:,? and (?:(?:the|a|an|one|this`+
		`|single) )*`+
		`(?:line|sentence|text|paragraph)(?: (?:saying|that says|of text))?:? QUOTED)?`,
		func(m []string) (instruction, bool) {
			text, ok := lexicon.Titled(lexicon.Bare(m[0]), lexicon.Bare(m[1]), lexicon.Bare(m[2]))
			return create{lexicon.Bare(m[0]), text}, ok
		}),
	newForm(createWords+`(?: the)?(?: following)?(?: text| contents?| code)?:? QUOTED`,
		func(m []string) (instruction, bool) {
			return create{lexicon.Bare(m[0]), withNewline(lexicon.Bare(m[1]))}, true
		}),
	newForm(createWords+`(?: the)?(?: following)?(?: text| contents?| code)?: ?TEXT`,
		func(m []string) (instruction, bool) { return create{lexicon.Bare(m[0]), withNewline(m[1])}, true }),
	newForm(createWords+` (?:(?:the|this|these|one|a)(?: following)?(?: single)? (?:text|contents?|words?|line|sentence)`+
		`|(?:text|contents?|words?)) TEXT`, func(m []string) (instruction, bool) {
		file := lexicon.Bare(m[0])
		return create{file, withNewline(m[1])}, lexicon.IsText(file, m[1])
	}),
	newForm(createWords+` TEXT`, createUnquoted),
	newForm(`explain (?:the )?(?:KIND )?NAME(?: KIND)?(?: in (?:the )?(?:file )?PATH)?`, func(m []string) (instruction,
		bool) {
		return explain{target: target{name: lexicon.CanonOf(m[0]), file: lexicon.Bare(m[1])}}, isName(m[0])
	}),
}

const (
	replaceWords = `(replace|change|substitute|swap)((?: (?:all|of|every|each|the|whole|entire|word|text|string|name` +
		`|occurrences?))*) ` +
		`TERM (?:with|by|to) (?:the )?(?:(?:word|text|string) )?TERM`
	createWords = `(?:create|make|add|write|generate) (?:me )?(?:an? |the )?(?:new )?(?:file )?(?:named |called )?FILE ` +
		`(?:with|containing|saying|that (?:contains|says|has|holds)|which (?:contains|says|has|holds)|whose contents? ` +
		`(?:is|are))`
)

// places are words that name no file.
var places = lexicon.SetOf("comments the it this code everything project workspace files")

func isName(word string) bool {
	return !lexicon.Pronouns[strings.ToLower(word)] && !lexicon.FileName.MatchString(lexicon.Bare(word))
}

func newRename(from, file, to, how string) (instruction, bool) {
	to = lexicon.Bare(to)
	x := rename{from: from, to: to, file: file}
	switch {
	case strings.HasPrefix(how, "only"):
		x.implementers = "only"
	case how != "":
		x.implementers = "with"
	}
	return x, !strings.ContainsAny(to, ":.") && isName(from)
}

func newDocument(m []string) (instruction, bool) {
	of := target{name: lexicon.CanonOf(m[0]), file: lexicon.Bare(m[1])}
	return document{of, lexicon.Bare(strings.TrimSpace(m[2]))}, isName(m[0])
}

// replacing returns what makes a replacement in the place that a name means.
func replacing(in func(name string) (scope, bool)) func([]string) (instruction, bool) {
	return func(m []string) (instruction, bool) {
		old, text, name := lexicon.Bare(m[2]), lexicon.Bare(m[3]), ""
		if len(m) > 4 {
			name = lexicon.Bare(m[4])
		}
		at, ok := in(name)
		return replace{old: old, text: text, in: at, part: partOf(strings.ToLower(m[1]))}, ok && old != ""
	}
}

// partOf returns which part of the places the words before a text mean.
func partOf(words string) extent {
	switch {
	case strings.Contains(words, "word"), strings.Contains(words, "name"):
		return wholeWords
	case strings.Contains(words, "all of"), strings.Contains(words, "occurrence"), strings.Contains(words, "text"),
		strings.Contains(words, "string"):
		return everywhere
	}
	return unsaid
}

func inComments(string) (scope, bool) { return scope{}, true }

func inFile(name string) (scope, bool) { return scope{file: name}, !places[name] }

func inFolder(name string) (scope, bool) {
	return scope{dir: strings.TrimSuffix(name, "/")}, !lexicon.FileName.MatchString(name) && name != "the"
}

// askWhere is a replacement that names no place.
type askWhere struct{ old, text string }

func (x askWhere) next(progress) step {
	text := "Where? Name a file or a folder: " + results.Code("replace \""+x.old+"\" with \""+x.text+"\" in FILE") + "."
	if lexicon.Address.MatchString(x.old) && lexicon.Address.MatchString(x.text) {
		text += " To rename the symbol with all its uses, say " + results.Code("rename "+x.old+" to "+x.text) + "."
	}
	return answerWith(text + "\n")
}

// createUnquoted makes a file of a text without quotes, but of a description of what it shall hold: a program of a text
// with the marks of code, and a file for people of one that does not begin as descriptions do.
func createUnquoted(m []string) (instruction, bool) {
	file, text := lexicon.Bare(m[0]), m[1]
	line, ok := lexicon.LineSaying(file, text)
	if !ok {
		line, ok = text, lexicon.IsContent(file, text)
	}
	return create{file, withNewline(line)}, ok && lexicon.FileName.MatchString(file)
}

func renameOf(m []string) (instruction, bool) { return newRename(lexicon.CanonOf(m[0]), "", m[1], "") }
