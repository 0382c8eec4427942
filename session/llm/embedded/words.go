package embedded

import (
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// symbol is a symbol in a tool's result.
type symbol struct {
	ID                         string // path#START:END
	Canon, Name, Kind          string
	File, Signature, Doc, Hash string
	StartLine                  int    `json:"start_line"`
	EndLine                    int    `json:"end_line"` // in an outline
	Line                       int    // instead, of a symbol without its code
	Relation                   string // to a search result, if it is not one itself
	Snippet                    string
	Cut                        string   // the part that the snippet lacks
	Siblings                   []string // further symbols of the file: START:END canon signature (relation)
}

// described returns the symbol's signature and the first sentence of its doc comment.
func (s symbol) described() string {
	out := s.shownSignature()
	if doc := conventions.FirstSentence(s.Doc); doc != "" {
		out += doc + "\n\n"
	}
	return out
}

// saysOf returns what a symbol's doc comment says of a message behind its first sentence, "" for nothing.
func (s symbol) saysOf(message string) string {
	said := conventions.SentenceAbout(s.Doc, lexicon.Asked(lexicon.Plain(message)), lexicon.Stem)
	if said == "" {
		return ""
	}
	return clip(said) + "\n\n"
}

// shownSignature returns the symbol's signature without attributes: a code span, or a block if it has a bar, which would end
// a code span in a table.
func (s symbol) shownSignature() string {
	text := strings.Join(strings.Fields(attributes.ReplaceAllString(s.Signature, "")), " ")
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "|"):
		return "```\n" + text + "\n```\n\n"
	}
	return code(text) + "\n\n"
}

// attributes matches what stands before a declaration: attributes of Rust and C#, annotations and decorators.
var attributes = lazyregexp.New(`^(?:#\[[^\]]*\]\s*|@[\w.]+(?:\([^)]*\))?\s+|\[[A-Z]\w*(?:\([^)]*\))?\]\s*)+`)

// quoted returns the snippet on lines of its own, and a note if it is cut off.
func (s symbol) quoted() string {
	if s.Snippet == "" {
		return ""
	}
	out := s.Snippet + "\n\n"
	if s.Cut != "" {
		out += "The rest is not shown.\n\n"
	}
	return out
}

// snippet returns lines of a file, without the final newline, in the form that the
// client makes a citation of.
func snippet(path string, line int, text string) string {
	path = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path)
	return fmt.Sprintf("<code=\"%s\" #%d:%d>\n%s\n</code>\n\n", path, line, line+strings.Count(text, "\n"), text)
}

// code returns s as a Markdown code span. With a bar, which may end a span in a table, a link within it would be one:
// its address is left out.
func code(s string) string {
	if strings.Contains(s, "|") {
		s = addressOfLink.ReplaceAllString(s, "]")
	}
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

var addressOfLink = lazyregexp.New(`\]\([a-z]+:[^)\s]*\)?`)

// codes returns a list of code spans.
func codes(list []string) string {
	var spans []string
	for _, s := range list {
		spans = append(spans, code(s))
	}
	return strings.Join(spans, ", ")
}

// placeOfEdit matches the number of an edit before what is wrong with it.
var placeOfEdit = lazyregexp.New(`^edits\[\d+\]: `)

// failed reports the error of a tool.
func (p progress) failed(what string, r toolResult) step { return failed(p.folders, what, r) }

func failed(f folders, what string, r toolResult) step {
	text := what + ": " + placeOfEdit.ReplaceAllString(strings.TrimSuffix(r.Error, "; nothing was staged"), "") + "."
	if r.Hint != "" && !lexicon.ForModels.MatchString(r.Hint) {
		text += " Hint: " + r.Hint + "."
	}
	return answerWith(text + "\n" + f.near(r.Candidates))
}

// near lists the alternatives to something that was not found.
func (f folders) near(candidates []candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	out := "\nThese come close:\n\n"
	for _, c := range candidates {
		switch {
		case c.Canon != "":
			out += fmt.Sprintf("- %s (%s) — %s\n", code(c.Canon), c.Kind, f.location(c.ID))
		case c.File != "":
			out += fmt.Sprintf("- %s:%d\n", f.rel(c.File), c.Line)
		default:
			out += "- " + code(f.rel(c.Word)) + "\n"
		}
	}
	return out
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func base(path string) string { return filepath.Base(path) }
