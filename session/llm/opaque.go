package llm

import "encoding/json"

// opaque is the inside of an [Opaque], by protocol.
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
		return nil // a provider's own JSON that is none can't be sent back
	}
	return b
}

// opaqueOf reads what [opaque.marshal] wrote.
func opaqueOf(raw Opaque) (o opaque) {
	if len(raw) > 0 && json.Unmarshal(raw, &o) != nil {
		return opaque{}
	}
	return o
}

// orEmptyObject is what a call without arguments is called with.
func orEmptyObject(args []byte) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	return args
}
