package protocol

import "encoding/json"

// SessionParams open a session: a new one, or the one with SessionID.
type SessionParams struct {
	SessionID             string      `json:"sessionId,omitzero"`
	CWD                   string      `json:"cwd"` // the session's folder
	AdditionalDirectories []string    `json:"additionalDirectories,omitzero"`
	MCPServers            []MCPServer `json:"mcpServers"`
}

// MCPServer is an MCP server that the client passes to a session. Type is "" for a server
// on standard input and output, which has Command, Args and Env, else "http" or "sse", with
// URL and Headers.
type MCPServer struct {
	Type    string      `json:"type,omitzero"`
	Name    string      `json:"name"`
	Command string      `json:"command,omitzero"`
	Args    []string    `json:"args,omitzero"`
	Env     []NameValue `json:"env,omitzero"`
	URL     string      `json:"url,omitzero"`
	Headers []NameValue `json:"headers,omitzero"`
}

// NameValue is an environment variable, or a header of HTTP.
type NameValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SessionResponse answers the methods that open a session. SessionID is that of a new one.
type SessionResponse struct {
	SessionID     string         `json:"sessionId,omitzero"`
	ConfigOptions []ConfigOption `json:"configOptions"`
}

// SessionID names a session, for the methods that need no more.
type SessionID struct {
	SessionID string `json:"sessionId"`
}

// ListSessionsRequest asks for the sessions of a folder.
type ListSessionsRequest struct {
	CWD    string `json:"cwd"`
	Cursor string `json:"cursor"` // NextCursor of the page before
}

// ListSessionsResponse is a page of sessions.
type ListSessionsResponse struct {
	Sessions   []SessionInfo `json:"sessions"`
	NextCursor string        `json:"nextCursor,omitzero"`
}

// SessionInfo describes a session.
type SessionInfo struct {
	SessionID string `json:"sessionId"`
	CWD       string `json:"cwd"`
	Title     string `json:"title,omitzero"`
	UpdatedAt string `json:"updatedAt,omitzero"`
}

// ConfigOption is a setting of a session, which the client shows. The type is "select" or
// "boolean", which decides the type of CurrentValue.
type ConfigOption struct {
	Type         string         `json:"type"`
	ID           string         `json:"id"`
	Name         string         `json:"name"`
	Description  string         `json:"description,omitzero"`
	Category     string         `json:"category,omitzero"`
	CurrentValue any            `json:"currentValue"`
	Options      []ConfigChoice `json:"options,omitzero"`
}

// ConfigChoice is a value of a ConfigOption of the type "select".
type ConfigChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description,omitzero"`
}

// SetConfigOptionRequest changes a setting of a session. The value is a string or a boolean.
type SetConfigOptionRequest struct {
	SessionID string          `json:"sessionId"`
	ConfigID  string          `json:"configId"`
	Value     json.RawMessage `json:"value"`
}

// SetConfigOptionResponse holds all settings of the session.
type SetConfigOptionResponse struct {
	ConfigOptions []ConfigOption `json:"configOptions"`
}

// PromptRequest is a message of the person.
type PromptRequest struct {
	SessionID string         `json:"sessionId"`
	Prompt    []ContentBlock `json:"prompt"`
}

// PromptResponse ends a turn.
type PromptResponse struct {
	StopReason string `json:"stopReason"`
}

// The reasons why a turn ends.
const (
	StopEndTurn         = "end_turn"
	StopMaxTurnRequests = "max_turn_requests"
	StopCancelled       = "cancelled"
	StopRefusal         = "refusal"
)

// ContentBlock is a piece of a message. Which fields it has depends on Type.
type ContentBlock struct {
	Type     string            `json:"type"` // text, resource_link, resource; image and audio are refused
	Text     string            `json:"text,omitzero"`
	URI      string            `json:"uri,omitzero"`  // of a resource_link
	Name     string            `json:"name,omitzero"` // of a resource_link
	Resource *ResourceContents `json:"resource,omitzero"`
}

// ResourceContents is the text of a resource. Blob is set for one that is no text.
type ResourceContents struct {
	URI  string `json:"uri"`
	Text string `json:"text"`
	Blob string `json:"blob,omitzero"`
}
