package session

import (
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestOddCallsAreDone makes calls that are written in an odd way, but have only one meaning.
func TestOddCallsAreDone(t *testing.T) {
	const arguments = `{"text":"hi"}`
	for name, c := range map[string]llmtest.Call{
		"comma too many": {Name: "echo", Arguments: `{"text":"hi",}`},
		"fence":          {Name: "echo", Arguments: "```json\n" + arguments + "\n```"},
		"text behind":    {Name: "echo", Arguments: arguments + " That is all."},
		"encoded twice":  {Name: "echo", Arguments: `"{\"text\":\"hi\"}"`},
		"single quotes":  {Name: "echo", Arguments: `{'text': 'hi'}`},
		"list of one":    {Name: "echo", Arguments: `[` + arguments + `]`},
		"namespace":      {Name: "functions.echo", Arguments: arguments},
		"blank":          {Name: " echo", Arguments: arguments},
		"channel":        {Name: "echo<|channel|>json", Arguments: arguments},
		"null":           {Name: "echo", Arguments: `null`},
		"nothing":        {Name: "echo"},
		"all of it":      {Name: "functions. echo<|channel|>json", Arguments: "```\n\"{'text': 'hi',}\"\n```"},
	} {
		t.Run(name, func(t *testing.T) { oddCall(t, c, true) })
	}
}

// TestCallsThatFailStayInHistory makes calls that no tool can run. The conversation goes on all the same.
func TestCallsThatFailStayInHistory(t *testing.T) {
	for name, c := range map[string]llmtest.Call{
		"cut off":         {Name: "echo", Arguments: `{"text": "hi"`},
		"cut in a string": {Name: "echo", Arguments: `{"text": "h`},
		"list":            {Name: "echo", Arguments: `["hi"]`},
		"number":          {Name: "echo", Arguments: `7`},
		"words":           {Name: "echo", Arguments: `say hi`},
		"long name":       {Name: strings.Repeat("x", 200), Arguments: `{}`},
		"no name":         {Arguments: `{}`},
		"letters":         {Name: "écho", Arguments: `{}`},
		"markup":          {Name: "<tool>echo</tool>", Arguments: `{"text":"hi"}`},
		"both":            {Name: "no tool!", Arguments: `[1,`},
	} {
		t.Run(name, func(t *testing.T) { oddCall(t, c, false) })
	}
}

// oddCall lets a model make a call. The server, which is strict, has to take the next request, and the next message.
func oddCall(t *testing.T, c llmtest.Call, done bool) {
	t.Helper()
	c.ID = "call00001"
	h := start(t, tools.NewSet(echo("echo")), nil, calls(c), says("one"), says("two"))
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	if outcome.StopReason != bus.StopDone || outcome.Text != "one" {
		t.Fatalf("%s: %v, %q", outcome.StopReason, outcome.Err, outcome.Text)
	}
	if failed := len(seen[bus.ToolCallFailed](h)) > 0; failed == done {
		t.Errorf("failed: %v; %+v", failed, h.history(t, turn.ConversationID))
	}
	if shown := h.server.Requests()[1].Last().Content; done && strings.Contains(c.Arguments, "hi") != strings.Contains(shown, `"hi"`) {
		t.Errorf("the result is %s", shown)
	}
	if _, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go on"}); outcome.Text != "two" {
		t.Errorf("%s: %v, %q", outcome.StopReason, outcome.Err, outcome.Text)
	}
	checkPrefixes(t, h.server.Requests())
}

// TestACallKeepsItsName runs the tool that is meant. The model reads the name that it called, a person that of the tool.
func TestACallKeepsItsName(t *testing.T) {
	const called = "mcp__local__Echo_json"
	h := start(t, tools.NewSet(echo("echo")), nil, calls(call("call00001", called, "hi")), says("done"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	requests := h.server.Requests()
	messages := requests[1].Messages
	if name := messages[len(messages)-2].ToolCalls[0].Function.Name; name != called {
		t.Errorf("the history has %s", name)
	}
	if text := requests[1].Last().Content; strings.HasPrefix(text, "error: ") {
		t.Errorf("the model reads %s", text)
	}
	messagesOf := h.history(t, turn.ConversationID)
	if c := messagesOf[1].Calls[0]; c.Summary != "echo: echo said something" {
		t.Errorf("a person reads %q", c.Summary)
	}
}
