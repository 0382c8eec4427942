package protocol

import "time"

// The methods of permissions.
const (
	// MethodPermissionAsk asks the person for permission. The server cancels the request when it no
	// longer needs the answer. A part of the turn reports the answer. An error counts as rejectOnce.
	MethodPermissionAsk = "ploke/permission/ask"
	// MethodPermissionAnswer answers a permission request that was postponed with the answer later. It
	// fails if the request is no longer open.
	MethodPermissionAnswer = "ploke/permission/answer"
	// MethodPermissionList lists the standing answers of this workspace.
	MethodPermissionList = "ploke/permission/list"
	// MethodPermissionForget deletes a standing answer, so that the person is asked again. It fails if
	// there is none with this key.
	MethodPermissionForget = "ploke/permission/forget"
)

// PermissionAskParams is a question to the person.
type PermissionAskParams struct {
	ID             string `json:"id"`             // of the permission request, as in the parts of the turn
	ConversationID string `json:"conversationId"` // empty outside of turns
	TurnID         string `json:"turnId"`         // empty outside of turns
	CallID         string `json:"callId"`         // empty outside of tool calls
	Tool           string `json:"tool"`           // empty outside of tool calls
	Title          string `json:"title"`          // one line: the action that needs permission
	Detail         string `json:"detail,omitzero"`
	// OnlyOnce says that the detail is not all of what would be done. Then the client offers no answer
	// that holds always, and the server takes one for its answer to this request alone.
	OnlyOnce bool `json:"onlyOnce,omitzero"`
	// Exact says that the title is about more than the detail shows, such as all commands. Then the client may offer
	// allowExact, too.
	Exact bool `json:"exact,omitzero"`
}

// PermissionAskResult is the answer of the person. Anything but an answer of this type counts as rejectOnce.
type PermissionAskResult struct {
	Answer PermissionAnswer `json:"answer"`
}

// PermissionAnswer is an answer to a permission request. Those that hold always do so for this workspace.
type PermissionAnswer string

// The answers to a permission request.
const (
	PermissionAllowOnce   PermissionAnswer = "allowOnce"
	PermissionAllowAlways PermissionAnswer = "allowAlways"
	// PermissionAllowExact allows always, but only exactly what the detail shows. Without exact it counts as allowOnce.
	PermissionAllowExact   PermissionAnswer = "allowExact"
	PermissionRejectOnce   PermissionAnswer = "rejectOnce"
	PermissionRejectAlways PermissionAnswer = "rejectAlways"
	// PermissionLater postpones the answer: the client can't keep a request open, and calls
	// [MethodPermissionAnswer] afterwards.
	PermissionLater PermissionAnswer = "later"
)

// PermissionAnswerParams answers the permission request with this id.
type PermissionAnswerParams struct {
	ID     string           `json:"id"`
	Answer PermissionAnswer `json:"answer"`
}

// PermissionListResult holds the standing answers.
type PermissionListResult struct {
	Permissions []StandingPermission `json:"permissions"` // sorted by key
}

// A StandingPermission is an answer that holds always.
type StandingPermission struct {
	Key     string    `json:"key"`
	Title   string    `json:"title"` // of the permission request
	Allowed bool      `json:"allowed"`
	Since   time.Time `json:"since"`
}

// PermissionForgetParams names the answer to delete.
type PermissionForgetParams struct {
	Key string `json:"key"`
}
