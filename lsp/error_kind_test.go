package lsp_test

import (
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestTheKindOfAnErrorSaysWhatHelps ends turns by what is no fault of a server; TestFaultsOverTheWire has those.
func TestTheKindOfAnErrorSaysWhatHelps(t *testing.T) {
	t.Parallel()
	calls := llmtest.Turn{Calls: []llmtest.Call{{Name: "list_dir", Arguments: "{}"}}}
	wrong := llmtest.Turn{Calls: []llmtest.Call{{Name: "nonesuch", Arguments: "{}"}}}
	for _, tt := range []struct {
		name, settings, model string
		kind                  ploke.ErrorKind
		script                []llmtest.Turn
	}{
		{name: "no key", settings: `{"providers": {"scripted": {"apiKeyEnv": "NONE"}}}`, kind: ploke.ErrorAuth},
		{name: "a model that is not configured", settings: `{}`, model: "none/model", kind: ploke.ErrorModel},
		{name: "the daily budget", settings: `{"limits": {"dailyCost": 0.01}, "providers": {"scripted": {"models": {"model": {"contextTokens": 100000, "price": {"in": 900, "out": 900}}}}}}`, kind: ploke.ErrorBudget},
		{name: "the limit of requests", settings: `{"limits": {"turnRequests": 1}}`, kind: ploke.ErrorLimit, script: []llmtest.Turn{calls}},
		{name: "only wrong calls", settings: `{"limits": {"repairs": 1}}`, kind: ploke.ErrorModel, script: []llmtest.Turn{wrong, wrong}},
		{name: "a message that is too long", settings: `{"providers": {"scripted": {"models": {"model": {"contextTokens": 100}}}}}`, kind: ploke.ErrorContext},
		{name: "a content filter", settings: `{}`, kind: ploke.ErrorRefused, script: []llmtest.Turn{{Text: []string{"I"}, Finish: "content_filter"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(tt.script...)
			f.Config = append(f.Config, config.FromJSON("the test", []byte(tt.settings)))
			e := f.start(lsptest.Options{})
			result := e.Send(t.Context(), ploke.ChatSendParams{Text: "go", Model: tt.model})
			if result.ErrorKind != tt.kind || result.Error == "" {
				t.Errorf("the kind is %q of %q", result.ErrorKind, result.Error)
			}
			_, stored := stored(e, result.ConversationID, result.TurnID)
			if stored.ErrorKind != tt.kind || stored.Error != result.Error || stored.StopReason != result.StopReason {
				t.Errorf("stored is %+v", stored)
			}
		})
	}
}
