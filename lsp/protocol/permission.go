package protocol

import "time"

// PermissionAskParams asks the person for permission. It is the parameter of
// [MethodPermissionAsk], a request from the server. The server cancels the request when
// it no longer needs the answer.
type PermissionAskParams struct {
	ID             string `json:"id"` // of the permission request, as in the parts of the turn
	ConversationID string `json:"conversationId"`
	TurnID         string `json:"turnId"`
	CallID         string `json:"callId"`
	Tool           string `json:"tool"`
	Title          string `json:"title"` // one line: the action that needs permission
	Detail         string `json:"detail,omitzero"`
}

// PermissionAskResult is the answer: allowOnce, allowAlways, rejectOnce or
// rejectAlways. Anything else counts as rejectOnce. The two always answers hold for
// this workspace. A client that can't keep a request open replies with
// [PermissionLater] and calls [MethodPermissionAnswer] afterwards. A part of the turn
// reports the answer.
type PermissionAskResult struct {
	Answer string `json:"answer"`
}

// MethodPermissionAnswer is a request with the answer to a permission request that was
// postponed with [PermissionLater].
const MethodPermissionAnswer = "ploke/permission/answer"

// MethodPermissionList lists the always answers of this workspace.
// MethodPermissionForget and [CommandPermissionForget] delete one of them.
const (
	MethodPermissionList    = "ploke/permission/list"
	MethodPermissionForget  = "ploke/permission/forget"
	CommandPermissionForget = "ploke.permission.forget"
)

// PermissionListResult is the result of [MethodPermissionList], sorted by key.
type PermissionListResult struct {
	Permissions []StandingPermission `json:"permissions"`
}

// StandingPermission is an allowAlways or rejectAlways answer.
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

// PermissionLater postpones the answer to a permission request.
const PermissionLater = "later"

// PermissionAnswerParams answers the permission request with this id. Answer is as in
// [PermissionAskResult].
type PermissionAnswerParams struct {
	ID     string `json:"id"`
	Answer string `json:"answer"`
}
