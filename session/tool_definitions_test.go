package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// described returns the tools that a request describes, and how many tokens their definitions have.
func described(r llmtest.Request) (names []string, tokens int) {
	for _, t := range r.Tools {
		names = append(names, t.Function.Name)
		tokens += o200k.Count(t.Function.Name) + o200k.Count(t.Function.Description) + o200k.Count(string(t.Function.Parameters))
	}
	return names, tokens
}

// TestOnlyToolsThatCanDoSomethingAreDescribed asks models with windows of several sizes.
func TestOnlyToolsThatCanDoSomethingAreDescribed(t *testing.T) {
	checks := func() map[string]tools.Check { return map[string]tools.Check{"test": {Command: []string{"true"}}} }
	for _, tt := range []struct {
		window       int
		checks       func() map[string]tools.Check
		with, absent []string
	}{
		{200_000, nil, []string{"get_file_metadata", "code_item_edges", "apply_code_edit"}, []string{tools.RecallToolResult, "run_check"}},
		{200_000, checks, []string{"get_file_metadata", "run_check"}, []string{tools.RecallToolResult}},
		{16_384, nil, []string{"get_file_metadata", "code_item_edges", tools.RecallToolResult}, []string{"run_check"}},
		{8192, nil, []string{"search_text", "read_file", "apply_code_edit", "create_file", "code_item_lookup", "list_dir", tools.RecallToolResult}, []string{"get_file_metadata", "run_check"}},
		{8192, checks, []string{"read_file", "apply_code_edit", "run_check"}, []string{"get_file_metadata"}},
		{4096, nil, []string{"search_text", "read_file", "apply_code_edit"}, []string{"get_file_metadata", "code_item_edges", "code_item_lookup"}},
	} {
		t.Run(fmt.Sprint(tt.window, tt.checks != nil), func(t *testing.T) {
			h := start(t, tools.New(tools.Deps{Checks: tt.checks}), windowOf(tt.window), says("yes"))
			if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Err != nil {
				t.Fatal(outcome.Err)
			}
			names, tokens := described(h.server.Requests()[0])
			for _, name := range tt.with {
				if !slices.Contains(names, name) {
					t.Errorf("%s is missing in %q", name, names)
				}
			}
			for _, name := range tt.absent {
				if slices.Contains(names, name) {
					t.Errorf("%s is described", name)
				}
			}
			if tokens > tt.window/definitionShare && tt.window > 4096 {
				t.Errorf("the definitions take %d tokens", tokens)
			}
		})
	}
}

// TestAToolThatIsNotDescribedRuns calls one that a small window has no room for.
func TestAToolThatIsNotDescribedRuns(t *testing.T) {
	spared := echo("spared")
	spared.Spare, spared.Description = 1, strings.Repeat("many words ", 2000)
	h := start(t, tools.NewSet(spared, echo("stays")), windowOf(8192), calls(call("a", "spared", "here it is")), says("done"))
	if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Err != nil {
		t.Fatal(outcome.Err)
	}
	requests := h.server.Requests()
	if names, _ := described(requests[1]); !slices.Equal(names, []string{"stays"}) {
		t.Errorf("described are %q", names)
	}
	if got := requests[1].Last().Content; !strings.Contains(got, "here it is") {
		t.Errorf("the tool returned %s", got)
	}
}

// TestAResultCanBeRecalledFromTheNextTurnOn cuts a result in a large window: the requests
// of the turn go on to begin with the same bytes, and the next turn describes the tool.
func TestAResultCanBeRecalledFromTheNextTurnOn(t *testing.T) {
	h := start(t, tools.NewSet(manyLines(), echo(tools.RecallToolResult)), windowOf(64_000),
		calls(call("a", "look", "10")), calls(call("b", "look", "40000")), says("done"), says("again"))
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	if outcome.Err != nil {
		t.Fatal(outcome.Err)
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "more"})
	requests := h.server.Requests()
	for i, r := range requests {
		if n := sent(r); n > 64_000 {
			t.Errorf("request %d has %d tokens", i, n)
		}
	}
	if n := countBreaks(requests[:3]); n > 0 {
		t.Errorf("%d requests of the turn don't begin with the one before", n)
	}
	if names, _ := described(requests[3]); !slices.Contains(names, tools.RecallToolResult) {
		t.Errorf("the next turn describes %q", names)
	}
	if cut := requests[2].Last().Content; !strings.Contains(cut, tools.RecallToolResult+" shows more for call_id b") {
		t.Errorf("the result does not say how to get the rest: … %s", cut[max(0, len(cut)-300):])
	}
}

// TestServerToolsHaveAShareOfTheWindow asks for the tools of other programs.
func TestServerToolsHaveAShareOfTheWindow(t *testing.T) {
	for window, want := range map[int]int{8192: 682, 128_000: 10_666} {
		h := start(t, tools.NewSet(), windowOf(window), says("yes"))
		got := 0
		h.opts.Workspace.ServerTools = func(_ context.Context, _ string, tokens int) ([]*tools.Tool, []string) {
			got = tokens
			return nil, nil
		}
		if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Err != nil || got != want {
			t.Errorf("a window of %d: %d tokens; want %d (%v)", window, got, want, outcome.Err)
		}
	}
}

// TestAModelWithoutToolsHasRoomForThem counts nothing for tools that are not sent.
func TestAModelWithoutToolsHasRoomForThem(t *testing.T) {
	h := start(t, tools.New(tools.Deps{}), func(o *Options) {
		windowOf(3000)(o)
		find := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			m, err := find(ctx, name)
			m.Capabilities = &llm.Capabilities{}
			return m, err
		}
	}, says("yes"))
	if _, outcome := h.ask(t, Prompt{Text: strings.Repeat("word ", 900)}); outcome.Err != nil {
		t.Error(outcome.Err)
	}
}
