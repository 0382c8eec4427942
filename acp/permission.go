package acp

import (
	"context"
	"slices"
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// maxQuestionBytes is how much of a question is in its title. What the folder of a project and a usual command need,
// fits.
const maxQuestionBytes = 1 << 10

// permissionAnswers maps the kinds of options to answers.
var permissionAnswers = []struct {
	kind, name string
	answer     session.Answer
}{
	{protocol.AllowOnce, "Allow", session.AllowOnce},
	{protocol.AllowAlways, "Always allow", session.AllowAlways},
	{protocol.AllowAlways, "Always allow exactly this", session.AllowExact},
	{protocol.RejectOnce, "Reject", session.RejectOnce},
	{protocol.RejectAlways, "Always reject", session.RejectAlways},
}

// AskPermission implements [project.FrontEnd]. A question of a call is asked after the client was
// told of the call.
func (f *frontEnd) AskPermission(ctx context.Context, e bus.PermissionAsked) session.Answer {
	s := f.sessionFor(e.ConversationID)
	if s == nil {
		return session.RejectOnce
	}
	title, inTitle := questionTitle(e)
	call := protocol.ToolCall{ID: e.CallID, Title: title, ToolKind: toolKind(e.Tool), Status: protocol.StatusPending}
	detail, whole := display.Bounded(display.Escape(e.Detail), maxShownBytes)
	if detail != "" {
		call.Content = []protocol.ToolCallContent{protocol.TextContent(fenced(detail))}
	}
	if e.CallID == "" {
		call.ID = e.ID // the question belongs to no call
	} else {
		s.awaitShown(ctx, e.ID)
	}
	e.OnlyOnce = e.OnlyOnce || !whole || !inTitle
	var options []protocol.PermissionOption
	for _, a := range permissionAnswers {
		if a.answer.Fits(e) {
			options = append(options, protocol.PermissionOption{ID: string(a.answer), Name: a.name, Kind: a.kind})
		}
	}
	chosen, err := s.ask(ctx, call, options)
	if err != nil || chosen == "" {
		return session.RejectOnce
	}
	return session.Answer(chosen)
}

// ShowsQuestions implements [project.FrontEnd].
func (f *frontEnd) ShowsQuestions() bool { return true }

// questionTitle returns the title of a question with what the person needs to see to decide: some clients show
// nothing else. whole reports whether that is all of it.
func questionTitle(e bus.PermissionAsked) (shown string, whole bool) {
	title := e.Title
	if detail := strings.Join(strings.Fields(e.Detail), " "); detail != "" {
		title += ": " + detail
	}
	shown, whole = display.Bounded(display.Name(title), maxQuestionBytes)
	return display.SafeMarkdown(shown), whole
}

// ask asks the person and returns the id of the chosen option, "" if none of them was.
func (s *openSession) ask(ctx context.Context, call protocol.ToolCall,
	options []protocol.PermissionOption) (string, error) {
	var result protocol.RequestPermissionResponse
	err := s.client.request(ctx, protocol.MethodRequestPermission,
		protocol.RequestPermissionRequest{SessionID: s.id, ToolCall: call, Options: options}, &result)
	offered := func(o protocol.PermissionOption) bool { return o.ID == result.Outcome.OptionID }
	if err != nil || result.Outcome.Outcome != "selected" || !slices.ContainsFunc(options, offered) {
		return "", err
	}
	return result.Outcome.OptionID, nil
}

// sessionFor returns the open session of a conversation; for a question that belongs to none, any session
// of the folder. It returns nil if there is none.
func (f *frontEnd) sessionFor(conversationID string) *openSession {
	for _, s := range f.agent.sessions.of(f.files.folder) {
		if conversationID == "" || s.id == conversationID {
			return s
		}
	}
	return nil
}
