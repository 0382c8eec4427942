package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// growingValue is a JSON value that comes in pieces. Texts are joined at the end, since joining each piece would cost
// their length squared.
type growingValue struct {
	last json.RawMessage // the value, unless it is text in several pieces
	kind gjson.Type      // of last
	text *strings.Builder
}

func (g *growingValue) set(value gjson.Result) {
	g.last, g.kind, g.text = json.RawMessage(value.Raw), value.Type, nil
}

// grow adds a piece of text to a text.
func (g *growingValue) grow(piece gjson.Result) {
	if g.text == nil {
		g.text = &strings.Builder{}
		g.text.WriteString(gjson.ParseBytes(g.last).Str)
	}
	g.text.WriteString(piece.Str)
}

func (g *growingValue) json() json.RawMessage {
	if g.text == nil {
		return g.last
	}
	text, _ := appendJSON(nil, g.text.String()) // a string can be encoded
	return text
}

// maxOpenDetails is how many details at the end may still go on. Servers interleave a few.
const maxOpenDetails = 64

// reasoningDetails are details of reasoning that a server wants back as they came. Pieces with the same index and type
// are one detail.
type reasoningDetails struct{ all []*reasoningDetail }

// add adds a piece.
func (d *reasoningDetails) add(piece gjson.Result) {
	if !piece.IsObject() {
		return
	}
	for _, before := range slices.Backward(d.all[max(0, len(d.all)-maxOpenDetails):]) {
		if before.goesOnWith(piece) {
			before.join(piece)
			return
		}
		if !piece.Get("index").Exists() {
			break // only the last one may go on
		}
	}
	d.all = append(d.all, &reasoningDetail{only: json.RawMessage(piece.Raw), kind: piece.Get("type").Raw,
		index: piece.Get("index").Raw, id: piece.Get("id").Str})
}

// json returns the details, nil if there are none.
func (d *reasoningDetails) json() (all []json.RawMessage) {
	for _, one := range d.all {
		all = append(all, one.json())
	}
	return all
}

// reasoningDetail is one detail: the only piece, or the fields of several.
type reasoningDetail struct {
	only            json.RawMessage
	fields          map[string]*growingValue
	kind, index, id string // kind and index as JSON
}

func (d *reasoningDetail) goesOnWith(piece gjson.Result) bool {
	id := piece.Get("id").Str
	return d.kind == piece.Get("type").Raw && d.index == piece.Get("index").Raw && (d.id == "" || id == "" || d.id == id)
}

// join adds a piece: its text, summary and data are joined, of everything else the last value counts.
func (d *reasoningDetail) join(piece gjson.Result) {
	if d.fields == nil {
		d.fields = map[string]*growingValue{}
		gjson.ParseBytes(d.only).ForEach(d.take)
	}
	piece.ForEach(d.take)
	if id := d.fields["id"]; id != nil {
		d.id = gjson.ParseBytes(id.last).Str
	}
}

func (d *reasoningDetail) take(key, value gjson.Result) bool {
	field, text := d.fields[key.Str], value.Type == gjson.String
	switch {
	case field == nil:
		field = &growingValue{}
		field.set(value)
		d.fields[key.Str] = field
	case field.kind == gjson.Null:
		field.set(value)
	case value.Type == gjson.Null:
	case text && field.kind == gjson.String && grows(key.Str):
		field.grow(value)
	case !text || value.Str != "":
		field.set(value)
	}
	return true
}

// grows reports whether a field of a detail comes in pieces.
func grows(field string) bool {
	return slices.Contains([]string{"text", "summary", "data", "thinking"}, field)
}

func (d *reasoningDetail) json() json.RawMessage {
	if d.fields == nil {
		return d.only
	}
	fields := map[string]json.RawMessage{}
	for name, value := range d.fields {
		fields[name] = value.json()
	}
	all, _ := appendJSON(nil, fields) // of what was decoded
	return all
}
