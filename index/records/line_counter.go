package records

import "bytes"

// LineCounter counts the lines of a text. It is fast for ascending offsets.
type LineCounter struct {
	Text   []byte
	at     int
	before int // the number of line breaks before at
}

// LineOf returns the number of the line at an offset.
func (c *LineCounter) LineOf(at int) int {
	if at < c.at {
		c.at, c.before = 0, 0
	}
	c.before += bytes.Count(c.Text[c.at:at], []byte{'\n'})
	c.at = at
	return c.before + 1
}
