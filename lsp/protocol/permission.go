package protocol

import "time"

// PermissionAskParams asks the person for leave to do something: the parameter
// of [MethodPermissionAsk], which the server calls. The request is cancelled
// when the question needs no answer any more.
type PermissionAskParams struct {
	ID             string `json:"id"` // of the question; also in the parts of the turn
	ConversationID string `json:"conversationId"`
	TurnID         string `json:"turnId"`
	CallID         string `json:"callId"`
	Tool           string `json:"tool"`
	Title          string `json:"title"` // one line: what is about to be done
	Detail         string `json:"detail,omitzero"`
}

// PermissionAskResult is the answer: allowOnce, allowAlways, rejectOnce or
// rejectAlways; whatever else counts as rejectOnce. An answer for ever holds
// in this workspace. A client that can't hold a request open answers later, and
// then calls [MethodPermissionAnswer]; the turn's part says when the question is
// settled.
type PermissionAskResult struct {
	Answer string `json:"answer"`
}

// MethodPermissionAnswer answers a question that was put off.
const MethodPermissionAnswer = "ploke/permission/answer"

// MethodPermissionList lists the answers that hold for ever in this workspace;
// MethodPermissionForget takes one back, as does [CommandPermissionForget].
const (
	MethodPermissionList    = "ploke/permission/list"
	MethodPermissionForget  = "ploke/permission/forget"
	CommandPermissionForget = "ploke.permission.forget"
)

// PermissionListResult is what [MethodPermissionList] answers, in the order of
// the keys.
type PermissionListResult struct {
	Permissions []StandingPermission `json:"permissions"`
}

// StandingPermission is an answer that holds for ever.
type StandingPermission struct {
	Key     string    `json:"key"`
	Title   string    `json:"title"` // of the question that was answered
	Allowed bool      `json:"allowed"`
	Since   time.Time `json:"since"`
}

// PermissionForgetParams names the answer that is taken back.
type PermissionForgetParams struct {
	Key string `json:"key"`
}

// PermissionLater puts the answer to a question off.
const PermissionLater = "later"

// PermissionAnswerParams is the answer to the question with this id, as in
// [PermissionAskResult].
type PermissionAnswerParams struct {
	ID     string `json:"id"`
	Answer string `json:"answer"`
}
