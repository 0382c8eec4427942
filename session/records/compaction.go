package records

import (
	"fmt"
	"slices"
	"strings"
)

// Compaction says which parts of a conversation are shortened or dropped. It is
// stored with the answer of the turn that made it, and holds until the next
// compaction.
type Compaction struct {
	Shortened []string `json:"shortened,omitempty"` // calls (the model's ids) whose results are shortened
	// as stored: the calls that the compaction before shortens are shortened, too
	Continues bool   `json:"continues,omitempty"`
	NoHeads   bool   `json:"no_heads,omitempty"` // shortened results are without their beginning
	From      string `json:"from,omitempty"`     // id of the first user's message that is sent
	// number of attachments, the newest of the dropped messages, that are still sent
	Pinned int     `json:"pinned,omitempty"`
	Left   LeftOut `json:"left,omitzero"` // what is still said of the dropped messages
}

// Equal reports whether two compactions shorten and drop the same.
func (c Compaction) Equal(d Compaction) bool {
	return c.NoHeads == d.NoHeads && c.From == d.From && c.Pinned == d.Pinned && slices.Equal(c.Shortened, d.Shortened)
}

// Stored returns what is stored of a compaction that follows another one: only the calls that are new, unless
// older messages were dropped. To store all of them again would make a conversation grow with the square of its length.
func (c Compaction) Stored(before Compaction) Compaction {
	if c.From == before.From { // else the calls that were dropped are gone from the list
		c.Shortened, c.Continues, c.Left = c.Shortened[len(before.Shortened):], true, LeftOut{}
	}
	return c
}

// LineKind says what a line is of. Those that are left out first come first.
type LineKind string

// The kinds of lines.
const (
	AnswerLine   LineKind = "answer"
	QuestionLine LineKind = "question"
	ProposalLine LineKind = "proposal"
	FirstLine    LineKind = "first" // the first question; always kept
)

// LeftOutLine is what is kept of a message, or of a proposal.
type LeftOutLine struct {
	Kind     LineKind `json:"kind"`
	Text     string   `json:"text"`
	Proposal string   `json:"proposal,omitempty"` // id
}

// LeftOut has the lines of the messages that a compaction drops, in their order, and how many are omitted.
type LeftOut struct {
	Lines   []LeftOutLine    `json:"lines,omitempty"`
	Omitted map[LineKind]int `json:"omitted,omitempty"`
}

// Text returns the lines as they stand before the first message that is sent.
func (l LeftOut) Text() string {
	if len(l.Lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("The beginning of the conversation is left out. In short:\n")
	for i, line := range l.Lines {
		b.WriteString("- " + line.Text + "\n")
		if i == 0 {
			b.WriteString(l.omittedText())
		}
	}
	return b.String() + "\nThe conversation goes on:\n\n"
}

// omittedText says how many lines are omitted.
func (l LeftOut) omittedText() string {
	var parts []string
	for _, kind := range []LineKind{QuestionLine, AnswerLine, ProposalLine} {
		if n := l.Omitted[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %ss", n, kind))
		}
	}
	if parts == nil {
		return ""
	}
	return "- (left out here, too: " + strings.Join(parts, ", ") + ")\n"
}

// Within returns the lines less those that don't fit into so many tokens, the oldest of the least important kind first.
func (l LeftOut) Within(tokens int, count func(string) int) LeftOut {
	left := tokens - count(LeftOut{Lines: []LeftOutLine{{}}, Omitted: map[LineKind]int{AnswerLine: 1, QuestionLine: 1, ProposalLine: 1}}.Text())
	for _, line := range l.Lines {
		left -= count(line.Text) + 2 // its mark and its end
	}
	omitted := map[LineKind]int{}
	for kind, n := range l.Omitted {
		omitted[kind] = n
	}
	for _, kind := range []LineKind{AnswerLine, QuestionLine, ProposalLine} {
		l.Lines = slices.DeleteFunc(slices.Clone(l.Lines), func(line LeftOutLine) bool {
			if line.Kind != kind || left >= 0 {
				return false
			}
			left += count(line.Text) + 2
			omitted[kind]++
			return true
		})
	}
	l.Omitted = omitted
	return l
}
