package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestTheLogSaysHowEachCallEnded requires a line for each call, with ids but without content.
func TestTheLogSaysHowEachCallEnded(t *testing.T) {
	const content = "the content"
	slow := tool("slow", func(ctx context.Context, _ tools.Env, _ string) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
	slow.Timeout = 10 * time.Millisecond
	set := tools.NewSet(echo("echo"), slow,
		tool("fail", func(context.Context, tools.Env, string) (any, error) { return nil, errors.New(content) }),
		tool("crash", func(context.Context, tools.Env, string) (any, error) { panic("crash") }),
		tool("deny", func(context.Context, tools.Env, string) (any, error) { return nil, tools.ErrDenied }),
		tool("wait", func(ctx context.Context, _ tools.Env, _ string) (any, error) { <-ctx.Done(); return nil, ctx.Err() }))
	want := map[string]bus.Code{"echo": "", "slow": bus.CodeTimeout, "fail": bus.CodeError, "crash": bus.CodePanic, "deny": bus.CodeDenied,
		"unknown": bus.CodeInvalid, "wait": bus.CodeCancelled}
	var batch []llmtest.Call
	for name := range want {
		if name == "unknown" {
			name = content
		}
		batch = append(batch, call("call of "+name, name, content))
	}
	var log lockedBuffer // a tool may return after the turn
	h := start(t, set, func(o *Options) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) }, calls(batch...))
	turn, err := h.Start(t.Context(), Prompt{Text: content})
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	requested := map[string]string{}
	await(h, func(e bus.Event) bool {
		if r, ok := e.(bus.ToolCallRequested); ok {
			requested[r.ID] = r.Name
		}
		if id, _ := terminal(e); id != "" {
			ended++
		}
		return ended == len(want)-1
	})
	turn.Stop()
	h.wait(t, turn)
	for line := range strings.Lines(log.String()) {
		var l struct {
			Level, Msg, Turn, Call, Tool string
			Duration                     *time.Duration
			Code                         bus.Code
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(l.Msg, "a tool call ") {
			continue
		}
		code, expected := want[l.Tool]
		delete(want, l.Tool)
		level := "WARN"
		if code == "" {
			level = "INFO"
		}
		if name := requested[l.Call]; !expected || l.Code != code || l.Level != level || l.Turn != turn.RequestID || l.Duration == nil ||
			name != l.Tool && l.Tool != "unknown" || strings.Contains(line, content) {
			t.Errorf("%s", line)
		}
	}
	if len(want) > 0 {
		t.Errorf("no line for %v", want)
	}
}

// lockedBuffer is a buffer that several goroutines may use.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
