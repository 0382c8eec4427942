package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// shelf has tools that show texts, which differ by what the tool is asked for and by how often the shelf was changed.
type shelf struct{ version int }

func (s *shelf) tools() *tools.Set {
	text := func(arg string) string { return fmt.Sprintf("%s %d %s", arg, s.version, strings.Repeat("x", 300)) }
	look := tool("look", func(_ context.Context, _ tools.Env, arg string) (any, error) { return text(arg), nil })
	flicker := tool("flicker", func(_ context.Context, _ tools.Env, arg string) (any, error) {
		s.version = 1 - s.version
		return text(arg), nil
	})
	named := tool("named", func(_ context.Context, _ tools.Env, arg string) (any, error) {
		return text(strings.TrimPrefix(arg, "./")), nil
	})
	named.NamesSource = true
	nothing := tool("nothing", func(context.Context, tools.Env, string) (any, error) {
		return strings.Repeat("nothing was found ", 20), nil
	})
	change := changing("change", func(context.Context, tools.Env, string) (any, error) {
		s.version++
		return "changed", nil
	})
	touch := changing("touch", func(context.Context, tools.Env, string) (any, error) { return text("touched"), nil })
	spoil := changing("spoil", func(context.Context, tools.Env, string) (any, error) {
		return nil, &wording.Failure{Message: "no", Code: "no", Hint: "no"}
	})
	return tools.NewSet(look, flicker, named, nothing, change, touch, spoil, echo("echo"))
}

// responses returns a script of the responses in a text, which are separated by spaces, and the calls of each by commas:
// "look(a),touch(b) look(a)". A last response says that it is done.
func responses(text string) (script []llmtest.Turn) {
	for i, response := range strings.Fields(text) {
		var turn llmtest.Turn
		for j, c := range strings.Split(response, ",") {
			name, arg, _ := strings.Cut(strings.TrimSuffix(c, ")"), "(")
			arguments := fmt.Sprintf(`{"text":%q}`, arg)
			if strings.HasPrefix(arg, "{") {
				arguments = arg
			}
			turn.Calls = append(turn.Calls, llmtest.Call{ID: fmt.Sprintf("r%d_%d", i+1, j+1), Name: name, Arguments: arguments})
		}
		script = append(script, turn)
	}
	return append(script, says("done"))
}

// readings says of each result in a request what the model gets of it: w if it is whole, u and the call if it is said to
// be unchanged, t if the model is told not to repeat the call.
func readings(r llmtest.Request) string {
	var all []string
	for _, m := range r.Messages {
		if m.Role != "tool" {
			continue
		}
		text, note, noted := strings.Cut(m.Content, "unchanged since call ")
		kind := ""
		if text != "" {
			kind = "w"
		}
		if noted {
			since, _, _ := strings.Cut(note, " ")
			kind += "u:" + since
		}
		if strings.Contains(note, "don't make it again") {
			kind += "t"
		}
		all = append(all, kind)
	}
	return strings.Join(all, " ")
}

const sixth = "repeated a call of look 6 times"

// TestARepeatedReading repeats calls that read. Each result is stored whole, and the next turn sends the same bytes.
func TestARepeatedReading(t *testing.T) {
	six := strings.Repeat("look(a) ", 6)
	for _, tt := range []struct {
		name, script, want string
		says               string // the limit that ends the turn
	}{
		{"until the turn ends", six, "w u:r1_1 u:r1_1t u:r1_1t u:r1_1t u:r1_1t", sixth},
		{"five times", six[8:], "w u:r1_1 u:r1_1t u:r1_1t u:r1_1t", ""},
		{"in turns with another call", strings.Repeat("look(a) look(b) ", 5) + "look(a)",
			"w w u:r1_1 u:r2_1 u:r1_1t u:r2_1t u:r1_1t u:r2_1t u:r1_1t u:r2_1t u:r1_1t", sixth},
		{"together with others", strings.Repeat("look(a),look(b),echo(c) ", 2), "w w w u:r1_1 u:r1_2 wu:r1_3", ""},
		{"in one response", "look(a),look(a),look(a),look(a),look(a),look(a),look(a)", "w u:r1_1 u:r1_1 u:r1_1 u:r1_1 u:r1_1 u:r1_1", ""},
		{"twice in each response", "look(a),look(a) look(a),look(a)", "w u:r1_1 u:r1_1 u:r1_1", ""},
		{"in another form", `look(a) look({"text":"\u0061"}) look({"text":"a"})`, "w u:r1_1 u:r1_1t", ""},
		{"with and without what means nothing", `look({}) look({"text":""})`, "w u:r1_1", ""},
		{"other arguments", "look(a) look(b) look(c) look(d) look(e) look(f) look(g)", "w w w w w w w", ""},
		{"other arguments with the same result", strings.Repeat("nothing(a) nothing(b) nothing(c) ", 2), "w w w u:r1_1 u:r2_1 u:r3_1", ""},
		{"another spelling of what the result names", "named(a) named(./a) named(a) named(././a)", "w u:r1_1 u:r1_1t w", ""},
		{"in turns of two spellings", strings.Repeat("named(a) named(./a) ", 3), "w u:r1_1 u:r1_1t u:r1_1t u:r1_1t u:r1_1t", "a call of named 6 times"},
		{"a short result", "echo(a) echo(a) echo(a)", "w wu:r1_1 wu:r1_1t", ""},
		{"results that change", "look(a) change() look(a) change() look(a) look(a)", "w w w w w u:r5_1", ""},
		{"results that go back and forth", strings.Repeat("flicker(a) ", 8), "w w w w w w w w", ""},
		{"results of a name that go back", "named(a) change() named(a) named(a) named(./a)", "w w w u:r3_1 u:r3_1t", ""},
		{"a change in one response with the call", "look(a) change(),look(a) look(a)", "w w w u:r2_2", ""},
		{"after each change of something else", strings.Repeat("look(a) touch(b) ", 8), "w w u:r1_1 w u:r1_1 w u:r1_1 w u:r1_1 w u:r1_1 w u:r1_1 w u:r1_1 w", ""},
		{"with each change of something else", strings.Repeat("touch(b),look(a) ", 8), "w w w u:r1_2 w u:r1_2 w u:r1_2 w u:r1_2 w u:r1_2 w u:r1_2 w u:r1_2", ""},
		{"with a change that fails", "look(a) spoil(1),look(a) spoil(2),look(a)", "w w u:r1_1 w u:r1_1t", ""},
		{"calls that change something", strings.Repeat("touch(b) ", 8), "w w w w w w w w", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := responses(tt.script)
			if tt.says != "" {
				script = script[:len(script)-1]
			}
			h := start(t, new(shelf).tools(), nil, append(script, says("later"))...)
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			if ended := outcome.StopReason == bus.StopLimit; ended != (tt.says != "") || !strings.Contains(fmt.Sprint(outcome.Err), tt.says) {
				t.Errorf("%s: %v", outcome.StopReason, outcome.Err)
			}
			for _, c := range h.history(t, turn.ConversationID)[1].Calls {
				if strings.Contains(string(c.Content), "unchanged") {
					t.Errorf("the result of %s is not stored as it was: %s", c.CallID, c.Content)
				}
			}
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
			requests := h.server.Requests()
			checkPrefixes(t, requests)
			if got := readings(requests[len(requests)-1]); got != tt.want {
				t.Errorf("the model reads\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

// TestAReadingIsWholeSomewhere repeats calls while the window fills. What the model is said to have is whole in the
// request that says so.
func TestAReadingIsWholeSomewhere(t *testing.T) {
	read := func(id, bytes string) llmtest.Call { return call(id, "big", bytes) }
	for _, tt := range []struct {
		name   string
		script []llmtest.Turn
		want   string // ids of the results that are whole in the last request
	}{
		{"of a shortened result", []llmtest.Turn{calls(read("a", "17000")), calls(read("b", "20000")), calls(read("c", "17000")), says("done")}, "c"},
		{"of one that would be shortened", []llmtest.Turn{calls(read("z", "9000")), calls(read("a", "16000")), calls(read("b", "15500"), read("c", "16000")), says("done")}, "a b"},
		{"that is repeated itself", []llmtest.Turn{calls(read("a", "17000")), calls(read("b", "20000")), calls(read("c", "17000")), calls(read("d", "17000")), says("done")}, "c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(big()), windowOf(16_000), tt.script...)
			h.ask(t, Prompt{Text: "go"})
			requests := h.server.Requests()
			var whole []string
			for _, m := range requests[len(requests)-1].Messages {
				if m.Role == "tool" && len(m.Content) > 15_000 {
					whole = append(whole, m.ToolCallID)
				}
				if since, noted := strings.CutPrefix(m.Content, "unchanged since call "); noted && !slices.Contains(whole, since[:1]) {
					t.Errorf("%s is said to be that of call %s, which is not whole", m.ToolCallID, since[:1])
				}
			}
			if got := strings.Join(whole, " "); got != tt.want {
				t.Errorf("whole are %q, want %q", got, tt.want)
			}
		})
	}
}

// TestASteeringMessageForgetsWhatWasRead begins a new answer, in which the model gets everything whole once more.
func TestASteeringMessageForgetsWhatWasRead(t *testing.T) {
	var h *harness
	set := new(shelf).tools()
	steering := changing("steering", func(ctx context.Context, env tools.Env, _ string) (any, error) {
		_, err := h.Start(ctx, Prompt{ConversationID: env.Call().ConversationID, Text: "and", WhileBusy: Steer})
		return "", err
	})
	h = start(t, set.With([]*tools.Tool{steering}), nil, responses("look(a) look(a),steering() look(a) look(a)")...)
	h.ask(t, Prompt{Text: "go"})
	if got, want := readings(h.server.Requests()[4]), "w u:r1_1 w w u:r3_1"; got != want {
		t.Errorf("the model reads %s, want %s", got, want)
	}
}

// TestAModelInThisProcessReadsWholeResults gives a model in this process the JSON of each result.
func TestAModelInThisProcessReadsWholeResults(t *testing.T) {
	r := window.Rendering{Tools: new(shelf).tools(), Results: new(window.RenderedResults)}
	content := []byte(`{"ok":true,"said":"` + strings.Repeat("x", 300) + `"}`)
	x := r.Exchange("", []records.ToolCall{{CallID: "a", Tool: "look", Content: content}})
	window.NoteUnchanged(x, map[string]string{"a": "unchanged"})
	if x[1].Text != "unchanged" || string(x[1].Content) != string(content) || x[1].Role != llm.Tool {
		t.Errorf("%+v", x[1])
	}
}
