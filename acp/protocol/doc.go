// Package protocol holds the messages of version 1 of the Agent Client Protocol that
// ploke-lsp sends and reads: their names and their JSON. Each type has the name and the
// fields of the protocol's schema, without those that the agent neither sends nor reads.
// The tests of package acp compare every message with the schema.
//
// Paths are absolute paths of the operating system, lines count from 1, and times are in
// the form of RFC 3339.
package protocol

// Version is the version of the protocol that the agent speaks.
const Version = 1

// The methods that a client calls.
const (
	MethodInitialize             = "initialize"
	MethodAuthenticate           = "authenticate"
	MethodSessionNew             = "session/new"
	MethodSessionLoad            = "session/load"
	MethodSessionResume          = "session/resume"
	MethodSessionList            = "session/list"
	MethodSessionClose           = "session/close"
	MethodSessionDelete          = "session/delete"
	MethodSessionPrompt          = "session/prompt"
	MethodSessionCancel          = "session/cancel" // a notification
	MethodSessionSetConfigOption = "session/set_config_option"
)

// The methods that the agent calls.
const (
	MethodSessionUpdate     = "session/update" // a notification
	MethodRequestPermission = "session/request_permission"
	MethodReadTextFile      = "fs/read_text_file"
	MethodWriteTextFile     = "fs/write_text_file"
)

// MethodCancelRequest is the notification with which either side cancels a request of its own.
const MethodCancelRequest = "$/cancel_request"

// The codes of errors.
const (
	CodeInvalidParams    = -32602
	CodeMethodNotFound   = -32601
	CodeInternalError    = -32603
	CodeAuthRequired     = -32000
	CodeResourceNotFound = -32002
	CodeRequestCancelled = -32800
)
