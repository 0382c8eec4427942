package mcpclient

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// messagesOf returns the messages of a line, one on each line; nothing if it holds none. It fails
// if the line begins as a message and can't be read.
func messagesOf(line []byte) ([]byte, error) {
	if !bytes.HasPrefix(line, []byte("[")) {
		return messageOf(line)
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		return nil, nil
	}
	var all [][]byte
	for _, one := range batch {
		message, err := messageOf(one)
		if err != nil {
			return nil, err
		}
		if message != nil {
			all = append(all, message)
		}
	}
	return bytes.Join(all, []byte("\n")), nil
}

// jsonAnswer is an answer of JSON-RPC.
type jsonAnswer struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// messageOf returns the message that a text is; nil if it is not one, or answers nothing. An answer
// has the id that was sent: some servers return a number as a string or as a fraction.
func messageOf(text []byte) ([]byte, error) {
	var m struct {
		jsonAnswer
		Method json.RawMessage `json:"method"`
	}
	switch err := json.Unmarshal(text, &m); {
	case err != nil && beginsMessage(text):
		return nil, err
	case err != nil || m.Version == nil:
		return nil, nil
	case m.Method != nil:
		return text, nil
	}
	id, ok := sentID(m.ID)
	if !ok {
		return nil, nil
	}
	m.ID, m.Error = id, errorObject(m.Error)
	if len(m.Result) == 0 && m.Error == nil {
		m.Error = internalError("the answer is empty")
	}
	return json.Marshal(m.jsonAnswer)
}

// beginsMessage reports whether a text begins as messages do, although it may not be JSON.
func beginsMessage(text []byte) bool {
	inside, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(inside), []byte(`"jsonrpc"`))
}

// sentID returns the id of a request of ours, which is a whole number, as an answer names it.
func sentID(id json.RawMessage) (json.RawMessage, bool) {
	text := string(id)
	_ = json.Unmarshal(id, &text) // else it is not a string
	var n *float64
	if json.Unmarshal([]byte(text), &n) != nil || n == nil || *n != float64(int64(*n)) {
		return nil, false
	}
	return strconv.AppendInt(nil, int64(*n), 10), true
}

// errorObject returns the error of an answer in the form of JSON-RPC; nil for none.
func errorObject(raw json.RawMessage) json.RawMessage {
	var object struct {
		Code    int64           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	var words string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil
	case json.Unmarshal(raw, &words) == nil:
		return internalError(words)
	case json.Unmarshal(raw, &object) != nil:
		return internalError(string(raw))
	}
	return raw
}

// internalError returns an error of JSON-RPC with a message.
func internalError(message string) json.RawMessage {
	object, err := json.Marshal(map[string]any{"code": jsonrpc.CodeInternalError, "message": message})
	if err != nil {
		return json.RawMessage(`{"code":0,"message":""}`)
	}
	return object
}
