package protocol

// InitializeRequest begins a connection.
type InitializeRequest struct {
	ProtocolVersion    int                `json:"protocolVersion"` // the latest that the client speaks
	ClientCapabilities ClientCapabilities `json:"clientCapabilities"`
	ClientInfo         *Implementation    `json:"clientInfo,omitzero"`
}

// ClientCapabilities say what the agent may ask for.
type ClientCapabilities struct {
	FS      FileSystemCapabilities    `json:"fs"`
	Session ClientSessionCapabilities `json:"session"`
	Auth    AuthCapabilities          `json:"auth"`

	Elicitation *ElicitationCapabilities `json:"elicitation"`
}

// FileSystemCapabilities say which files/* methods the client has.
type FileSystemCapabilities struct {
	ReadTextFile  bool `json:"readTextFile"`
	WriteTextFile bool `json:"writeTextFile"`
}

// ClientSessionCapabilities say which optional updates the client understands.
type ClientSessionCapabilities struct {
	ConfigOptions *struct {
		Boolean *struct{} `json:"boolean"`
	} `json:"configOptions"`
	Notices *struct{} `json:"notices"`
}

// AuthCapabilities say which kinds of authentication the client offers.
type AuthCapabilities struct {
	Terminal bool `json:"terminal"` // it runs the agent's program in a terminal
}

// Implementation names a program.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitzero"`
	Version string `json:"version"`
}

// InitializeResponse says what the agent can do.
type InitializeResponse struct {
	ProtocolVersion   int               `json:"protocolVersion"`
	AgentCapabilities AgentCapabilities `json:"agentCapabilities"`
	AgentInfo         Implementation    `json:"agentInfo"`
	AuthMethods       []AuthMethod      `json:"authMethods"`
}

// AgentCapabilities say which optional methods and contents the agent has.
type AgentCapabilities struct {
	LoadSession         bool                `json:"loadSession"`
	PromptCapabilities  PromptCapabilities  `json:"promptCapabilities"`
	MCPCapabilities     MCPCapabilities     `json:"mcpCapabilities"`
	SessionCapabilities SessionCapabilities `json:"sessionCapabilities"`
}

// PromptCapabilities say what a prompt may hold apart from text and links.
type PromptCapabilities struct {
	Image           bool `json:"image"`
	Audio           bool `json:"audio"`
	EmbeddedContext bool `json:"embeddedContext"`
}

// MCPCapabilities say how the agent reaches MCP servers apart from standard input and output.
type MCPCapabilities struct {
	HTTP bool `json:"http"`
	SSE  bool `json:"sse"`
}

// SessionCapabilities are the optional methods of sessions; an empty struct stands for yes.
type SessionCapabilities struct {
	List                  *struct{} `json:"list,omitzero"`
	Delete                *struct{} `json:"delete,omitzero"`
	AdditionalDirectories *struct{} `json:"additionalDirectories,omitzero"`
	Resume                *struct{} `json:"resume,omitzero"`
	Close                 *struct{} `json:"close,omitzero"`
}

// AuthMethod is a way to authenticate. With the type "terminal" the client runs the agent's
// program with the arguments behind its own ones.
type AuthMethod struct {
	Type        string   `json:"type,omitzero"` // "terminal", or "" for the method authenticate
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitzero"`
	Args        []string `json:"args,omitzero"`
}

// AuthenticateRequest asks the agent to use a method.
type AuthenticateRequest struct {
	MethodID string `json:"methodId"`
}
