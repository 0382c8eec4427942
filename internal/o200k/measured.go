package o200k

// Measured is a text whose tokens were counted, so that [Joined] can count it again as a part of
// others.
type Measured struct {
	first, last string // its first and last field, see nextField; if it has only one, that is first
	between     int    // the tokens of the other fields
	several     bool   // whether it has more than one field
}

// Measure counts the tokens of a text.
func Measure(text string) Measured {
	first := nextField(text)
	if first == len(text) {
		return Measured{first: text}
	}
	last := len(text) - 1
	for !endsField(text[last-1], text[last]) {
		last--
	}
	return Measured{first: text[:first], last: text[last:], between: Count(text[first:last]), several: true}
}

// Joined returns the number of tokens that texts have one behind the other: what [Count] returns
// for all of them in one. It counts only the fields at their ends.
func Joined(texts []Measured) (n int) {
	field := "" // that may go on in the next text
	for _, t := range texts {
		if field != "" && t.first != "" && endsField(field[len(field)-1], t.first[0]) {
			n += Count(field)
			field = ""
		}
		if field += t.first; t.several {
			n += Count(field) + t.between
			field = t.last
		}
	}
	return n + Count(field)
}
