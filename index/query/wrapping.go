package query

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// idle reports whether a clause is only said, to a person.
func idle(clause []saidWord) bool {
	addressed := false
	for _, w := range clause {
		if w.role == wanted {
			return false
		}
		addressed = addressed || w.role == polite || w.role == asking || w.role == order
	}
	return addressed
}

// withoutIdle returns the words of the clauses that are not idle, or all if all are.
func withoutIdle(words []saidWord) (kept []saidWord) {
	for rest := words; len(rest) > 0; {
		n := 1 + slices.IndexFunc(rest, func(w saidWord) bool { return w.last })
		if !idle(rest[:n]) {
			kept = append(kept, rest[:n]...)
		}
		rest = rest[n:]
	}
	if !slices.ContainsFunc(kept, func(w saidWord) bool { return w.role == wanted }) {
		return words
	}
	return kept
}

// inPlace reports whether a word ends what names the whole: "in this project", "of the source".
func inPlace(words []saidWord, i int) bool {
	return i >= 2 && words[i].role == place && determiners[words[i-1].text] && within[words[i-2].text]
}

// withoutBeginning returns the words of a question after those that only ask: "Can you show me the code for".
func withoutBeginning(words []saidWord) []saidWord {
	asked, addressed, where := 0, false, false
	open, placed := false, false // whether an order or a place may be a part of what is looked for, and a place was named
	for i, w := range words {
		switch {
		case w.role == asking:
			addressed = addressed || open && !placed || questionWords[w.text]
			open, where = false, where || w.text == "where"
		case placed && links[w.text]:
			open = false
		case w.role == wanted, w.role >= action, w.role == place && i == 0:
			return words[asked:]
		case w.role == polite:
			addressed = true
		case w.role == place:
			open, placed = !inPlace(words, i), true
		case w.role == order:
			open = !where && (i == 0 || w.text == "find" || !askers[words[i-1].text])
			addressed = addressed || !open
		}
		if !open && addressed {
			asked = i + 1
		}
	}
	if asked == len(words) {
		return words
	}
	return words[asked:]
}

// withoutEnd returns the words of a question before those that say no more: "is implemented in this project".
func withoutEnd(words []saidWord) []saidWord {
	for n := len(words); n > 0; n-- {
		w := words[n-1]
		if w.role == wanted || w.role == start || w.role == place && !inPlace(words, n-1) {
			return words[:n]
		}
	}
	return words
}

// askedName matches a line that only asks for a name.
var askedName = lazyregexp.New(`(?i)^\s*(?:where(?:'s| is| are| was| do we(?: find)?| do i find| can i find)` +
	`|what(?:'s| is| does| are)|find|show|open|go to|look up` +
	`|(?:the )?(?:definition|declaration|implementation|source|code) (?:of|for))` +
	`(?: (?:the|a|an|this|our|symbol|called|named|` + kindWord + `))*\s+([^\s?!,;]+?)(?:\(\))?(?: ` + kindWord + `)?` +
	`(?: (?:defined|declared|located|implemented|do|mean|for|come from|at|in the code))*[\s.?!]*$`)

const kindWord = `(?:function|method|class|type|struct|interface|trait|enum|constant|variable|macro|field)`

// askingWords are the first words of the lines that askedName may match.
var askingWords = wordSet(`where what find show open go look the definition declaration implementation source code`)

// unwrapped returns a query without what is only said around it: what remains of the first line, and the other lines.
// If the line only asks for a name, that is the name. The question is the line from its question word.
func unwrapped(text string) (asked, question string) {
	line, rest, more := strings.Cut(text, "\n")
	asked, question = askedPart(line)
	if more {
		asked += "\n" + rest
	}
	return asked, question
}

// askedPart returns what a line looks for, and its question.
func askedPart(line string) (asked, question string) {
	words := withoutIdle(saidWords(line))
	if len(words) == 0 {
		return line, line
	}
	whole := said(line, words)
	if askingWords[words[0].text] {
		if m := askedName.FindStringSubmatch(whole); m != nil {
			return m[1], m[1]
		}
	}
	rest := withoutBeginning(words)
	if len(rest) == len(words) {
		return whole, whole
	}
	if at := slices.IndexFunc(words, func(w saidWord) bool { return questionWords[w.text] }); at >= 0 {
		return said(line, withoutEnd(rest)), said(line, words[min(at, len(words)-len(rest)):])
	}
	return said(line, withoutEnd(rest)), said(line, rest)
}

// said returns a part of the words of a line, with what is between them.
func said(line string, words []saidWord) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			if between := line[words[i-1].end:w.start]; strings.ContainsFunc(between, unicode.IsLetter) {
				b.WriteByte(' ')
			} else {
				b.WriteString(between)
			}
		}
		b.WriteString(line[w.start:w.end])
	}
	return b.String()
}
