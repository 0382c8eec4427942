package lsptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A normalForm writes values so that two runs of a scenario write the same: ids and hashes by the order in which they
// come, paths relative to the workspace, and nothing that depends on the time or on the words of a prompt.
type normalForm struct {
	root  string
	names map[string]string
}

// dropped are the keys of values that depend on time, or on how long a prompt is.
var dropped = []string{"seq", "durationMs", "usage", "context", "partialResultToken"}

// times are the keys of times, of which only is shown that they are set.
var times = []string{"createdAt", "updatedAt", "since"}

// unstable matches ids and hashes.
var unstable = regexp.MustCompile(`\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b`)

// value returns a value of JSON in its normal form. It is for readers: what is short stands in one line, a text has its
// lines, and a range is LINE:CHARACTER-LINE:CHARACTER.
func (n *normalForm) value(raw []byte) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	var b strings.Builder
	layOut(&b, n.walk(v), "    ")
	return b.String()
}

// layOut writes a value, after a space or in lines of its own, which are indented.
func layOut(b *strings.Builder, v any, indent string) {
	const lineWidth = 100
	short := compact(v)
	inner := indent + "  "
	switch v := v.(type) {
	case string:
		if !strings.Contains(v, "\n") {
			break
		}
		for line := range strings.Lines(v) {
			b.WriteString("\n" + strings.TrimRight(inner+"| "+line, "\r\n "))
		}
		return
	case map[string]any:
		if len(short) <= lineWidth && !strings.Contains(short, `\n`) {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString("\n" + inner + key + ":")
			layOut(b, v[key], inner)
		}
		return
	case []any:
		if len(short) <= lineWidth && !strings.Contains(short, `\n`) {
			break
		}
		for _, element := range v {
			b.WriteString("\n" + inner + "-")
			layOut(b, element, inner)
		}
		return
	}
	b.WriteString(" " + short)
}

// compact returns a value as JSON in one line.
func compact(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // of what was decoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (n *normalForm) walk(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if position, ok := v["line"]; ok && len(v) == 2 && v["character"] != nil {
			return fmt.Sprintf("%v:%v", position, v["character"])
		}
		for _, key := range slices.Sorted(maps.Keys(v)) { // ids get their names in this order
			switch {
			case slices.Contains(dropped, key):
				delete(v, key)
			case slices.Contains(times, key) && v[key] != 0.0:
				v[key] = "TIME"
			default:
				v[key] = n.walk(v[key])
			}
		}
		if start, ok := v["start"].(string); ok && len(v) == 2 && v["end"] != nil {
			return fmt.Sprintf("%v-%v", start, v["end"])
		}
	case []any:
		for i := range v {
			v[i] = n.walk(v[i])
		}
	case string:
		return n.text(v)
	}
	return v
}

// text returns a text in its normal form.
func (n *normalForm) text(s string) string {
	s = strings.ReplaceAll(s, n.root, "/ROOT")
	return unstable.ReplaceAllStringFunc(s, func(id string) string {
		if n.names[id] == "" {
			n.names[id] = fmt.Sprintf("ID%d", len(n.names)+1)
		}
		return n.names[id]
	})
}

// write writes the messages of a step.
func (n *normalForm) write(b *strings.Builder, messages []message) {
	d := arrange(messages)
	for _, x := range d.exchanges {
		n.message(b, x.message)
		for _, part := range joined(x.parts) {
			rest := without(part, "type", "conversationId", "turnId")
			fmt.Fprintf(b, "    .. %s%s\n", part["type"], n.value(mustMarshal(rest)))
		}
		switch {
		case x.answer == nil:
		case x.answer.failure != nil:
			fmt.Fprintf(b, "    => error: %s\n", n.text(x.answer.failure.Error()))
		case x.method != "initialize":
			fmt.Fprintf(b, "    =>%s\n", n.value(x.answer.payload))
		}
	}
	slices.SortStableFunc(d.told, func(x, y message) int { return strings.Compare(documentOf(x), documentOf(y)) })
	slices.SortFunc(d.published, func(x, y message) int { return strings.Compare(documentOf(x), documentOf(y)) })
	for _, m := range slices.Concat(d.told, d.published, d.events) {
		n.message(b, m)
	}
}

// message writes a message without its answer.
func (n *normalForm) message(b *strings.Builder, m message) {
	arrow := "<-"
	if m.sent {
		arrow = "->"
	}
	if m.method == "initialize" || len(m.payload) == 0 || string(m.payload) == "null" {
		fmt.Fprintf(b, "%s %s\n", arrow, m.method) // capabilities fill a page
		return
	}
	fmt.Fprintf(b, "%s %s%s\n", arrow, m.method, n.value(m.payload))
}

// joined returns the parts of a turn with the texts joined that a stream may cut anywhere.
func joined(parts []json.RawMessage) (all []map[string]any) {
	for _, raw := range parts {
		var part map[string]any
		if err := json.Unmarshal(raw, &part); err != nil {
			part = map[string]any{"type": "?", "error": err.Error()}
		}
		if last := len(all) - 1; last >= 0 && continues(all[last], part) {
			all[last]["text"] = all[last]["text"].(string) + part["text"].(string)
		} else {
			all = append(all, part)
		}
	}
	return all
}

// continues reports whether a part is more text of the one before it.
func continues(before, part map[string]any) bool {
	text := part["type"] == "message" || part["type"] == "thought"
	return text && part["type"] == before["type"] && part["replace"] == nil && before["text"] != nil && part["text"] != nil
}

func without(v map[string]any, keys ...string) map[string]any {
	rest := maps.Clone(v)
	for _, key := range keys {
		delete(rest, key)
	}
	return rest
}

func mustMarshal(v any) json.RawMessage { return json.RawMessage(marshal(v)) }
