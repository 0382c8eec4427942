package edits

// compose returns hunks of base that have the same effect as hunks followed by es. The es are
// sorted edits of text, which is base with hunks applied. An edit inside the new text of a hunk
// becomes part of that hunk. Hunks that are spanned by one edit become one hunk, which keeps
// the id of the first.
func compose(text []byte, hunks []Hunk, es []Edit) []Hunk {
	c := composer{text: text, hunks: hunks, edits: es}
	for len(c.hunks) > 0 || len(c.edits) > 0 {
		switch {
		case len(c.edits) == 0:
			c.keep()
		case len(c.hunks) == 0:
			c.add()
		case c.joined(c.edits[0]):
			c.merge()
		case c.edits[0].End <= c.start():
			c.add()
		default:
			c.keep()
		}
	}
	return c.out
}

type composer struct {
	text  []byte
	hunks []Hunk // still to process
	edits []Edit // still to process
	delta int    // offset in text minus offset in base at the current position
	out   []Hunk
}

// start and end are the offsets of the next hunk's new text in text.
func (c *composer) start() int { return c.hunks[0].Edit.Start + c.delta }
func (c *composer) end() int   { return c.start() + len(c.hunks[0].Edit.New) }

// joined reports whether e and the next hunk cannot be separated in base: they overlap, or e
// inserts at the edge of a hunk that is empty in base or in text.
func (c *composer) joined(e Edit) bool {
	start, end := c.start(), c.end()
	if e.Start < end && start < e.End {
		return true
	}
	point := c.hunks[0].Edit.Start == c.hunks[0].Edit.End || start == end
	return point && e.Start == e.End && (e.Start == start || e.Start == end)
}

// keep passes the next hunk on unchanged.
func (c *composer) keep() {
	c.out = append(c.out, c.hunks[0])
	c.drop()
}

func (c *composer) drop() {
	c.delta += c.hunks[0].Edit.shift()
	c.hunks = c.hunks[1:]
}

// add makes a hunk of the next edit, which touches no hunk.
func (c *composer) add() {
	e := c.edits[0]
	c.edits = c.edits[1:]
	e.Start -= c.delta
	e.End -= c.delta
	c.out = append(c.out, newHunk(e))
}

// merge makes one hunk of the next hunk, the next edit, and everything that is joined to them.
//
// Hunks and edits take turns: an edit may span several hunks, and a hunk may hold several edits, the last of which
// may span the next hunk again. from and to bound all of them in text. In base, the bound before the first hunk is
// shifted by what was passed so far, and the bound behind the last one by what these hunks shift in addition.
func (c *composer) merge() {
	id := c.hunks[0].ID
	before := c.delta
	from, to := min(c.start(), c.edits[0].Start), 0
	var inside []Edit
	for together := true; together; {
		for len(c.edits) > 0 && c.joined(c.edits[0]) {
			inside = append(inside, c.edits[0])
			c.edits = c.edits[1:]
		}
		last := inside[len(inside)-1]
		to = max(c.end(), last.End)
		c.drop()
		together = len(c.hunks) > 0 && c.joined(last)
	}
	c.out = append(c.out, c.merged(id, from, to, before, inside))
}

// merged returns the hunk that replaces the bytes from..to of text.
func (c *composer) merged(id string, from, to, before int, inside []Edit) Hunk {
	for i := range inside {
		inside[i].Start -= from
		inside[i].End -= from
	}
	text, err := Apply(c.text[from:to], inside)
	if err != nil {
		panic(err) // cannot happen: the edits are sorted and inside the text
	}
	return Hunk{ID: id, Edit: Edit{Start: from - before, End: to - c.delta, New: string(text)}, State: Staged}
}
