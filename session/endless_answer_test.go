package session

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// sendsForever repeats a piece of an answer until the client leaves.
func sendsForever(piece func(p wireProtocol) string) func(http.ResponseWriter, *http.Request, wireProtocol) {
	return func(w http.ResponseWriter, r *http.Request, p wireProtocol) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, half(p))
		text := piece(p)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
		}
	}
}

// TestAnEndlessAnswerEndsAsALimitWithWhatCame requires that what came is stored and shown.
func TestAnEndlessAnswerEndsAsALimitWithWhatCame(t *testing.T) {
	testbed.Long(t)
	long := strings.Repeat("words ", 50_000)
	for _, p := range wireProtocols {
		for name, tt := range map[string]struct {
			piece func(p wireProtocol) string
			kept  int // bytes of text at least
		}{
			"text":      {func(p wireProtocol) string { return p.text(quote(long)) }, llm.MaxAnswer - 2*len(long)},
			"thoughts":  {func(p wireProtocol) string { return p.thought(quote(long)) }, len("half")},
			"a line":    {func(p wireProtocol) string { return long }, len("half")},
			"arguments": {func(p wireProtocol) string { return p.call(0, "a", fmt.Sprintf(`{"text":%q}`, long)) }, len("half")},
		} {
			t.Run(p.name+"/"+name, func(t *testing.T) {
				if p.name == "ollama" && name == "a line" {
					tt.piece = func(p wireProtocol) string { return strings.Repeat(" ", len(long)) } // else it is no JSON
				}
				h, well := startFaulty(t, p, fault{serve: sendsForever(tt.piece)})
				h.patience = time.Minute // many megabytes come without an event
				turn, outcome := h.ask(t, Prompt{Text: "go"})
				if outcome.StopReason != bus.StopLimit || outcome.Err == nil || !strings.Contains(outcome.Err.Error(), "more than") {
					t.Fatalf("%s: %v", outcome.StopReason, outcome.Err)
				}
				if n := len(outcome.Text); !strings.HasPrefix(outcome.Text, "half") || n < tt.kept || n > llm.MaxAnswer {
					t.Errorf("%d bytes were kept, want %d or more", n, tt.kept)
				}
				m := h.history(t, turn.ConversationID)[1]
				if m.Text != outcome.Text || m.Status != records.Completed || m.Error != outcome.Err.Error() || len(m.Calls) > 0 {
					t.Errorf("stored: %d bytes, %s, %s, %d calls", len(m.Text), m.Status, m.Error, len(m.Calls))
				}
				if end := seen[bus.TurnFinished](h); len(end) != 1 || end[0].Error != m.Error || end[0].StopReason != bus.StopLimit {
					t.Errorf("published: %+v", end)
				}
				well.Store(true)
				if _, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, ParentID: Root, Text: "and now?"}); outcome.Text != "fine" {
					t.Errorf("afterwards: %+v", outcome)
				}
			})
		}
	}
}

// TestSecretsInAProvidersErrorAreHidden requires it of what is shown, published and stored.
func TestSecretsInAProvidersErrorAreHidden(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for _, p := range wireProtocols {
		t.Run(p.name, func(t *testing.T) {
			h, _ := startFaulty(t, p, fault{serve: func(w http.ResponseWriter, _ *http.Request, _ wireProtocol) {
				w.WriteHeader(http.StatusServiceUnavailable) // is tried again, which is published
				fmt.Fprintf(w, `{"error":{"message":"no use for %s"}}`, secret)
			}})
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			shown := fmt.Sprint(outcome.Err, h.history(t, turn.ConversationID)[1].Error)
			h.mu.Lock()
			defer h.mu.Unlock()
			if shown += fmt.Sprint(h.events); strings.Contains(shown, secret) || strings.Count(shown, "no use for PLOKE_SECRET_") < 4 {
				t.Error(shown)
			}
		})
	}
}

// TestTheLedgerNamesTheHostOfTheRequest has a server that redirects to another one.
func TestTheLedgerNamesTheHostOfTheRequest(t *testing.T) {
	for _, p := range wireProtocols {
		t.Run(p.name, func(t *testing.T) {
			var host string
			h, _ := startFaulty(t, p, fault{serve: func(w http.ResponseWriter, r *http.Request, _ wireProtocol) {
				host = r.Host
				http.Redirect(w, r, "http://localhost:1/v1/elsewhere", http.StatusTemporaryRedirect)
			}})
			_, outcome := h.ask(t, Prompt{Text: "go"})
			entries, err := h.Ledger(t.Context(), LedgerQuery{})
			if err != nil || len(entries) != 1 || entries[0].Host != host {
				t.Errorf("%+v, %v; sent to %s", entries, err, host)
			}
			if said := fmt.Sprint(outcome.Err); !strings.Contains(said, "http://"+host+" redirects to http://localhost:1; nothing was sent there") {
				t.Error(said)
			}
		})
	}
}
