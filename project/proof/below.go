package proof

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// printed is an output in lines, to look at what is below a problem.
type printed struct {
	lines []string
	first map[string]int // where a line is for the first time
}

// newPrinted returns an output by its lines.
func newPrinted(text string) printed {
	p := printed{strings.Split(text, "\n"), map[string]int{}}
	for i, line := range p.lines {
		if _, ok := p.first[line]; !ok {
			p.first[line] = i
		}
	}
	return p
}

// mostBelow is how many lines below a problem belong to it.
const mostBelow = 6

// below returns the lines below one.
func (p printed) below(line string) []string {
	i, ok := p.first[line]
	if !ok {
		return nil
	}
	return p.lines[i+1 : min(i+1+mostBelow, len(p.lines))]
}

var (
	// caretLine is below a line of code. GCC and newer Clang have a bar before both.
	caretLine = lazyregexp.New(`^( *\| )?([ \t~]*)\^`)
	// javaDetail says more about a problem of javac, by itself or in Maven.
	javaDetail = lazyregexp.New(`^(?:\[ERROR\] )?  (symbol|required|found|reason): +(.*)`)
)

// caret returns where the caret below a problem points to, in columns of the picture; bar says that the picture has
// one. It is 0 if there is no picture.
func caret(below []string) (column int, bar bool) {
	if len(below) < 2 {
		return 0, false
	}
	groups := caretLine.FindStringSubmatch(below[1])
	if groups == nil {
		return 0, false
	}
	return len(groups[2]) + 1, groups[1] != ""
}

// countedBy tells the compilers of C apart. GCC counts as its picture does, in which a tab is up to 8 columns. Clang
// counts bytes, and so did GCC 10.
func (one *found) countedBy(below []string) {
	switch column, bar := caret(below); {
	case column == 0:
	case bar && column == one.column:
		one.by = gcc
	case one.by == anyC:
		one.by = clang
	}
}

// withJavaDetails adds what javac says below a problem: its column, and which symbol or types it means.
func (one *found) withJavaDetails(below []string) {
	if strings.HasSuffix(one.file, ".kt") {
		one.by = "kotlin"
	} else if column, _ := caret(below); column > 0 && one.column == 0 {
		one.column, one.by = column, "javac"
		below = below[2:]
	}
	var details []string
	for _, line := range below {
		if groups := javaDetail.FindStringSubmatch(line); groups == nil {
			break
		} else if groups[1] == "symbol" {
			details = append(details, groups[2])
		} else {
			details = append(details, groups[1]+": "+groups[2])
		}
	}
	if len(details) > 0 {
		one.message = strings.TrimSuffix(one.message, ";") + ": " + strings.Join(details, ", ")
	}
}
