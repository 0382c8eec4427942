package repair

// CodeTracker is a place in Markdown text, which knows whether it is within code. Source:
// spec.commonmark.org, "Fenced code blocks" and "Code spans".
type CodeTracker struct {
	LineBegins bool // only white space stands before it in the line
	run        int  // how many marks stand right before it
	mark       byte // of the run
	leads      bool // only white space stands before the run in the line
	span       int  // the marks that have opened code in the line, 0 outside of it
	fence      int  // the marks that have opened the fence, 0 outside of one
	fenceMark  byte
	opened     bool // the line has opened the fence
	closes     bool // the line closes the fence, if nothing else stands in it
}

func NewCodeTracker() CodeTracker { return CodeTracker{LineBegins: true} }

// InCode reports whether what follows is code.
func (p *CodeTracker) InCode() bool {
	after := *p
	after.endRun()
	return after.fence > 0 || after.span > 0
}

// Pass goes beyond a byte of the text.
func (p *CodeTracker) Pass(c byte) {
	if c == '`' || c == '~' {
		if p.run == 0 || c != p.mark {
			p.endRun()
			p.mark, p.leads = c, p.LineBegins
		}
		p.run++
		p.LineBegins = false
		return
	}
	p.endRun()
	switch c {
	case '\n':
		if p.closes {
			p.fence = 0
		}
		*p = CodeTracker{LineBegins: true, fence: p.fence, fenceMark: p.fenceMark}
	case ' ', '\t', '\r':
	default:
		p.LineBegins, p.closes = false, false
	}
}

// endRun ends a run of marks, which begins or ends a fence or code in the line.
func (p *CodeTracker) endRun() {
	switch {
	case p.run == 0:
		return
	case p.fence > 0 && p.opened && p.mark == '`': // code in the line after all
		p.fence, p.opened = 0, false
	case p.fence > 0:
		p.closes = p.leads && p.mark == p.fenceMark && p.run >= p.fence
	case p.leads && p.run >= 3:
		p.fence, p.fenceMark, p.opened = p.run, p.mark, true
	case p.mark == '`' && p.span == 0:
		p.span = p.run
	case p.mark == '`' && p.span == p.run:
		p.span = 0
	}
	p.run = 0
}
