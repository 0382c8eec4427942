package mux

import (
	"encoding/json"
	"fmt"
	"strings"
)

// joinLists joins two lists, of which each may be null.
func joinLists(all [2]json.RawMessage) json.RawMessage {
	switch {
	case len(listOf(all[ours])) == 0:
		return all[inner]
	case len(listOf(all[inner])) == 0:
		return all[ours]
	}
	return mustMarshal(append(listOf(all[inner]), listOf(all[ours])...))
}

// joinHovers joins two hovers, of which each may be null. The range is the inner server's.
func joinHovers(all [2]json.RawMessage) json.RawMessage {
	theirs, own := objectOf(all[inner]), objectOf(all[ours])
	switch {
	case !isTrue(own["contents"]):
		return all[inner]
	case !isTrue(theirs["contents"]):
		return all[ours]
	}
	text, format := contentsOf(theirs["contents"])
	added, of := contentsOf(own["contents"])
	if text == "" {
		return all[ours]
	}
	if of == markdown {
		format = markdown
	}
	theirs["contents"] = mustMarshal(map[string]string{"kind": format, "value": text + "\n\n---\n\n" + added})
	return theirs.raw()
}

const markdown, plain = "markdown", "plaintext"

// contentsOf returns the contents of a hover in each of their forms: a text with its kind, a marked string, or several.
func contentsOf(raw json.RawMessage) (text, format string) {
	if json.Unmarshal(raw, &text) == nil {
		return text, markdown
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		var texts []string
		for _, element := range list {
			if text, _ := contentsOf(element); text != "" {
				texts = append(texts, text)
			}
		}
		return strings.Join(texts, "\n\n"), markdown
	}
	var marked struct{ Kind, Language, Value string }
	_ = json.Unmarshal(raw, &marked) // what has another form has no text
	if marked.Kind == "" && marked.Value != "" {
		return fmt.Sprintf("```%s\n%s\n```", marked.Language, marked.Value), markdown
	}
	if marked.Kind == plain {
		return marked.Value, plain
	}
	return marked.Value, markdown
}

// maxResolvable bounds how many items of ours are remembered.
const maxResolvable = 4096

// resolvable remembers which items are ours: those that the editor may want completed.
type resolvable struct {
	keys  map[string]bool
	order []string
}

// note remembers the items of an answer of ours.
func (r *resolvable) note(method string, result json.RawMessage) {
	if !resolves[strings.TrimPrefix(method, "textDocument/")+"/resolve"] {
		return
	}
	items := listOf(result)
	if len(items) == 0 {
		items = listOf(objectOf(result)["items"])
	}
	for _, item := range items {
		key := keyOf(item)
		if r.keys[key] {
			continue
		}
		r.keys[key] = true
		r.order = append(r.order, key)
	}
	for len(r.order) > maxResolvable {
		delete(r.keys, r.order[0])
		r.order = r.order[1:]
	}
}

// isOurs reports whether an item is one of ours.
func (r *resolvable) isOurs(item json.RawMessage) bool { return r.keys[keyOf(item)] }

// keyOf returns what an item is known by: a client may send it with other members in another order.
func keyOf(item json.RawMessage) string {
	o := objectOf(item)
	var parts []string
	for _, name := range []string{"title", "label", "kind", "data", "range", "command"} {
		value := ""
		if isTrue(o[name]) {
			value = canonical(o[name])
		}
		parts = append(parts, value)
	}
	return strings.Join(parts, "\x00")
}
