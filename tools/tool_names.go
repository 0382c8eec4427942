package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/tools/aliases"
	"ploke-lsp/tools/arguments"
	"ploke-lsp/tools/wording"
)

// Meant returns the tool that a call means, and the arguments for it. A name may differ in case and separators, have
// the name of a server before it, or "json" or "tool" behind it, or be that of a tool of another agent whose arguments
// fit one of the set. ok is false if that is not exactly one tool.
func (s *Set) Meant(name string, raw json.RawMessage) (t *Tool, own json.RawMessage, ok bool) {
	if t, ok := s.Get(name); ok {
		return t, raw, true
	}
	for _, form := range aliases.Forms(name) {
		if t, ok := s.only(func(t *Tool) bool { return aliases.Plain(t.Name) == form }); ok {
			return t, raw, true
		}
	}
	if t, own, ok := s.ofOtherAgent(name, raw); ok {
		return t, own, true
	}
	plain := aliases.Plain(name)
	if aliases.Known(plain) {
		return nil, nil, false
	}
	t, ok = s.only(func(t *Tool) bool {
		_, short, ofServer := strings.Cut(t.Name, serverSeparator)
		return ofServer && aliases.Plain(short) == plain
	})
	return t, raw, ok
}

// Ran returns the name of the tool that ran for a call.
func (s *Set) Ran(name string, raw json.RawMessage) string {
	if t, _, ok := s.Meant(name, raw); ok {
		return t.Name
	}
	return name
}

// serverSeparator stands between the name of a server and that of its tool.
const serverSeparator = "__"

// only returns the tool that fits; ok is false if none or several do.
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

// ofOtherAgent returns the tool that does what one of another agent does, with the arguments for it, if they fit.
func (s *Set) ofOtherAgent(name string, raw json.RawMessage) (t *Tool, own json.RawMessage, ok bool) {
	args, err := arguments.Object(raw)
	if err != nil {
		return nil, nil, false
	}
	for _, form := range aliases.Forms(name) {
		t, known := s.Get(aliases.Tool(form, args))
		if !known || t.schema == nil {
			continue
		}
		own, err := wording.Encode(aliases.Arguments(t.Name, form, args))
		return t, own, err == nil && t.schema().Fits(own)
	}
	return nil, nil, false
}

// Instead returns what a model may call in place of a tool that the set lacks: a hint, and the names of tools. Only
// tools that are offered now are named.
func (s *Set) Instead(name string) (hint string, names []string) {
	for _, form := range aliases.Forms(name) {
		if own := aliases.Tool(form, nil); s.offers(own) {
			return fmt.Sprintf("call %s, whose arguments are other ones", own), []string{own}
		}
		if aliases.Editor(form) {
			return s.insteadOfEditor()
		}
	}
	for _, t := range s.tools {
		if s.offers(t.Name) {
			names = append(names, t.Name)
		}
	}
	return "call one of the candidates", names
}

// editing are the tools that do what other agents' editors do.
var editing = []struct{ tool, does string }{
	{"apply_code_edit", "edits files"},
	{"create_file", "makes new files"},
	{"delete_file", "deletes files"},
	{"read_file", "reads files"},
}

// insteadOfEditor says which tools edit files.
func (s *Set) insteadOfEditor() (hint string, names []string) {
	var does []string
	for _, e := range editing {
		if s.offers(e.tool) {
			does, names = append(does, e.tool+" "+e.does), append(names, e.tool)
		}
	}
	return "nothing does exactly this here: " + strings.Join(does, ", "), names
}

func (s *Set) offers(name string) bool {
	t, ok := s.Get(name)
	return ok && (t.Offered == nil || t.Offered())
}

// advice matches the fields of a result that may name tools. Quotes within a JSON string are
// escaped, so nothing in quoted code looks like such a field.
var advice = lazyregexp.New(`"(?:hint|cut|note)":"(?:[^"\\]|\\.)*"`)

// toolName matches what may be the name of a tool.
var toolName = lazyregexp.New(`\b[a-z]+(?:_[a-z]+)+\b`)

// WithNames returns a result whose advice has other names for tools, for a program that knows
// them by these names. The keys of names are the tools' own.
func WithNames(content json.RawMessage, names map[string]string) json.RawMessage {
	return advice.ReplaceAllFunc(content, func(field []byte) []byte {
		return toolName.ReplaceAllFunc(field, func(name []byte) []byte {
			if other, known := names[string(name)]; known {
				return []byte(other)
			}
			return name
		})
	})
}
