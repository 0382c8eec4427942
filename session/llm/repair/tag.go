package repair

import "strings"

// A thoughtTag is the pair of tags around the thoughts that a model's server has left in the text.
type thoughtTag struct{ open, close string }

// knownThoughtTags are in lower case. A tag's letters may be in either case.
var knownThoughtTags = []thoughtTag{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"}, {"<thought>", "</thought>"},
	{"[think]", "[/think]"}, {"<seed:think>", "</seed:think>"}, {"◁think▷", "◁/think▷"},
	{"<|begin_of_thought|>", "<|end_of_thought|>"}, {"<|channel|>analysis<|message|>", "<|end|>"},
}

// cutTag removes a tag from the beginning of a text.
func cutTag(text, tag string) (after string, ok bool) {
	if len(text) < len(tag) || !strings.EqualFold(text[:len(tag)], tag) {
		return text, false
	}
	return text[len(tag):], true
}

// mayBecome reports whether a text is the beginning of a tag, but not all of it.
func mayBecome(text, tag string) bool {
	return len(text) < len(tag) && strings.EqualFold(text, tag[:len(text)])
}

// indexTag returns the index of a tag in a text, or -1.
func indexTag(text, tag string) int {
	for at := 0; at+len(tag) <= len(text); at++ {
		next := strings.IndexByte(text[at:], tag[0])
		if next < 0 {
			return -1
		}
		if at += next; at+len(tag) <= len(text) && strings.EqualFold(text[at:at+len(tag)], tag) {
			return at
		}
	}
	return -1
}
