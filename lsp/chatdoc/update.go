package chatdoc

import "strings"

// Update returns the edits that bring a text up to date with its conversation. They add what the
// text lacks and take nothing away that a person may have written:
//   - turns after the last answer in the text,
//   - the rest of an answer that was being written when the text was last changed,
//   - an empty section for the next message.
//
// A text that is not a chat document becomes the next message of one.
func Update(text string, c Conversation) []Edit {
	d := Parse(text)
	if !d.IsChat {
		edits := []Edit{{New: Render(c) + "\n"}}
		for _, s := range d.Sections { // which are the person's words
			edits = append(edits, Edit{s.Start, s.Start, " "})
		}
		return edits
	}
	edits := d.updateHeader(c)
	last := 0
	for _, s := range d.Sections {
		if s.Speaker != Ploke || s.Number > len(c.Turns) {
			continue
		}
		last = max(last, s.Number)
		if s.Detail == Answering {
			edits = append(edits, d.complete(s, c.Turns[s.Number-1])...)
		}
	}
	return append(edits, d.addTurns(c, last)...)
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
