package document

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The notifications about documents are decoded here, not by the library. It takes a change
// whose range it can't decode as the whole new text.

// A spelledURI is a URI in the form by which documents are kept, and as the client spells it.
// Clients look their documents up by their own string.
type spelledURI struct{ canonical, spelling uri.URI }

// UnmarshalText implements encoding.TextUnmarshaler.
func (u *spelledURI) UnmarshalText(text []byte) error {
	u.spelling = uri.URI(text)
	return u.canonical.UnmarshalText(text)
}

// OpenParams are the parameters of textDocument/didOpen.
type OpenParams struct {
	uri     spelledURI
	version int32
	text    string
	fault   error // why the version and the text are not known
}

// ChangeParams are the parameters of textDocument/didChange.
type ChangeParams struct {
	uri     uri.URI
	version *int32 // nil if the client sends none
	changes []Change
	fault   error // why the version and the changes are not known
}

// A Change replaces a range of the text, or the whole text if it is not partial.
type Change struct {
	Partial    bool
	Start, end protocol.Position
	Text       string
}

// UnmarshalJSON implements json.Unmarshaler. It fails only if the document is not known.
func (p *OpenParams) UnmarshalJSON(raw []byte) error {
	var wire struct {
		TextDocument struct {
			URI     spelledURI `json:"uri"`
			Version *integer   `json:"version"`
			Text    *string    `json:"text"`
		} `json:"textDocument"`
		Unread *unreadError `json:"unread"`
	}
	err := protocol.Unmarshal(raw, &wire)
	if p.fault = faultOf(err, wire.Unread, wire.TextDocument.Text == nil, "text"); p.fault == nil {
		p.text = *wire.TextDocument.Text
		if v := wire.TextDocument.Version; v != nil {
			p.version = int32(*v)
		}
	}
	if p.uri = wire.TextDocument.URI; p.uri.canonical == "" {
		return unmarshalURI(raw, &p.uri)
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. It fails only if the document is not known.
func (p *ChangeParams) UnmarshalJSON(raw []byte) error {
	var wire struct {
		TextDocument struct {
			URI     uri.URI  `json:"uri"`
			Version *integer `json:"version"`
		} `json:"textDocument"`
		ContentChanges *[]Change    `json:"contentChanges"`
		Unread         *unreadError `json:"unread"`
	}
	err := protocol.Unmarshal(raw, &wire)
	if p.fault = faultOf(err, wire.Unread, wire.ContentChanges == nil, "contentChanges"); p.fault == nil {
		p.changes, p.version = *wire.ContentChanges, (*int32)(wire.TextDocument.Version)
	}
	if p.uri = wire.TextDocument.URI; p.uri == "" {
		var named spelledURI
		err := unmarshalURI(raw, &named)
		p.uri = named.canonical
		return err
	}
	return nil
}

// faultOf returns why parameters are not known beside their document: the error of reading them, what took their
// place, or that they have no such member.
func faultOf(err error, unread *unreadError, missing bool, member string) error {
	switch {
	case err != nil:
		return rootCause(err)
	case unread != nil:
		return unread
	case missing:
		return errors.New("it has no " + member)
	}
	return nil
}

// rootCause returns the innermost error, without the library's words around it.
func rootCause(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

// unmarshalURI reads the document's URI even if the rest does not have the expected form.
func unmarshalURI(raw []byte, u *spelledURI) error {
	var wire struct {
		TextDocument struct {
			URI spelledURI `json:"uri"`
		} `json:"textDocument"`
	}
	if err := protocol.Unmarshal(raw, &wire); err != nil {
		return err
	}
	if wire.TextDocument.URI.canonical == "" {
		return errors.New("the document has no URI")
	}
	*u = wire.TextDocument.URI
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Change) UnmarshalJSON(raw []byte) error {
	var wire struct {
		Range optionalRange `json:"range"`
		Text  *string       `json:"text"`
	}
	if err := protocol.Unmarshal(raw, &wire); err != nil {
		return err
	}
	if wire.Text == nil {
		return errors.New("a change has no text")
	}
	*c = Change{Partial: wire.Range.present, Start: wire.Range.start, end: wire.Range.end, Text: *wire.Text}
	return nil
}

// An optionalRange is a range that is present and complete, or absent. null is neither.
type optionalRange struct {
	present    bool
	start, end protocol.Position
}

// UnmarshalJSON implements json.Unmarshaler. It is not called for a range that is absent.
func (r *optionalRange) UnmarshalJSON(raw []byte) error {
	type position struct {
		Line      *uinteger `json:"line"`
		Character *uinteger `json:"character"`
	}
	var wire struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	if err := protocol.Unmarshal(raw, &wire); err != nil {
		return err
	}
	for _, n := range []*uinteger{wire.Start.Line, wire.Start.Character, wire.End.Line, wire.End.Character} {
		if n == nil {
			return fmt.Errorf("the range %.100s is not complete", raw)
		}
	}
	r.present = true
	r.start = protocol.Position{Line: uint32(*wire.Start.Line), Character: uint32(*wire.Start.Character)}
	r.end = protocol.Position{Line: uint32(*wire.End.Line), Character: uint32(*wire.End.Character)}
	return nil
}

// An integer and a uinteger are LSP's, in any spelling that JSON has for them, such as 1,
// 1.0 or 1e0.
type (
	integer  int32
	uinteger uint32
)

// UnmarshalJSON implements json.Unmarshaler.
func (n *integer) UnmarshalJSON(raw []byte) error {
	f, err := wholeNumber(raw, math.MinInt32, math.MaxInt32)
	*n = integer(f)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *uinteger) UnmarshalJSON(raw []byte) error {
	f, err := wholeNumber(raw, 0, math.MaxUint32)
	*n = uinteger(f)
	return err
}

func wholeNumber(raw []byte, low, high float64) (float64, error) {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || f < low || f > high {
		return 0, fmt.Errorf("%.40s is not a whole number from %.0f to %.0f", raw, low, high)
	}
	return f, nil
}
