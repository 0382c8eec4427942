package inquiries

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Changing is a place whose value may be changed, with its line as it would be.
type Changing struct {
	Candidate
	Changed string
}

// Setting finds the line whose value is to be changed.
type Setting struct{ Given }

// SettingOf finds that of a change.
func SettingOf(change lexicon.ValueChange) Setting {
	x, _ := change.Amount()
	return Setting{Given{x}}
}

// Reads returns nil: the lines of the searches say it.
func (Setting) Reads(Look) []Lines { return nil }

// Having returns the places that may have the value which is to be changed, the best first: those whose name is the one
// that is said, if any is.
func (x Setting) Having(l Look, change lexicon.ValueChange) (found []Changing) {
	for _, c := range x.all(l) {
		same := func(o Changing) bool { return o.File == c.File && o.Line == c.Line }
		changed, ok := change.In(c.Text, c.Given)
		if ok && !c.Computed && !c.Below && !slices.ContainsFunc(found, same) {
			found = append(found, Changing{c, changed})
		}
	}
	said := func(c Changing) bool { return c.Name == change.Of }
	if slices.ContainsFunc(found, said) {
		found = slices.DeleteFunc(found, func(c Changing) bool { return !said(c) })
	}
	if len(found) == 0 {
		return nil
	}
	best := found[0]
	return slices.DeleteFunc(found, func(c Changing) bool {
		return c.Sum < best.Sum-unsure || best.Sure && c.Sum < best.Sum-near
	})
}

// AskWhich lists the lines that may be meant, and how each is changed.
func (l Look) AskWhich(found []Changing) string {
	text := fmt.Sprintf("Which one do you mean? I changed nothing yet: %s may have this value.\n\n",
		results.Count(len(found), "line"))
	for _, c := range found[:min(rivals, len(found))] {
		text += fmt.Sprintf("- %s:%d: %s becomes %s\n", l.Rel(c.File), c.Line,
			results.Code(results.Clip(strings.TrimSpace(c.Text))), results.Code(results.Clip(strings.TrimSpace(c.Changed))))
	}
	first := found[0]
	return text + "\nSay for example " + results.Code(fmt.Sprintf("replace `%s` with `%s` in %s",
		strings.TrimSpace(first.Text), strings.TrimSpace(first.Changed), l.Rel(first.File))) + ".\n"
}
