package o200k

// Measured is a text whose tokens were counted, so that [Joined] can count it again as a part of
// others.
type Measured struct {
	first, last field // if it has only one field, that is first
	between     int   // the tokens of the other fields
	several     bool  // whether it has more than one field
}

// field is a part of a text that can be counted on its own, see nextField.
type field struct {
	text   string
	tokens int
}

func measureField(text string) field { return field{text, Count(text)} }

// with returns a field with what follows it.
func (f field) with(more field) field {
	if f.text == "" {
		return more
	}
	return measureField(f.text + more.text)
}

// Measure counts the tokens of a text.
func Measure(text string) Measured {
	first := nextField(text)
	if first == len(text) {
		return Measured{first: measureField(text)}
	}
	last := len(text) - 1
	for !endsField(text[last-1], text[last]) {
		last--
	}
	return Measured{first: measureField(text[:first]), last: measureField(text[last:]), between: Count(text[first:last]),
		several: true}
}

// Tokens returns the number of tokens of the text.
func (m Measured) Tokens() int { return m.first.tokens + m.between + m.last.tokens }

// Joined returns the number of tokens that texts have one behind the other: what [Count] returns
// for all of them in one. It counts only the fields that go on in the next text.
func Joined(texts []Measured) (n int) {
	var open field // that may go on in the next text
	for _, t := range texts {
		if open.text != "" && t.first.text != "" && endsField(open.text[len(open.text)-1], t.first.text[0]) {
			n += open.tokens
			open = field{}
		}
		if open = open.with(t.first); t.several {
			n += open.tokens + t.between
			open = t.last
		}
	}
	return n + open.tokens
}
