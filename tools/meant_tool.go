package tools

import (
	"encoding/json"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Meant returns the tool that a call means, and the arguments for it. A name may differ in case and separators, have
// the name of a server before it, or "json" or "tool" behind it, or be that of a tool of another agent whose arguments
// fit one of the set. ok is false if that is not exactly one tool.
func (s *Set) Meant(name string, arguments json.RawMessage) (t *Tool, own json.RawMessage, ok bool) {
	if t, ok := s.Get(name); ok {
		return t, arguments, true
	}
	for _, form := range formsOf(name) {
		if t, ok := s.only(func(t *Tool) bool { return plainName(t.Name) == form }); ok {
			return t, arguments, true
		}
	}
	if t, own, ok := s.ofOtherAgent(name, arguments); ok {
		return t, own, true
	}
	plain := plainName(name)
	if otherTools[plain] != "" {
		return nil, nil, false
	}
	t, ok = s.only(func(t *Tool) bool {
		_, short, ofServer := strings.Cut(t.Name, serverSeparator)
		return ofServer && plainName(short) == plain
	})
	return t, arguments, ok
}

// Ran returns the name of the tool that ran for a call.
func (s *Set) Ran(name string, arguments json.RawMessage) string {
	if t, _, ok := s.Meant(name, arguments); ok {
		return t.Name
	}
	return name
}

// serverSeparator stands between the name of a server and that of its tool.
const serverSeparator = "__"

var (
	serverPrefix = lazyregexp.New(`^(?:.*(?:__|[./:])|(?i:functions?|default_api)_)`)
	// glued matches what some models write behind the name: the format of the arguments, or what it is the name of.
	glued = lazyregexp.New(`(?i)(?:[_-]*json|[_-]tool)$`)
)

// formsOf returns what a name may be as a plain name, the closest one first.
func formsOf(name string) (forms []string) {
	short := glued.ReplaceAllString(name, "")
	for _, form := range []string{name, short, strings.TrimPrefix(name, "mcp__"),
		serverPrefix.ReplaceAllString(name, ""), serverPrefix.ReplaceAllString(short, "")} {
		if plain := plainName(form); plain != "" && !slices.Contains(forms, plain) {
			forms = append(forms, plain)
		}
	}
	return forms
}

// only returns the only tool that fits.
func (s *Set) only(fits func(*Tool) bool) (found *Tool, ok bool) {
	for _, t := range s.tools {
		if !fits(t) {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = t
	}
	return found, found != nil
}
