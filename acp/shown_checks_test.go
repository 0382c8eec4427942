package acp

import (
	"context"
	"slices"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits/evidence"
)

// notified notes the updates of calls that a client is sent.
type notified struct {
	jsonrpc2.Conn
	sent []string
}

func (n *notified) Notify(_ context.Context, _ string, params any) error {
	call := params.(protocol.SessionNotification).Update.(protocol.ToolCall)
	n.sent = append(n.sent, call.Kind+" "+call.Status)
	return nil
}

// TestChecksAreCallsOnceTheyAreShown has a check change before and after its call is there: a turn that is over begins
// no call.
func TestChecksAreCallsOnceTheyAreShown(t *testing.T) {
	conn := &notified{}
	s, c := &openSession{client: &client{conn: conn}}, &shownChecks{}
	of := func(state evidence.State) []evidence.Evidence {
		return []evidence.Evidence{{Source: "go vet", State: state}}
	}
	c.update(s, "p", of(evidence.Passed))
	c.show(s, "p", of(evidence.Running))
	c.show(s, "p", of(evidence.Running))
	c.update(s, "p", of(evidence.Failed))
	c.update(s, "p", of(evidence.Failed))
	c.update(s, "other", of(evidence.Failed))
	want := []string{"tool_call in_progress", "tool_call_update failed"}
	if !slices.Equal(conn.sent, want) {
		t.Errorf("sent %q, want %q", conn.sent, want)
	}
}
