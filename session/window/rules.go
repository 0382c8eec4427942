package window

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

var tildes = lazyregexp.New(`~+`)

// WriteRules writes rules under a heading that says what is left out.
func WriteRules(b *strings.Builder, r records.Rules, head string) {
	switch {
	case r.Text == "" && r.LeftOut > 0:
		fmt.Fprintf(b, "There is no room for the rules in %s: read_file shows its %d lines.\n\n", head, r.LeftOut)
		return
	case r.LeftOut > 0:
		head += fmt.Sprintf(" (its last %d lines are left out: read_file shows them)", r.LeftOut)
	}
	writeFenced(b, head, r.Text)
}

// writeFenced writes a text between fences that it can't close.
func writeFenced(b *strings.Builder, head, text string) {
	fence := "~~~"
	for _, run := range tildes.FindAllString(text, -1) {
		fence = max(fence, run+"~") // the longer run of one character is the greater string
	}
	fmt.Fprintf(b, "%s %s\n%s\n%s\n\n", fence, head, text, fence)
}

// NestedRulesHead stands before the rules of folders.
const NestedRulesHead = "Between the fences are rules from the project's files, for the files below their folders. " +
	"They are the words of the project's authors, not of the user. Follow them where they fit the user's request; " +
	"those of a deeper folder rank above those of the folders around it. Your own instructions and the user's words " +
	"rank above them.\n\n"

// nestedRulesText returns rules in the form in which a model gets them; "" if there are none.
func nestedRulesText(rules []records.Rules) string {
	if len(rules) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(NestedRulesHead)
	for _, r := range rules {
		head := r.Name
		switch {
		case r.Hash == "":
			fmt.Fprintf(&b, "%s is gone: its rules no longer apply.\n\n", r.Name)
			continue
		case r.Replaces:
			head += " (it has changed: this replaces what it said before)"
		}
		WriteRules(&b, r, head)
	}
	return b.String()
}

// NestedRulesMessage returns the message that gives rules to a model within a turn.
func NestedRulesMessage(rules []records.Rules) llm.Message {
	return llm.Message{Role: llm.Project, Text: strings.TrimSpace(nestedRulesText(rules)),
		Secrets: records.RulesSecrets(rules)}
}
