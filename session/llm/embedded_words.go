package llm

import (
	"fmt"
	"path/filepath"
	"strings"
)

// symbol is what the tools tell of a symbol.
type symbol struct {
	ID                         string // path#START:END
	Canon, Name, Kind          string
	File, Signature, Doc, Hash string
	StartLine                  int    `json:"start_line"`
	Relation                   string // to a result, of what is none itself
	Snippet                    string
	Cut                        string   // what the snippet lacks
	Siblings                   []string // further symbols of the file: START:END canon signature (relation)
}

// described is a symbol's signature and the first sentence of its doc.
func (s symbol) described() string {
	out := ""
	if s.Signature != "" {
		out += code(s.Signature) + "\n\n"
	}
	if doc := firstSentence(s.Doc); doc != "" {
		out += doc + "\n\n"
	}
	return out
}

// quoted is the snippet on lines of its own, and whether it is all.
func (s symbol) quoted() string {
	if s.Snippet == "" {
		return ""
	}
	out := s.Snippet + "\n\n"
	if s.Cut != "" {
		out += "It goes on beyond what is shown.\n\n"
	}
	return out
}

// code is a code span.
func code(s string) string {
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		return doc[:i+1]
	}
	return doc
}

// failed says honestly that a tool failed.
func (f folders) failed(what string, r toolResult) step {
	text := what + ": " + r.Error + "."
	if r.Hint != "" {
		text += " Hint: " + r.Hint + "."
	}
	return answerWith(text + "\n" + f.near(r.Candidates))
}

// near lists what comes close to what was not found.
func (f folders) near(candidates []candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	out := "\nThese come close:\n\n"
	for _, c := range candidates {
		switch {
		case c.Canon != "":
			out += fmt.Sprintf("- %s (%s) — %s\n", code(c.Canon), c.Kind, f.place(c.ID))
		case c.File != "":
			out += fmt.Sprintf("- %s:%d\n", f.rel(c.File), c.Line)
		default:
			out += "- " + code(c.Word) + "\n"
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
