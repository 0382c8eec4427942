package chatdoc

import "strings"

// Rewrite returns the edits after which a text shows the turns from a number on as they are in another
// branch of its conversation. old is the branch that it shows so far. What the person wrote in the
// sections that are replaced, and did not send, goes into the section for the next message. sent is
// the message that the person has sent from them.
func Rewrite(text string, old, c Conversation, from int, sent string) []Edit {
	d := Parse(text)
	start := len(text)
	for _, s := range d.Sections {
		if s.Number >= from || s == d.Sections[len(d.Sections)-1] && s.Speaker == You {
			start = s.Start
			break
		}
	}
	unsent := d.unsent(start, old, sent)
	replacement := strings.TrimPrefix(turns(c, from), "\n") + "\n" + heading(You, len(c.Turns)+1, "")
	if len(c.Turns) < from {
		replacement = strings.TrimPrefix(replacement, "\n")
	}
	if unsent != "" {
		replacement += "\n" + unsent + "\n"
	}
	return append(d.updateHeader(c), Edit{start, len(text), replacement})
}

// unsent returns the lines behind an offset that are neither part of the conversation nor of the message
// sent: the person has written them.
func (d *Document) unsent(start int, c Conversation, sent string) string {
	var unsent []string
	for _, s := range d.Sections {
		if s.Start < start {
			continue
		}
		known := map[string]int{}
		stored := sent
		if n := s.Number; n >= 1 && n <= len(c.Turns) {
			stored += "\n" + c.Turns[n-1].Answer + "\n" + Quote(c.Turns[n-1].Question)
		}
		for line := range strings.Lines(clean(stored)) {
			known[strings.TrimSpace(line)]++
		}
		unsent = append(unsent, linesWithout(d.Text(s), known)...)
	}
	return strings.TrimSpace(strings.Join(unsent, "\n"))
}

// linesWithout returns the lines of a text except those that are known, each as often as it is known.
func linesWithout(text string, known map[string]int) (lines []string) {
	for line := range strings.Lines(text) {
		key := strings.TrimSpace(line)
		if key != "" && known[key] > 0 {
			known[key]--
			continue
		}
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
	return lines
}
