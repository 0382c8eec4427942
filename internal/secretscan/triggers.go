package secretscan

import (
	"math/bits"
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

// table finds the triggers at a place of a text. Most places cost one look at a set that is small
// enough for a processor's cache.
type table struct {
	// triples is the set of the first three bytes of words, as their codes: see sixBits. A word of two
	// bytes has all codes as its third.
	triples [1 << 12]uint64
	// ranks has, for each number in triples, how many of the set are in those before it: their place in lists.
	ranks [1 << 12]uint16
	lists [][]*trigger
}

// triggers returns the table of all rules.
var triggers = sync.OnceValue(func() *table {
	all, x := slices.Concat(issuerTriggers(), nameTriggers(), shapeTriggers(), keyTriggers()), &table{}
	for i := range all {
		for triple := range all[i].triples {
			x.triples[triple>>6] |= 1 << (triple & 63)
		}
	}
	count := 0
	for i, set := range &x.triples {
		x.ranks[i] = uint16(count)
		count += bits.OnesCount64(set)
	}
	x.lists = make([][]*trigger, count)
	for i := range all {
		for triple := range all[i].triples {
			place := x.place(triple)
			x.lists[place] = append(x.lists[place], &all[i])
		}
	}
	return x
})

// place returns the place in lists of a triple that is in the set.
func (x *table) place(triple uint32) int {
	before := uint64(1)<<(triple&63) - 1
	return int(x.ranks[triple>>6&0xfff]) + bits.OnesCount64(x.triples[triple>>6&0xfff]&before)
}

// triples calls yield for those with which the word may begin, each once.
func (t *trigger) triples(yield func(triple uint32) bool) {
	thirds := t.thirds()
	for _, first := range cases(t.word[0], t.fold) {
		for _, second := range cases(t.word[1], t.fold) {
			for _, third := range thirds {
				if !yield(uint32(sixBits[first])<<12 | uint32(sixBits[second])<<6 | uint32(third)) {
					return
				}
			}
		}
	}
}

// thirds returns the codes of the third byte of the word, or of any byte.
func (t *trigger) thirds() (codes []byte) {
	if len(t.word) > 2 {
		for _, third := range cases(t.word[2], t.fold) {
			codes = append(codes, sixBits[third])
		}
		return codes
	}
	for code := range byte(1 << 6) {
		codes = append(codes, code)
	}
	return codes
}

// sixBits has a code for each byte: letters and what is frequent in keys have one of their own.
var sixBits = func() (codes [1 << 8]byte) {
	const others, single = 63, "_-./: "
	for c := range codes {
		codes[c] = others
	}
	for i := range byte(26) {
		codes['a'+i], codes['A'+i] = i, 26+i
	}
	for i := range byte(10) {
		codes['0'+i] = 52 + i%5
	}
	for i := range byte(len(single)) {
		codes[single[i]] = 57 + i
	}
	return codes
}()

// cases returns a letter in the cases that count as equal.
func cases(c byte, fold bool) []byte {
	if fold && 'a' <= c && c <= 'z' {
		return []byte{c, c - 'a' + 'A'}
	}
	return []byte{c}
}

// eachTrigger calls visit for each trigger in a text until it returns false. Something has to
// follow a word of two bytes.
func eachTrigger(text string, visit func(t *trigger, at int) (next bool)) {
	if len(text) < 3 {
		return
	}
	x, triple := triggers(), uint32(sixBits[text[0]])<<6|uint32(sixBits[text[1]])
	for i := 2; i < len(text); i++ {
		triple = triple<<6 | uint32(sixBits[text[i]])
		if x.triples[triple>>6&0xfff]&(1<<(triple&63)) != 0 && !x.eachOf(triple, text, i-2, visit) {
			return
		}
	}
}

// eachOf calls visit for each trigger of a triple that is at an offset, until it returns false.
func (x *table) eachOf(triple uint32, text string, at int, visit func(t *trigger, at int) (next bool)) (next bool) {
	for _, t := range x.lists[x.place(triple)] {
		if t.begins(text[at:]) && !visit(t, at) {
			return false
		}
	}
	return true
}

// begins reports whether a text begins with the word.
func (t *trigger) begins(text string) bool {
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
