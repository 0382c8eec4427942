package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// check returns the error with which the strictest servers refuse a request, or nil. given are the
// calls that the script has made, by their ids.
//
// Sources: the chat templates of Qwen 3.5, Mistral's and Google's models for the order of messages;
// OpenAI's API for names; vLLM and llama.cpp for arguments; Mistral's API for ids and unknown keys;
// DeepSeek's API for reasoning; Gemini's API for schemas.
func check(body []byte, given map[string]givenCall) error {
	var r struct {
		Messages []message
		Tools    []tool
	}
	if err := errors.Join(onlyKeys(body, requestKeys), json.Unmarshal(body, &r)); err != nil {
		return err
	}
	for _, t := range r.Tools {
		if err := t.check(); err != nil {
			return err
		}
	}
	return checkMessages(r.Messages, given)
}

// givenCall is a call that the script has made.
type givenCall struct{ reasoning string }

// The keys that a strict server knows.
var (
	requestKeys = []string{"model", "messages", "stream", "stream_options", "tools", "max_tokens", "max_completion_tokens",
		"parallel_tool_calls", "reasoning_effort"}
	messageKeys = map[string][]string{
		"system":    {"role", "content"},
		"user":      {"role", "content"},
		"assistant": {"role", "content", "tool_calls", "reasoning_content"},
		"tool":      {"role", "content", "tool_call_id"},
	}
	callKeys   = []string{"id", "type", "function"}
	schemaKeys = []string{"type", "description", "properties", "required", "items", "enum", "anyOf", "format", "nullable", "title",
		"minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "pattern"}
)

func onlyKeys(object []byte, known []string) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(object, &keys); err != nil {
		return err
	}
	for key := range keys {
		if !slices.Contains(known, key) {
			return fmt.Errorf("%s: Extra inputs are not permitted", key)
		}
	}
	return nil
}

// message is a message as a strict server reads it.
type message struct {
	raw       json.RawMessage
	Role      string
	Content   *string
	Reasoning string            `json:"reasoning_content"`
	Calls     []json.RawMessage `json:"tool_calls"`
	CallID    string            `json:"tool_call_id"`
}

func (m *message) UnmarshalJSON(b []byte) error {
	type plain message
	m.raw = bytes.Clone(b)
	return json.Unmarshal(b, (*plain)(m))
}

// order refuses messages by what came before them.
type order struct {
	previous string   // role
	open     []string // ids of calls without a result so far
	given    map[string]givenCall
}

func checkMessages(messages []message, given map[string]givenCall) error {
	if len(messages) == 0 {
		return errors.New("there are no messages")
	}
	o := order{given: given}
	for i := range messages {
		if err := o.next(&messages[i]); err != nil {
			return fmt.Errorf("message %d: %w: %.300s", i+1, err, messages[i].raw)
		}
	}
	if o.previous != "user" && o.previous != "tool" {
		return fmt.Errorf("Expected last role User or Tool, not %q", o.previous)
	}
	return nil
}

func (o *order) next(m *message) error {
	known, ok := messageKeys[m.Role]
	if !ok {
		return fmt.Errorf("unknown role %q", m.Role)
	}
	if err := onlyKeys(m.raw, known); err != nil {
		return err
	}
	previous := o.previous
	o.previous = m.Role
	switch {
	case len(m.Calls) == 0 && (m.Content == nil || m.Role == "assistant" && strings.TrimSpace(*m.Content) == ""):
		return errors.New("a message must have either content or calls")
	case len(o.open) > 0 && m.Role != "tool":
		return fmt.Errorf("the calls %q have no result", o.open)
	case m.Role == "system" && previous != "":
		return errors.New("System message must be at the beginning")
	case m.Role == "user" && previous == "tool":
		return errors.New("Unexpected role 'user' after role 'tool'")
	case m.Role == "user" && previous == "user", m.Role == "assistant" && previous != "user" && previous != "tool":
		return errors.New("Conversation roles must alternate user/assistant/user/assistant/...")
	case m.Role == "tool":
		return o.result(m)
	}
	return o.calls(m)
}

func (o *order) result(m *message) error {
	if len(o.open) == 0 || o.open[0] != m.CallID {
		return fmt.Errorf("a result of %q, expected one of %q", m.CallID, o.open)
	}
	o.open = o.open[1:]
	return nil
}

var (
	callName = lazyregexp.New(`^[a-zA-Z0-9_-]{1,64}$`)
	callID   = lazyregexp.New(`^[a-zA-Z0-9]{9}$`)
)

func (o *order) calls(m *message) error {
	for _, raw := range m.Calls {
		var c struct {
			ID, Type string
			Function struct{ Name, Arguments string }
		}
		if err := errors.Join(onlyKeys(raw, callKeys), json.Unmarshal(raw, &c)); err != nil {
			return err
		}
		given, known := o.given[c.ID]
		var arguments map[string]any
		switch {
		case c.Type != "function":
			return fmt.Errorf("a call of type %q", c.Type)
		case !callName.MatchString(c.Function.Name):
			return fmt.Errorf("%q is not a name of a function", c.Function.Name)
		case json.Unmarshal([]byte(c.Function.Arguments), &arguments) != nil || arguments == nil:
			return fmt.Errorf("arguments must be a JSON object, not %s", c.Function.Arguments)
		case !known && !callID.MatchString(c.ID):
			return fmt.Errorf("Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9", c.ID)
		case slices.Contains(o.open, c.ID):
			return fmt.Errorf("two calls have the id %q", c.ID)
		case known && given.reasoning != m.Reasoning:
			return fmt.Errorf("the reasoning_content in the thinking mode must be passed back: %q, not %q", given.reasoning,
				m.Reasoning)
		}
		o.open = append(o.open, c.ID)
	}
	return nil
}

// tool is a tool of a request.
type tool struct {
	Type     string
	Function struct {
		Name, Description string
		Parameters        json.RawMessage
	}
}

func (t *tool) check() error {
	if t.Type != "function" || !callName.MatchString(t.Function.Name) {
		return fmt.Errorf("a tool of type %q with the name %q", t.Type, t.Function.Name)
	}
	if err := checkSchema(t.Function.Parameters); err != nil {
		return fmt.Errorf("the schema of %s: %w: %s", t.Function.Name, err, t.Function.Parameters)
	}
	return nil
}

// checkSchema refuses what Gemini's API does not know in a schema.
func checkSchema(raw json.RawMessage) error {
	if err := onlyKeys(raw, schemaKeys); err != nil {
		return err
	}
	var s struct {
		Type       string // a list of types is refused
		Properties map[string]json.RawMessage
		Required   []string
		Items      json.RawMessage
		AnyOf      []json.RawMessage `json:"anyOf"`
		Enum       []string          // of another type is refused
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	parts := s.AnyOf
	for _, name := range s.Required {
		if s.Properties[name] == nil {
			return fmt.Errorf("property is not defined: %s", name)
		}
	}
	for _, p := range s.Properties {
		parts = append(parts, p)
	}
	if s.Items != nil {
		parts = append(parts, s.Items)
	} else if s.Type == "array" {
		return errors.New("items: missing field")
	}
	if slices.Contains(s.Enum, "") {
		return errors.New("enum: cannot be empty")
	}
	for _, p := range parts {
		if err := checkSchema(p); err != nil {
			return err
		}
	}
	return nil
}
