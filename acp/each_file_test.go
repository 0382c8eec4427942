package acp_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// threeFiles is a turn whose proposal has three files.
func threeFiles() llmtest.Turn {
	edits := []string{`{"mode":"replace","file":"shapes/circle.go","old":"return x * x","new":"return x*x"}`}
	return llmtest.Turn{Calls: []llmtest.Call{
		{ID: "c1", Name: "apply_code_edit", Arguments: fmt.Sprintf(`{"reason":"edit","edits":[%s]}`, strings.Join(edits, ","))},
		{ID: "c2", Name: "create_file", Arguments: `{"file":"shapes/new.go","content":"package shapes\n"}`},
		{ID: "c3", Name: "apply_code_edit", Arguments: `{"reason":"edit","edits":[{"mode":"replace","file":"shapes/rect.go","old":"a rectangle","new":"an oblong"}]}`},
	}}
}

// TestEachFileIsDecidedOn answers the card of a proposal with "each file", and then the cards of its files.
func TestEachFileIsDecidedOn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answers  []string // to the files, in their order
		statuses string   // of the proposal, and of the files that were asked about
		written  string
	}{
		"some":               {[]string{"accept-file", "reject-file", "accept-file"}, "completed completed failed completed", "circle rect"},
		"all that follow":    {[]string{"reject-file", "accept-rest"}, "completed failed completed completed", "new rect"},
		"none that follow":   {[]string{"reject-rest"}, "failed failed failed failed", ""},
		"the last one waits": {[]string{"accept-file", "reject-file", ""}, "pending completed failed pending", "circle"},
		"all wait":           {[]string{""}, "pending pending", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.useModel(threeFiles(), say("done"))
			answers := append([]string{"each-file"}, tt.answers...)
			c := f.start(acptest.Options{Capabilities: files, OnPermission: func(context.Context, protocol.RequestPermissionRequest) string {
				answer := answers[0]
				answers = answers[1:]
				return answer
			}})
			id := c.New(f.root)
			c.Prompt(id, "Edit them.")
			var statuses []string
			for _, call := range proposals(c, id) {
				statuses = append(statuses, call.Status)
			}
			var written []string
			for file, text := range map[string]string{"circle": "return x*x", "new": "package shapes", "rect": "an oblong"} {
				if data, err := os.ReadFile(f.path("shapes/" + file + ".go")); err == nil && strings.Contains(string(data), text) {
					written = append(written, file)
				}
			}
			slices.Sort(written)
			if got := strings.Join(statuses, " "); got != tt.statuses || strings.Join(written, " ") != tt.written {
				t.Errorf("the calls are %s, and %q is written; want %s, %q", got, written, tt.statuses, tt.written)
			}
			asked := c.Asked()
			if last := asked[len(asked)-1].ToolCall; len(asked) != 1+len(tt.answers) || len(last.Content) != 1 || len(last.Locations) != 1 {
				t.Errorf("%d questions, the last one %+v", len(asked), last)
			}
		})
	}
}

// TestAProposalWithOneFileHasNoFilesToTellApart looks at the answers that a card has.
func TestAProposalWithOneFileHasNoFilesToTellApart(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"))
	c := f.start(acptest.Options{})
	c.Prompt(c.New(f.root), "Edit it.")
	var ids []string
	for _, o := range c.Asked()[0].Options {
		ids = append(ids, o.ID)
	}
	if got := strings.Join(ids, " "); got != "accept accept-all reject reject-why" {
		t.Errorf("the answers are %s", got)
	}
}

// TestTheModelIsToldWhy rejects with a form, with one that is closed, and through a client without forms.
func TestTheModelIsToldWhy(t *testing.T) {
	t.Parallel()
	forms := files
	forms.Elicitation = &protocol.ElicitationCapabilities{Form: &struct{}{}}
	why := func(asked protocol.ElicitationRequest) map[string]any { return map[string]any{"reason": "too clever"} }
	for name, tt := range map[string]struct {
		options acptest.Options
		status  string
		told    string // what the next request says
		said    string // to the person
	}{
		"a form":        {acptest.Options{Capabilities: forms, OnForm: why}, protocol.StatusFailed, "too clever", ""},
		"a closed form": {acptest.Options{Capabilities: forms}, protocol.StatusPending, "Do it simply.", ""},
		"no form":       {acptest.Options{Capabilities: files}, protocol.StatusFailed, "rejected", "Say in your next message why"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			again := say("again")
			again.Check = func(r *llmtest.Request) error {
				if slices.ContainsFunc(r.Messages, func(m llmtest.Message) bool { return strings.Contains(m.Content, tt.told) }) {
					return nil
				}
				return fmt.Errorf("the model is told %q", r.Messages)
			}
			f.useModel(replace("c1", "shapes/circle.go", "return x * x", "return x*x"), say("done"), again)
			first := true
			tt.options.OnPermission = func(context.Context, protocol.RequestPermissionRequest) string {
				defer func() { first = false }()
				if first {
					return "reject-why"
				}
				return ""
			}
			c := f.start(tt.options)
			id := c.New(f.root)
			c.Prompt(id, "Edit it.")
			if shown := proposals(c, id); shown[0].Status != tt.status || !strings.Contains(c.Said(id, protocol.AgentMessageChunk), tt.said) {
				t.Errorf("shown: %+v, %q", shown[0], c.Said(id, protocol.AgentMessageChunk))
			}
			if reason := c.Prompt(id, "Do it simply."); reason != protocol.StopEndTurn {
				t.Errorf("the next turn ended with %q", reason)
			}
		})
	}
}
