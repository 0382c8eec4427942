package secretscan

import (
	"slices"
	"sync"
)

// trigger is a word at which a secret may be near.
type trigger struct {
	word string // in lower case if fold is set
	fold bool   // upper case counts as lower case
	// find returns the secrets near the word, which begins at an offset of the text.
	find func(text string, at int) []Span
	// separators end what is looked at after the word. Without one of them, find is called for
	// only some of many such words: see crowd. Empty if find looks at little.
	separators string
}

// triggers returns byPair, which holds, for each two bytes, the place in lists of the triggers whose words begin
// with them, so that most places of a text cost one look.
var triggers = sync.OnceValues(func() (byPair *[1 << 16]uint8, lists [][]trigger) {
	return pairs(issuerTriggers(), nameTriggers(), shapeTriggers(), keyTriggers())
})

func pairs(all ...[]trigger) (table *[1 << 16]uint8, lists [][]trigger) {
	table, lists = new([1 << 16]uint8), [][]trigger{nil}
	for _, t := range slices.Concat(all...) {
		for _, first := range cases(t.word[0], t.fold) {
			for _, second := range cases(t.word[1], t.fold) {
				list := &table[uint16(first)<<8|uint16(second)]
				if *list == 0 {
					*list = uint8(len(lists))
					lists = append(lists, nil)
				}
				lists[*list] = append(lists[*list], t)
			}
		}
	}
	if len(lists) > 1<<8 {
		panic("secretscan: too many first pairs for a byte")
	}
	return table, lists
}

// cases returns a letter in the cases that count as equal.
func cases(c byte, fold bool) []byte {
	if fold && 'a' <= c && c <= 'z' {
		return []byte{c, c - 'a' + 'A'}
	}
	return []byte{c}
}

// eachTrigger calls visit for each trigger in a text until it returns false.
func eachTrigger(text string, visit func(t *trigger, at int) (next bool)) {
	byPair, lists := triggers()
	for i := 0; i+1 < len(text); i++ {
		list := byPair[uint16(text[i])<<8|uint16(text[i+1])]
		if list == 0 {
			continue
		}
		for j := range lists[list] {
			t := &lists[list][j]
			if t.goesOn(text[i+2:]) && !visit(t, i) {
				return
			}
		}
	}
}

// goesOn reports whether text starts with the word without its first two bytes.
func (t *trigger) goesOn(text string) bool {
	rest := t.word[2:]
	if len(text) < len(rest) {
		return false
	}
	for i := range len(rest) {
		c := text[i]
		if t.fold && 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != rest[i] {
			return false
		}
	}
	return true
}

// find returns the secrets in a text, unsorted and possibly overlapping.
func find(text string) []Span {
	found := search(text, func(t *trigger, at int) []Span { return t.find(text, at) })
	return append(found, partialPEM(text)...)
}

// search calls look for the triggers in a text that may show more than earlier ones, and returns
// the results.
func search(text string, look func(t *trigger, at int) []Span) (found []Span) {
	crowds := map[string]crowd{}
	var long Span // the last secret that is longer than what is looked at for one
	eachTrigger(text, func(t *trigger, at int) bool {
		within := long.Start <= at && at+longestKey < long.End
		if within || t.separators != "" && !mayLookAt(crowds, t.separators, text, at) {
			return true
		}
		for _, s := range look(t, at) {
			found = append(found, s)
			if s.End-s.Start > longestKey {
				long = s
			}
		}
		return true
	})
	return found
}

// Suspicious is a fast check that reports whether Find may find a secret.
func Suspicious(text string) bool {
	suspicious := hasRun(text, pemLine)
	eachTrigger(text, func(*trigger, int) bool {
		suspicious = true
		return false
	})
	return suspicious
}
