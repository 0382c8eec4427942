package lsp_test

import (
	"context"
	"flag"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/session/llm/llmtest"
)

var update = flag.Bool("update", false, "write the transcripts of the scenarios")

// TestScenarios plays the scenarios of testdata/scenarios, each a whole session.
func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scenarios, %v", len(paths), err)
	}
	for _, path := range paths {
		s := lsptest.ReadScenario(t, path)
		t.Run(s.Name, func(t *testing.T) {
			bubble(t, func(t *testing.T) { s.Check(t, transcriptOf(t, s, true, waitIdle), *update) })
		})
	}
}

// TestTwoWindows plays a session of two processes, which meet over a socket, for which no bubble waits.
func TestTwoWindows(t *testing.T) {
	t.Parallel()
	s := lsptest.ReadScenario(t, "testdata/two-windows.txtar")
	s.Check(t, transcriptOf(t, s, false, nil), *update)
}

// transcriptOf plays a scenario. Its servers meet each other unless they are alone.
func transcriptOf(t *testing.T, s *lsptest.Scenario, alone bool, settle func()) string {
	f := newFixture(t)
	f.Alone = alone
	f.root = unpack(t, "")
	script := llmtest.NewScript(modelTurns(t, s.File("model"))...)
	if s.File("model") != "" {
		f.Config = []config.Layer{config.FromJSON("the scenario", []byte(
			`{"model": "scripted/model", "providers": {"scripted": {"type": "openai", "baseUrl": "http://localhost/v1"}}}`))}
		f.HTTPClient = &http.Client{Transport: llmtest.InMemory(script)}
	}
	if commands := s.Below("commands"); len(commands) > 0 {
		f.useCommands(commands)
	}
	var servers []*lsp.Server
	got := s.Play(t, lsptest.World{Root: f.root, State: f.state, Settle: settle,
		Serve: func(root, state string) func(context.Context, io.ReadWriteCloser) error {
			options := f.Options
			options.StateDir = state
			server := lsp.NewServer(options)
			server.AddTools(permissionTool())
			servers = append(servers, server)
			return server.Serve
		},
		Started: func() {
			if !alone {
				awaitMeeting(t, servers)
			}
		},
		Prompt: func() string {
			requests := script.Requests()
			return lastOf(requests[len(requests)-1])
		}})
	if err := script.Err(); err != nil {
		t.Error(err)
	}
	return got
}

// awaitMeeting waits until each of several servers is told what another one changes.
func awaitMeeting(t *testing.T, servers []*lsp.Server) {
	for _, s := range servers {
		testbed.Eventually(t, func() bool { return len(servers) < 2 || s.Meets() }, func() string { return "two servers have not met" })
	}
}

// modelTurns reads the script of a model: turns between empty lines. A line is "call NAME ARGUMENTS", "hold", with which
// the turn never ends, or a part of the text.
func modelTurns(t *testing.T, script string) (turns []llmtest.Turn) {
	for part := range strings.SplitSeq(strings.TrimSpace(script), "\n\n") {
		var turn llmtest.Turn
		for line := range strings.SplitSeq(part, "\n") {
			verb, rest, _ := strings.Cut(line, " ")
			switch verb {
			case "call":
				name, arguments, _ := strings.Cut(rest, " ")
				id := name + "_" + string(rune('a'+len(turns))) + string(rune('0'+len(turn.Calls)))
				turn.Calls = append(turn.Calls, llmtest.Call{ID: id, Name: name, Arguments: arguments})
			case "hold":
				turn.Hold = llmtest.NewGate()
			default:
				turn.Text = append(turn.Text, line+"\n")
			}
		}
		turns = append(turns, turn)
	}
	return turns
}
