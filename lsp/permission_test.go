package lsp_test

import (
	"context"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/tools"
)

// openQuestion is the id of the question that the latest message's turn asked.
func openQuestion(e *lsptest.Editor) string {
	for _, p := range e.Parts() {
		if p.Type == ploke.PartPermission && p.Status == "asked" && p.Title == "Paint it red" && p.Detail == "all of it" {
			return p.ID
		}
	}
	return ""
}

func TestPermissionIsAnsweredLater(t *testing.T) {
	for answer, verdict := range map[string]string{"allowOnce": "granted", "rejectOnce": "denied"} {
		t.Run(answer, func(t *testing.T) {
			f := newFixture(t)
			f.more = []*tools.Tool{asking()}
			f.useModel(paints()...)
			e := f.start(lsptest.Options{Permit: func(context.Context, string) string { return ploke.PermissionLater }})
			sent := send(e, t.Context(), ploke.ChatSendParams{Text: "paint"})
			e.Await("the question", func() bool { return openQuestion(e) != "" })
			params := ploke.PermissionAnswerParams{ID: openQuestion(e), Answer: answer}
			e.Call(ploke.MethodPermissionAnswer, params, nil)
			if r := <-sent; r.StopReason != ploke.StopDone {
				t.Errorf("%+v", r)
			}
			parts := e.Parts()
			settled := parts[len(parts)-1]
			for _, p := range parts {
				if p.Type == ploke.PartPermission {
					settled = p
				}
			}
			if settled.Status != verdict || settled.ID != params.ID {
				t.Errorf("%+v", settled)
			}
			if err := e.Error(ploke.MethodPermissionAnswer, params); !strings.Contains(err.Message, "open question") {
				t.Error(err)
			}
		})
	}
}
