package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// decodeMessage decodes a body. All its errors are [*badMessageError], with the code
// ParseError if the body is not valid JSON.
func decodeMessage(body []byte) (jsonrpc2.Message, error) {
	m, err := scanMembers(body)
	if err != nil {
		return nil, err
	}
	if m.id != nil && (m.isRequest || string(m.id) != "null") {
		id, err := ParseID(m.id)
		if err != nil {
			return nil, invalidRequest("%v", err)
		}
		if text := idJSON(id); m.id[0] != '"' && text != string(m.id) {
			body = slices.Concat(body[:m.idOffset], []byte(text), body[m.idOffset+len(m.id):])
		}
	}
	msg, err := jsonrpc2.DecodeMessage(body)
	if err != nil {
		return nil, invalidRequest("the message is not a request, notification or response of JSON-RPC 2.0")
	}
	return msg, nil
}

// members is what decodeMessage must know of a message's members.
type members struct {
	isRequest bool // or a notification
	id        []byte
	idOffset  int // in the body
}

// scanMembers checks that a body is one JSON object and nothing else.
func scanMembers(body []byte) (m members, err error) {
	if len(bytes.Trim(body, whiteSpace)) == 0 {
		return m, parseError("the message is empty")
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	kind := d.PeekKind()
	if kind == '{' {
		err = m.scanObject(d)
	} else {
		_, err = d.ReadValue()
	}
	if err == nil {
		if _, err = d.ReadToken(); err == nil {
			err = errors.New("something follows the value")
		} else if err == io.EOF {
			err = nil
		}
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return m, errCutOff
	case err != nil:
		return m, parseError(fmt.Sprintf("the message is not valid JSON: %v", err))
	case kind == '[':
		return m, invalidRequest("batches are not part of LSP: send one message at a time")
	case kind != '{':
		return m, invalidRequest("the message is not a JSON object")
	}
	return m, nil
}

// scanObject reads the members of the object that comes next.
func (m *members) scanObject(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		isID := string(name) == `"id"`
		m.isRequest = m.isRequest || string(name) == `"method"`
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		if isID { // the last one counts, as for the library
			m.id, m.idOffset = bytes.Clone(value), int(d.InputOffset())-len(value)
		}
	}
	_, err := d.ReadToken()
	return err
}

// errCutOff reports a message that ends before its JSON does.
var errCutOff = parseError("the message ends in the middle of its JSON: " +
	"Content-Length must be the number of the body's bytes")

func parseError(reason string) *badMessageError {
	return &badMessageError{code: jsonrpc2.ParseError, reason: reason}
}

// idJSON returns the JSON of an id that ParseID made.
func idJSON(id jsonrpc2.ID) string {
	if n, ok := id.Number(); ok {
		return strconv.FormatInt(n, 10)
	}
	text, _ := id.StringValue()
	return strconv.Quote(text)
}
