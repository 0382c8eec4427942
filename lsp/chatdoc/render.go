package chatdoc

import (
	"fmt"
	"strings"
)

// Answering stands in the heading of an answer that is not complete, in place of the model.
const Answering = "answering"

// A Conversation is what a document shows: one branch of a conversation.
type Conversation struct {
	ID    string // "" if it has not begun
	Leaf  string // the last message of the branch
	Title string
	Turns []Turn // in the order of the branch
}

// A Turn is a message of the person with its answer.
type Turn struct {
	Question string
	Model    string // that answered; [Answering] while it does
	Answer   string // laid out with a [Layout]
}

// hint stands in a document whose conversation has not begun.
const hint = "<!-- Write below, then run the code action \"ploke: send\". @file, #symbol and /command complete. -->\n" +
	"<!-- What is proposed waits in its files: the code actions at its diagnostics accept, reject or show it. -->\n"

// Render returns the text of a document. It ends in an empty section for the next message.
func Render(c Conversation) string {
	var b strings.Builder
	b.WriteString(header(c) + "\n")
	if c.Title != "" {
		fmt.Fprintf(&b, "# %s\n", oneLine(c.Title))
	}
	if len(c.Turns) == 0 {
		b.WriteString(hint)
	}
	b.WriteString(turns(c, 1) + "\n" + heading(You, len(c.Turns)+1, ""))
	return b.String()
}

func header(c Conversation) string {
	return strings.Join(strings.Fields("<!-- ploke chat "+c.ID+" "+c.Leaf+" -->"), " ")
}

// heading returns the heading of a section with its line break.
func heading(s Speaker, number int, detail string) string {
	h := fmt.Sprintf("## %s %d", s, number)
	if detail = oneLine(detail); detail != "" {
		h += " · " + detail
	}
	return h + "\n"
}

// turns renders the turns from a number on. Each section begins and ends with a line break.
func turns(c Conversation, from int) string {
	var b strings.Builder
	for n := from; n <= len(c.Turns); n++ {
		t := c.Turns[n-1]
		b.WriteString("\n" + heading(You, n, "") + "\n" + Quote(t.Question) + "\n")
		b.WriteString(answer(t, n))
	}
	return b.String()
}

// answer renders the answer of the turn with a number.
func answer(t Turn, number int) string {
	text := "\n" + heading(Ploke, number, t.Model)
	if t.Answer != "" {
		text += "\n" + t.Answer + "\n"
	}
	return text
}
