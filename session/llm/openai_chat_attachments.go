package llm

import (
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"
)

// add adds what a delta attaches, and returns the reasoning in it. Servers use several names for the same reasoning.
func (a *chatAttachments) add(delta gjson.Result) (reasoning string) {
	content, plain := firstText(delta, "reasoning_content"), firstText(delta, "reasoning")
	a.ReasoningContent += content
	a.Reasoning += plain
	details := ""
	for _, d := range listOf(delta, "reasoning_details") {
		details += a.addDetail(d)
	}
	for _, text := range []string{content, plain, details, firstText(delta, "thinking")} {
		if text != "" {
			return text
		}
	}
	return ""
}

func (a *chatAttachments) empty() bool {
	return a.ReasoningContent == "" && a.Reasoning == "" && len(a.ReasoningDetails)+len(a.Calls) == 0
}

// addDetail adds a piece of reasoning that the server wants back as it came, and returns the text in it. Pieces with the same
// index and type are one.
func (a *chatAttachments) addDetail(piece gjson.Result) (text string) {
	if !piece.IsObject() {
		return ""
	}
	if at := a.placeOf(piece); at >= 0 {
		a.ReasoningDetails[at] = joinDetail(gjson.ParseBytes(a.ReasoningDetails[at]), piece)
	} else {
		a.ReasoningDetails = append(a.ReasoningDetails, json.RawMessage(piece.Raw))
	}
	return piece.Get("text").String() + piece.Get("summary").String()
}

// placeOf returns which of the details so far a piece continues, or -1.
func (a *chatAttachments) placeOf(piece gjson.Result) int {
	for at, raw := range slices.Backward(a.ReasoningDetails) {
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
func grows(field string) bool { return field == "text" || field == "summary" || field == "data" }
