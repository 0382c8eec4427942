package query

import (
	"slices"
	"strings"

	"ploke-lsp/index/postings"
)

// addNear adds what is nearest to a word that no file has, and returns it.
func (c *corpus) addNear(q *parsedQuery, word string) (as []string) {
	near := c.nearTo(strings.ToLower(word))
	if len(near) > 0 && near[0].distance <= maxNearDistance {
		q.dontAsk(word)
	}
	for _, n := range near {
		weight := nearWeight * (1 - n.distance)
		if n.distance > maxNearDistance {
			weight = beginningWeight
		}
		if c.has(postings.Exact(n.name)) {
			q.addExact(n.name, weight)
		}
		q.addTerms(n.name, weight)
		as = append(as, n.name)
	}
	return as
}

// nearTo returns the names and words that are nearest to a word, the nearest first. If none is near, it returns the
// word that has the longest beginning in common with it.
func (c *corpus) nearTo(word string) []rankedName {
	near, known := c.nearest[word]
	if !known {
		near = c.nearWords(wholeTerm(word), c.nearNames(word))
		if c.nearest == nil {
			c.nearest = map[string][]rankedName{}
		}
		c.nearest[word] = near
	}
	return near
}

// nearNames returns the names that are nearest to a word. To compare a word with all names would take longer than all
// else of a search. So names are looked up that are one mistake away. The other ones are found next to each other by
// their first letters: they begin with those of the word, perhaps behind an underscore.
func (c *corpus) nearNames(word string) []rankedName {
	f := newNearFinder(word, maxNear, maxNearDistance)
	if f == nil {
		return nil
	}
	f.margin = nearMargin
	for _, name := range transposed(word) {
		if c.named([]byte(name)) || c.has(wholeTerm(name)) {
			f.add([]byte(name), 1/float64(len(word)))
		}
	}
	f.accept = c.named
	for _, v := range c.views {
		f.complete(word, v.Names())
	}
	for _, v := range c.views {
		names := v.Names()
		for _, beginning := range []string{word[:min(sameBeginning, len(word))], "_" + word[:1]} {
			from, end := names.WithPrefix(beginning)
			f.consider(names, from, end)
		}
	}
	if !oneMistake(word, f.near) {
		for at := range min(sameBeginning, len(word)) {
			mistypedAt(word, at, func(name []byte) { f.add(name, f.distance(name, true, true)) })
		}
	}
	return f.near
}

// random reports whether a word looks like a key, or a part of one: what is near to such a word must not be told.
func random(word string) bool {
	const most = 5 // runs of letters and of digits in a name, such as x86_64_v2
	runs, digits := 0, false
	for i, b := range []byte(word) {
		if is := b >= '0' && b <= '9'; i == 0 || is != digits {
			runs, digits = runs+1, is
		}
	}
	return runs > most
}

// nearWords adds to the nearest names the nearest terms of words. Those with one mistake in the first letters are
// looked up, as names are.
func (c *corpus) nearWords(word string, names []rankedName) []rankedName {
	p := newPattern(word)
	if p == nil {
		return names
	}
	near := slices.Clone(names)
	consider := func(term []byte) {
		if random(string(term)) {
			return
		}
		length, bound := max(len(term), len(word)), maxNearDistance
		if len(near) > 0 {
			bound = min(bound, near[0].distance+nearMargin)
		}
		most := int(bound*float64(length) + roundingMargin)
		if length-min(len(term), len(word)) > most {
			return
		}
		if edits := p.edits(term, most); edits <= most && c.has(string(term)) && !isTermOf(term, names) {
			near = insertTop(near, rankedName{string(term), float64(edits) / float64(length)}, maxNear, compareNames)
		}
	}
	var begins rankedName // its distance is the number of bytes, as a negative number
	for _, v := range c.views {
		v.WithPrefix(word[:min(len(word), sameBeginning+1)], func(term []byte) {
			if n := common(word, term); n >= minBeginning && -float64(n) <= begins.distance && !random(string(term)) {
				alike := rankedName{string(term), -float64(n)}
				if compareNames(alike, begins) < 0 && c.has(alike.name) {
					begins = alike
				}
			}
			consider(term)
		})
	}
	if len(word) > sameBeginning && !oneMistake(word, near) {
		mistypedAt(word, sameBeginning, consider)
	}
	if len(near) == 0 && begins.name != "" {
		return []rankedName{{begins.name, 1}}
	}
	return slices.DeleteFunc(near, func(n rankedName) bool { return n.distance > near[0].distance+nearMargin })
}

// oneMistake reports whether the nearest name or word is at most one mistake away from a word.
func oneMistake(word string, near []rankedName) bool {
	return len(near) > 0 && near[0].distance <= 1/float64(len(word))
}

// mistypedAt calls visit for the words that a word with one mistake at an offset may stand for: a byte too much, too
// few, or another one. A word is valid until visit returns.
func mistypedAt(word string, at int, visit func(word []byte)) {
	const letters = "abcdefghijklmnopqrstuvwxyz_"
	buf := append(append(make([]byte, 0, maxPattern), word[:at]...), word[at+1:]...)
	visit(buf)
	buf = append(buf[:0], word...)
	for i := range len(letters) {
		if buf[at] = letters[i]; letters[i] != word[at] {
			visit(buf)
		}
	}
	buf = append(append(append(buf[:0], word[:at]...), 0), word[at:]...)
	for i := range len(letters) {
		buf[at] = letters[i]
		visit(buf)
	}
}

// transposed returns the words that have two neighboring bytes of a word the other way round. That is one mistake of a
// person and two edits.
func transposed(word string) (all []string) {
	for i := range len(word) - 1 {
		if word[i] != word[i+1] {
			all = append(all, word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:])
		}
	}
	return all
}

// wholeTerm returns the term of all of a word, "" for a word without terms.
func wholeTerm(word string) string {
	return lastOf(postings.Terms(word))
}

// lastOf returns the last of the terms of a word, which is that of all of the word.
func lastOf(terms []string) string {
	if len(terms) == 0 {
		return ""
	}
	return terms[len(terms)-1]
}

// isTermOf reports whether a term is that of one of the names.
func isTermOf(term []byte, names []rankedName) bool {
	return slices.ContainsFunc(names, func(n rankedName) bool { return wholeTerm(n.name) == string(term) })
}

// named reports whether a symbol has a name, which is in lower case.
func (c *corpus) named(name []byte) bool { return c.has(postings.Exact(string(name))) }

// common returns how many bytes two words begin with that are the same.
func common(a string, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
