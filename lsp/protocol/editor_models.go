package protocol

// The models of the editor. A client that names the first two methods has models of its own, which need no key of
// ours: they are listed as editor/ID, and what [ChatSendParams] names like this is sent to the client.
const (
	// MethodClientModels lists the models that the editor has. It asks the person nothing.
	MethodClientModels = "ploke/client/models"
	// MethodClientModelSend has a model answer. The client sends each part of the answer with [MethodModelPart] as it
	// comes, and its reply when the answer has ended. The server cancels the request when nobody waits for the answer
	// any more.
	MethodClientModelSend = "ploke/client/model/send"
	// MethodModelPart is a part of the answer of a model of the editor. What belongs to no request that runs is ignored.
	MethodModelPart = "ploke/model/part"
)

// ClientModelsResult holds the models, none if the editor has none.
type ClientModelsResult struct {
	Models []ClientModel `json:"models"`
}

// A ClientModel is a model of the editor.
type ClientModel struct {
	ID            string `json:"id"`                     // such as copilot/gpt-4.1; the server uses it only to name the model
	ContextTokens int    `json:"contextTokens,omitzero"` // omitted if it is unknown
	Tools         bool   `json:"tools"`                  // it can call tools
}

// ClientModelSendParams is a request to a model. Messages of the user and of the assistant alternate, but for the
// results of tools, which follow the calls. At most one message of the system is the first.
type ClientModelSendParams struct {
	Request  string         `json:"request"` // identifies this request in [ModelPartParams]
	Model    string         `json:"model"`   // the id of a [ClientModel]
	Messages []ModelMessage `json:"messages"`
	Tools    []ModelTool    `json:"tools"`
}

// A ModelMessage is a message to a model.
type ModelMessage struct {
	Role   ModelRole   `json:"role"`
	Text   string      `json:"text"`
	Calls  []ModelCall `json:"calls,omitzero"`  // of an assistant's message
	CallID string      `json:"callId,omitzero"` // of a tool's message: the call whose result it is
}

// ModelRole is the author of a message to a model.
type ModelRole string

// The authors.
const (
	ModelSystem    ModelRole = "system"
	ModelUser      ModelRole = "user"
	ModelAssistant ModelRole = "assistant"
	ModelToolRole  ModelRole = "tool"
)

// A ModelCall is a call of a tool.
type ModelCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // the JSON of an object, as the model wrote it
}

// A ModelTool is a tool that the model may call.
type ModelTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      string `json:"schema"` // the JSON of the JSON Schema of its arguments
}

// ModelPartParams is a part of an answer: text, a thought or a call.
type ModelPartParams struct {
	Request string     `json:"request"`
	Seq     int        `json:"seq"` // 1 for the first part; a missing one ends the answer with an error
	Text    string     `json:"text,omitzero"`
	Thought string     `json:"thought,omitzero"`
	Call    *ModelCall `json:"call,omitzero"` // complete
}

// ClientModelSendResult is how an answer has ended.
type ClientModelSendResult struct {
	Parts     int          `json:"parts"`             // how many were sent
	Finish    ModelFinish  `json:"finish,omitzero"`   // by default stop
	InTokens  int          `json:"inTokens,omitzero"` // of the request; omitted if it is unknown
	OutTokens int          `json:"outTokens,omitzero"`
	Error     ModelFailure `json:"error,omitzero"`   // omitted if the answer is whole
	Message   string       `json:"message,omitzero"` // with an error: what the editor says of it
}

// ModelFinish is why an answer has ended.
type ModelFinish string

// The reasons.
const (
	ModelStop   ModelFinish = "stop"
	ModelLength ModelFinish = "length" // cut off at the model's limit
)

// ModelFailure is why a model has not answered.
type ModelFailure string

// The reasons.
const (
	ModelNotAllowed ModelFailure = "notAllowed" // the person has not let the server's client use it
	ModelNotFound   ModelFailure = "notFound"   // the editor has no such model
	ModelBlocked    ModelFailure = "blocked"    // a filter refused the request or the answer
	ModelQuota      ModelFailure = "quota"      // no requests are left
	ModelFailed     ModelFailure = "failed"
)
