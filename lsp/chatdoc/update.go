package chatdoc

import "strings"

// Update returns the edits that bring a text up to date with its conversation. They add what the
// text lacks and take nothing away that a person may have written:
//   - turns after the last answer in the text,
//   - the rest of an answer that was being written when the text was last changed,
//   - an empty section for the next message.
//
// What is known of an answer's proposals is replaced by what is known now.
//
// A text that is not a chat document becomes the next message of one.
func Update(text string, c Conversation) []Edit {
	d := Parse(text)
	if !d.IsChat {
		return d.begin(c)
	}
	edits := d.updateHeader(c)
	last := 0
	for _, s := range d.Sections {
		if s.Speaker != Ploke || s.Number > len(c.Turns) {
			continue
		}
		last = max(last, s.Number)
		if turn := c.Turns[s.Number-1]; s.Detail == Answering {
			edits = append(edits, d.complete(s, turn)...)
		} else {
			edits = append(edits, d.updateEvidence(s, turn)...)
		}
	}
	return append(edits, d.addTurns(c, last)...)
}

// begin makes a chat of a text that is none, before it. What looks like a section of it is the person's words.
func (d *Document) begin(c Conversation) []Edit {
	edits := []Edit{{New: Render(c) + "\n"}}
	for _, s := range d.Sections {
		edits = append(edits, Edit{s.Start, s.Start, " "})
	}
	return edits
}

// updateHeader makes the first line name the conversation and its leaf.
func (d *Document) updateHeader(c Conversation) []Edit {
	if h := header(c); d.text[:d.header] != h {
		return []Edit{{0, d.header, h}}
	}
	return nil
}

// complete adds what the section of an answer lacks. If the person has changed what is there, the whole
// answer follows it.
func (d *Document) complete(s Section, t Turn) []Edit {
	if t.Model == Answering {
		return nil
	}
	edits := []Edit{d.rename(s, s.Number, t.Model)}
	have := d.Text(s)
	rest, found := strings.CutPrefix(t.Answer, have)
	if rest == "" {
		return edits
	}
	end := d.TextEnd(s)
	switch {
	case have == "":
		rest = "\n" + t.Answer + "\n"
	case !found:
		rest = "\n\n" + t.Answer
	}
	return append(edits, Edit{end, end, rest + d.lineBreakAt(end)})
}

// updateEvidence makes the lines below the proposals of an answer say what is known now. Where the person has removed
// them, they stay away.
func (d *Document) updateEvidence(s Section, t Turn) (edits []Edit) {
	have, want := evidenceIn(d.text[s.Body:s.End]), evidenceIn(t.Answer)
	if len(have) != len(want) {
		return nil
	}
	for i, h := range have {
		if w := want[i]; h.proposal == w.proposal && h.lines != "" && h.lines != w.lines {
			edits = append(edits, Edit{s.Body + h.start, s.Body + h.end, w.lines})
		}
	}
	return edits
}

// shownEvidence is what stands below a proposal of an answer.
type shownEvidence struct {
	proposal   string // its line
	lines      string // each with a line break before it
	start, end int    // offsets of lines
}

func evidenceIn(answer string) (all []shownEvidence) {
	open := false
	at := 0
	for line := range strings.Lines(answer) {
		text := strings.TrimRight(line, "\r\n")
		end := at + len(text)
		switch {
		case proposalLine.MatchString(text):
			all = append(all, shownEvidence{proposal: text, start: end, end: end})
			open = true
		case open && evidenceLine.MatchString(text):
			last := &all[len(all)-1]
			last.lines += "\n" + text
			last.end = end
		default:
			open = false
		}
		at += len(line)
	}
	return all
}

// lineBreakAt returns a line break if the text ends at an offset.
func (d *Document) lineBreakAt(offset int) string {
	if offset == len(d.text) {
		return "\n"
	}
	return ""
}

// rename gives a section's heading another number and detail.
func (d *Document) rename(s Section, number int, detail string) Edit {
	line := strings.TrimRight(d.text[s.Start:s.Body], "\r\n")
	return Edit{s.Start, s.Start + len(line), strings.TrimSuffix(heading(s.Speaker, number, detail), "\n")}
}

// addTurns adds the turns after the last one that is answered in the text, in front of what the person is
// writing.
func (d *Document) addTurns(c Conversation, last int) (edits []Edit) {
	next := len(c.Turns) + 1
	draft, ok := d.Draft()
	if !ok {
		return []Edit{d.append(turns(c, last+1) + "\n" + heading(You, next, ""))}
	}
	if last < len(c.Turns) && d.Text(draft) == clean(Quote(c.Turns[last].Question)) { // it was sent
		end := d.TextEnd(draft)
		rest := turns(c, last+2) + "\n" + heading(You, next, "")
		text := "\n" + answer(c.Turns[last], last+1) + rest
		return append(d.renumber(draft, last+1), Edit{end, end, text})
	}
	if missing := turns(c, last+1); missing != "" {
		number, start := d.renumber(draft, next), draft.Start
		if len(number) == 1 && number[0].Start == start {
			number[0].New = missing[1:] + "\n" + number[0].New
			return number
		}
		return []Edit{{start, start, missing[1:] + "\n"}}
	}
	return d.renumber(draft, next)
}

// renumber gives a section's heading a number if it has another one.
func (d *Document) renumber(s Section, number int) []Edit {
	if s.Number == number {
		return nil
	}
	return []Edit{d.rename(s, number, s.Detail)}
}

// append adds text, which begins with a line break, after all sections.
func (d *Document) append(text string) Edit {
	end := len(d.text)
	if !strings.HasSuffix(d.text, "\n") {
		text = "\n" + text
	}
	return Edit{end, end, text}
}

// Finish returns the edit that gives the answer of a turn its heading, and nothing if it has one.
func Finish(text string, number int, model string) []Edit {
	d := Parse(text)
	for _, s := range d.Sections {
		if s.Speaker == Ploke && s.Number == number && s.Detail == Answering {
			return []Edit{d.rename(s, number, model)}
		}
	}
	return nil
}
