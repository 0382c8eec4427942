package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/messages"
	"ploke-lsp/session/llm/embedded/results"
)

// pointed is an instruction to change the attached code, which it calls "this". It finds out which symbol that is, and
// goes on as if the message had named it.
type pointed struct {
	at   target // the first line of the attached code, zero if there is none
	kind string // what the message calls it, "" for nothing but "this"
	said string // the message with pointedName for the code
}

// pointedName stands for the attached code in an instruction.
const pointedName = "ThisSymbol"

var (
	// kindOfPointed matches what a message calls the attached code, such as "this method".
	kindOfPointed = lazyregexp.New(`(?i)\b(` + lexicon.KindPattern + `)$`)
	// elliptic matches an instruction that leaves "this" out
	elliptic = lazyregexp.New(`(?i)^((?:please )?(?:rename|move|delete|remove|document))($| (?:in)?to | (?:as|into) |:)|` +
		`^((?:please )?(?:add|write|insert) (?:an? )?(?:doc(?:umentation)? ?comment|docstring|comment))` +
		`($|:| saying| that says)`)
)

// pointedOf returns the message's instruction to change the attached code, nil if it is none.
func pointedOf(p progress) instruction {
	if p.attached.line == 0 && p.attached.file != "" || p.folder != "" {
		return nil
	}
	message := elliptic.ReplaceAllStringFunc(p.message, func(said string) string {
		m := elliptic.FindStringSubmatch(said)
		if m[1] != "" {
			return m[1] + " this" + m[2]
		}
		return m[3] + " to this" + m[4]
	})
	at := messages.Pointing.FindStringIndex(message)
	if at == nil {
		return nil
	}
	x := pointed{at: p.attached, said: message[:at[0]] + pointedName + message[at[1]:]}
	if m := kindOfPointed.FindStringSubmatch(message[at[0]:at[1]]); m != nil {
		x.kind = strings.ToLower(m[1])
	}
	if x.about(results.Symbol{}) == nil {
		return nil
	}
	return x
}

// about returns the instruction for a symbol, nil if the message has none that changes one.
func (x pointed) about(s results.Symbol) instruction {
	i, _ := parseForm(x.said)
	of := target{name: s.Canon, file: s.Path()}
	switch i := i.(type) {
	case rename:
		changes := i.from == pointedName
		i.from, i.file = of.name, of.file
		return orNil(i, changes)
	case remove:
		return orNil(remove{of}, i.name == pointedName)
	case move:
		return orNil(move{of, i.to}, i.name == pointedName)
	case document:
		return orNil(document{of, i.text}, i.name == pointedName)
	}
	return nil
}

// orNil returns an instruction that changes the attached code; nil for one that only has such a word in it.
func orNil(i instruction, changes bool) instruction {
	if !changes {
		return nil
	}
	return i
}

func (x pointed) next(p progress) step {
	if x.at.line == 0 {
		return answerWith("Which one do you mean? Select its first line in your editor and ask again, or name it: " +
			results.Code(strings.Replace(x.said, pointedName, "NAME", 1)) + ".\n")
	}
	found, calls := x.at.resolve(p)
	switch {
	case calls != nil:
		return step{calls: calls}
	case len(found.items) == 0:
		return answerWith("I changed nothing: I can't tell which symbol you mean. " + x.at.missing(p, found.failure))
	}
	item := found.items[0]
	for _, s := range results.Decode[results.SearchResult](&p.of("request_code_context")[0]).Results {
		if x.isKind(s) && s.Encloses(x.at.line) && s.InFile(x.at.file) && (!x.isKind(item) ||
			s.FirstLine() > item.FirstLine()) {
			item = s
		}
	}
	if !x.isKind(item) && !begins(item, x.at.line) {
		return answerWith(fmt.Sprintf("I changed nothing: line %d is within the %s %s, at %s. If you mean that, say %s.\n",
			x.at.line, item.Kind, results.Code(item.Canon), p.Location(item.ID),
			results.Code(strings.Replace(x.said, pointedName, item.Named(found.items), 1))))
	}
	p.results = p.results[1:] // the search
	return x.about(item).next(p)
}

// isKind reports whether the message calls the code by a symbol's kind.
func (x pointed) isKind(s results.Symbol) bool {
	switch x.kind {
	case "function", "func", "method":
		return s.Kind == "function" || s.Kind == "method"
	}
	return x.kind != "" && x.kind == s.Kind
}

// begins reports whether a symbol begins in a line, which may stand behind its comments and attributes. A line within a
// symbol may be meant alone.
func begins(s results.Symbol, line int) bool {
	first, _ := s.WithDoc()
	_, code, _ := strings.Cut(s.Snippet, "\n")
	for text := range strings.Lines(code) {
		if text = strings.TrimSpace(text); text != "" && !strings.ContainsAny(text[:1], "@#[/*") {
			break
		}
		first++
	}
	return line == first || line == s.FirstLine()
}
