package llm

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// attaching collects what the deltas of an answer attach. Texts that come in pieces are joined at
// the end, since joining each piece would cost their length squared.
type attaching struct {
	chatAttachments
	content, reasoning strings.Builder
	details            reasoningDetails
	more               map[string]*moreThoughts // of More
}

// all returns what was attached so far.
func (a *attaching) all() *chatAttachments {
	a.ReasoningContent, a.Reasoning = a.content.String(), a.reasoning.String()
	a.ReasoningDetails = a.details.json()
	for field, value := range a.more {
		if a.More == nil {
			a.More = map[string]json.RawMessage{}
		}
		a.More[field] = value.json()
	}
	return &a.chatAttachments
}

// add adds what a delta attaches, and returns the reasoning in it. Servers use several names for the same reasoning.
func (a *attaching) add(delta gjson.Result) (reasoning string) {
	texts := []string{firstText(delta, "reasoning_content"), firstText(delta, "reasoning"), ""}
	a.content.WriteString(texts[0])
	a.reasoning.WriteString(texts[1])
	var said strings.Builder
	for _, d := range listOf(delta, "reasoning_details") {
		a.details.add(d)
		said.WriteString(d.Get("text").String() + d.Get("summary").String())
	}
	texts[2] = said.String()
	delta.ForEach(func(key, value gjson.Result) bool {
		if ofThoughts(key.Str) && value.Type != gjson.Null {
			a.addMore(key.Str, value)
			texts = append(texts, thoughtIn(key.Str, value))
		}
		return true
	})
	return cmp.Or(texts...)
}

// ofThoughts reports whether a field holds thoughts, or what a server needs to know its own again. It is asked for
// each field of each piece, before the piece is shown, so it is not a regular expression. Sources: the APIs of GitHub
// Copilot (reasoning_text and reasoning_opaque), LiteLLM (thinking_blocks) and Gemini (extra_content).
func ofThoughts(field string) bool {
	switch field {
	case "thinking", "thought", "thoughts", "extra_content":
		return true
	}
	kind, rest, _ := strings.Cut(field, "_")
	return rest != "" && (kind == "reasoning" || kind == "thinking" || kind == "thought")
}

// thoughtIn returns the words in a field of thoughts. In others than these they may be encrypted.
func thoughtIn(field string, value gjson.Result) string {
	switch field {
	case "thinking", "thought", "thoughts", "reasoning_text", "thinking_text", "thinking_content", "thinking_blocks":
		text, thought := textParts(value)
		return text + thought
	}
	return ""
}

// addMore adds a piece of another field.
func (a *attaching) addMore(field string, piece gjson.Result) {
	if field == "reasoning_content" || field == "reasoning_details" {
		return
	}
	if a.more == nil {
		a.more = map[string]*moreThoughts{}
	}
	if a.more[field] == nil {
		a.more[field] = &moreThoughts{}
	}
	a.more[field].add(piece)
}

// moreThoughts is another field: text and lists grow, of everything else the last value counts.
type moreThoughts struct {
	value growingValue
	list  *reasoningDetails // nil if the field is not a list
}

func (m *moreThoughts) add(piece gjson.Result) {
	switch text := piece.Type == gjson.String; {
	case piece.IsArray():
		if m.list == nil {
			m.list = &reasoningDetails{}
			m.list.add(gjson.ParseBytes(m.value.last))
		}
		for _, each := range piece.Array() {
			m.list.add(each)
		}
	case text && m.list == nil && m.value.kind == gjson.String:
		m.value.grow(piece)
	default:
		m.list = nil
		m.value.set(piece)
	}
}

func (m *moreThoughts) json() json.RawMessage {
	if m.list == nil {
		return m.value.json()
	}
	all, _ := appendJSON(nil, m.list.json()) // of what was decoded
	return all
}

func (a *chatAttachments) empty() bool {
	return a.ReasoningContent == "" && a.Reasoning == "" && len(a.ReasoningDetails)+len(a.More)+len(a.Calls) == 0
}
