package protocol

import "encoding/json"

// MethodElicitationCreate asks the person for something in a form.
const MethodElicitationCreate = "elicitation/create"

// ElicitationCapabilities say in which ways the client asks a person for something.
type ElicitationCapabilities struct {
	Form *struct{} `json:"form"`
}

// ElicitationRequest is the parameter of [MethodElicitationCreate].
type ElicitationRequest struct {
	SessionID       string          `json:"sessionId"`
	ToolCallID      string          `json:"toolCallId,omitzero"`
	Mode            string          `json:"mode"` // form
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"` // a JSON Schema of an object
}

// ElicitationResponse is the answer to [MethodElicitationCreate].
type ElicitationResponse struct {
	Action  string         `json:"action"` // accept, decline or cancel
	Content map[string]any `json:"content"`
}
