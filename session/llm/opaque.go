package llm

import "encoding/json"

// opaque is the content of an [Opaque], by protocol.
type opaque struct {
	OpenAI    []json.RawMessage `json:"openai,omitempty"`    // items of the responses API
	Anthropic []json.RawMessage `json:"anthropic,omitempty"` // blocks of a message
}

func (o opaque) marshal() Opaque {
	if len(o.OpenAI)+len(o.Anthropic) == 0 {
		return nil
	}
	b, err := json.Marshal(o)
	if err != nil {
		return nil // invalid JSON of a provider can't be sent back
	}
	return b
}

// opaqueOf decodes the result of [opaque.marshal].
func opaqueOf(raw Opaque) (o opaque) {
	if len(raw) > 0 && json.Unmarshal(raw, &o) != nil {
		return opaque{}
	}
	return o
}

// orEmptyObject returns args, or an empty object for a call without arguments.
func orEmptyObject(args []byte) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	return args
}
