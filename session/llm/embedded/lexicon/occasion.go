package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// TaskAsked returns the part of a message that asks how something is done: without what it complains of before, and
// without why or when it is done.
func TaskAsked(message string) string {
	message = Plain(message)
	if m := complaint.FindStringSubmatch(message); m != nil {
		message = m[1]
	}
	return Plain(occasion.ReplaceAllString(message, ""))
}

var (
	complaint = lazyregexp.New(`(?i)^[^?]{3,80}?[,;:.!-]+ (?:so |and |but )?((?:how (?:do|can|to|should)|what(?:` +
		` command| do i run)?) .*)$`)
	occasion = lazyregexp.New(`(?i),? (?:before|after|when|while|so that|because|since|in order to|prior to) ` +
		`(?:i|we|you|my|the|an?|it|they|sending|submitting|opening|making|pushing|committing|creating|contributing` +
		`|merging|` +
		`deploying|doing)\b.*$|,? (?:for|before|in) (?:my|an?|the|each|every) (?:pr|pull request|merge request|patch` +
		`|commit|` +
		`contribution|push)s?\b.*$`)
)

// WithoutTool returns the name of the tool without which a message wants to do something, "" for none.
func WithoutTool(message string) string {
	if m := withoutTool.FindStringSubmatch(Plain(message)); m != nil && !Common[strings.ToLower(m[1])] {
		return strings.ToLower(m[1])
	}
	return ""
}

var withoutTool = lazyregexp.New(`(?i)^how .*(?:\bwithout (?:using |having |installing |needing )?|\bnot` +
	` (?:using|with) )([a-z][\w-]*)$`)
