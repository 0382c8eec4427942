package secretscan

// trigger is a word at which a secret may be near.
type trigger struct {
	word string // in lower case if fold is set
	fold bool   // upper case counts as lower case
	// find returns the secrets near the word, which begins at an offset of the text.
	find func(text string, at int) []Span
}

// byPair holds the triggers by the first two bytes of their words, so that most places of
// a text cost one look.
var byPair = func() (table [1 << 16][]trigger) {
	for _, triggers := range [][]trigger{issuerTriggers(), nameTriggers(), shapeTriggers(), keyTriggers()} {
		for _, t := range triggers {
			for _, first := range cases(t.word[0], t.fold) {
				for _, second := range cases(t.word[1], t.fold) {
					pair := uint16(first)<<8 | uint16(second)
					table[pair] = append(table[pair], t)
				}
			}
		}
	}
	return table
}()

// cases returns a letter in the cases that count as equal.
func cases(c byte, fold bool) []byte {
	if fold && 'a' <= c && c <= 'z' {
		return []byte{c, c - 'a' + 'A'}
	}
	return []byte{c}
}

// eachTrigger calls visit for each trigger in a text until it returns false.
func eachTrigger(text string, visit func(t *trigger, at int) (next bool)) {
	for i := 0; i+1 < len(text); i++ {
		triggers := byPair[uint16(text[i])<<8|uint16(text[i+1])]
		for j := range triggers {
			t := &triggers[j]
			if t.starts(text[i:]) && !visit(t, i) {
				return
			}
		}
	}
}

// starts reports whether text starts with the word.
func (t *trigger) starts(text string) bool {
	if len(text) < len(t.word) {
		return false
	}
	for i := range len(t.word) {
		c := text[i]
		if t.fold && 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != t.word[i] {
			return false
		}
	}
	return true
}

// find returns the secrets in a text, unsorted and possibly overlapping.
func find(text string) (found []Span) {
	eachTrigger(text, func(t *trigger, at int) bool {
		found = append(found, t.find(text, at)...)
		return true
	})
	return append(found, partialPEM(text)...)
}

// Suspicious is a fast check that reports whether Find may find a secret.
func Suspicious(text string) bool {
	suspicious := longestRun(text) >= pemLine
	eachTrigger(text, func(*trigger, int) bool {
		suspicious = true
		return false
	})
	return suspicious
}
