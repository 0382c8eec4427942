package llm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
)

// attaching collects what the deltas of an answer attach. Texts that come in pieces are joined at
// the end, since joining each piece would cost their length squared.
type attaching struct {
	chatAttachments
	content, reasoning strings.Builder
	more               map[string]*strings.Builder // those of More that have come in pieces
}

// all returns what was attached so far.
func (a *attaching) all() *chatAttachments {
	a.ReasoningContent, a.Reasoning = a.content.String(), a.reasoning.String()
	for field, text := range a.more {
		a.More[field], _ = appendJSON(nil, text.String()) // a string can be encoded
	}
	return &a.chatAttachments
}

// add adds what a delta attaches, and returns the reasoning in it. Servers use several names for the same reasoning.
func (a *attaching) add(delta gjson.Result) (reasoning string) {
	texts := []string{firstText(delta, "reasoning_content"), firstText(delta, "reasoning"), ""}
	a.content.WriteString(texts[0])
	a.reasoning.WriteString(texts[1])
	for _, d := range listOf(delta, "reasoning_details") {
		a.ReasoningDetails = addDetail(a.ReasoningDetails, d)
		texts[2] += d.Get("text").String() + d.Get("summary").String()
	}
	delta.ForEach(func(key, value gjson.Result) bool {
		if ofThoughts.MatchString(key.Str) && value.Type != gjson.Null {
			a.addMore(key.Str, value)
			texts = append(texts, thoughtIn(key.Str, value))
		}
		return true
	})
	return cmp.Or(texts...)
}

// ofThoughts matches the names of fields that hold thoughts, or what a server needs to know its own
// again. Sources: the APIs of GitHub Copilot (reasoning_text and reasoning_opaque), LiteLLM
// (thinking_blocks) and Gemini (extra_content).
var ofThoughts = lazyregexp.New(`^(thinking|thoughts?|extra_content|(reasoning|thinking|thought)_\w+)$`)

// thoughtIn returns the words in a field of thoughts. In others than these they may be encrypted.
func thoughtIn(field string, value gjson.Result) string {
	switch field {
	case "thinking", "thought", "thoughts", "reasoning_text", "thinking_text", "thinking_content", "thinking_blocks":
		text, thought := textParts(value)
		return text + thought
	}
	return ""
}

// addMore adds a piece of another field: text and lists grow, of everything else the last value counts.
func (a *attaching) addMore(field string, piece gjson.Result) {
	if field == "reasoning_content" || field == "reasoning_details" {
		return
	}
	if a.More == nil {
		a.More, a.more = map[string]json.RawMessage{}, map[string]*strings.Builder{}
	}
	if text := a.more[field]; text != nil && piece.Type == gjson.String {
		text.WriteString(piece.Str)
		return
	}
	delete(a.more, field)
	raw, before := json.RawMessage(piece.Raw), gjson.ParseBytes(a.More[field])
	switch {
	case piece.Type == gjson.String && before.Type == gjson.String:
		a.more[field] = &strings.Builder{}
		a.more[field].WriteString(before.Str + piece.Str)
		return
	case piece.IsArray():
		var all []json.RawMessage
		for _, each := range slices.Concat(before.Array(), piece.Array()) {
			all = addDetail(all, each)
		}
		raw, _ = appendJSON(nil, all) // of what was decoded
	}
	a.More[field] = raw
}

func (a *chatAttachments) empty() bool {
	return a.ReasoningContent == "" && a.Reasoning == "" && len(a.ReasoningDetails)+len(a.More)+len(a.Calls) == 0
}

// addDetail adds a piece of reasoning that the server wants back as it came to those before it.
// Pieces with the same index and type are one.
func addDetail(all []json.RawMessage, piece gjson.Result) []json.RawMessage {
	if !piece.IsObject() {
		return all
	}
	if at := continuedBy(all, piece); at >= 0 {
		all[at] = joinDetail(gjson.ParseBytes(all[at]), piece)
		return all
	}
	return append(all, json.RawMessage(piece.Raw))
}

// continuedBy returns which of the details so far a piece continues, or -1.
func continuedBy(all []json.RawMessage, piece gjson.Result) int {
	for at, raw := range slices.Backward(all) {
		d := gjson.ParseBytes(raw)
		same := d.Get("type").Raw == piece.Get("type").Raw && d.Get("index").Raw == piece.Get("index").Raw
		if ids := d.Get("id").Str != "" && piece.Get("id").Str != "" && d.Get("id").Str != piece.Get("id").Str; same && !ids {
			return at
		}
		if !piece.Get("index").Exists() {
			return -1 // only the last one may go on
		}
	}
	return -1
}

// joinDetail adds a piece to a detail: its text, summary and data are joined, of everything else the last value counts.
func joinDetail(detail, piece gjson.Result) json.RawMessage {
	fields := map[string]json.RawMessage{}
	take := func(key, value gjson.Result) bool {
		before := gjson.ParseBytes(fields[key.Str])
		switch {
		case len(fields[key.Str]) == 0, before.Type == gjson.Null:
			fields[key.Str] = json.RawMessage(value.Raw)
		case value.Type == gjson.Null:
		case grows(key.Str) && value.Type == gjson.String && before.Type == gjson.String:
			fields[key.Str], _ = appendJSON(nil, before.Str+value.Str) // a string can be encoded
		case value.Type != gjson.String || value.Str != "":
			fields[key.Str] = json.RawMessage(value.Raw)
		}
		return true
	}
	detail.ForEach(take)
	piece.ForEach(take)
	all, _ := appendJSON(nil, fields) // of what was decoded
	return all
}

// grows reports whether a field comes in pieces.
func grows(field string) bool {
	return slices.Contains([]string{"text", "summary", "data", "thinking"}, field)
}
