package tools

import "strings"

// tellingBytes is how long a line is, with its number, that identifies a place: a shorter one, such
// as a bracket, may be that of another file.
const tellingBytes = 24

// markSent marks the lines of a hit that the model has read as shown.
func (p *packer) markSent(c *codeOfHit) {
	if len(p.sent) == 0 {
		return
	}
	if p.sentLines == nil {
		p.sentLines = map[string]bool{}
		for _, text := range p.sent {
			for line := range strings.Lines(text) {
				p.sentLines[line] = len(line) >= tellingBytes
			}
		}
	}
	lines := strings.SplitAfter(Numbered(c.StartLine, c.text), "\n")
	for i := range min(len(c.shown), len(lines)) {
		c.shown[i] = c.shown[i] || p.sentLines[lines[i]]
	}
}
