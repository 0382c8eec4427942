package lsp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// toolCall is a call of a scripted model.
type toolCall struct{ tool, args string }

// stagedCall begins the results of calls that have staged something.
const stagedCall = "\x00staged "

// use is a call and what its result has to contain, and must not contain. "" stands for nothing.
type use struct {
	toolCall
	has, lacks string
}

func staged(c toolCall) use  { return use{c, stagedCall, ""} }
func refused(c toolCall) use { return use{c, "", stagedCall} }

func replacing(file, old, text string) toolCall {
	return toolCall{"apply_code_edit", fmt.Sprintf(`{"edits":[{"mode":"replace","file":%q,"old":%q,"new":%q}]}`, file, old, text)}
}

func writing(file, text string) toolCall {
	return toolCall{"create_file", fmt.Sprintf(`{"file":%q,"content":%q}`, file, text)}
}

func reading(file string) toolCall { return toolCall{"read_file", fmt.Sprintf(`{"file":%q}`, file)} }

func deleting(file string) toolCall {
	return toolCall{"delete_file", fmt.Sprintf(`{"file":%q}`, file)}
}

func renaming(file, to string) toolCall {
	return toolCall{"rename_file", fmt.Sprintf(`{"file":%q,"to":%q}`, file, to)}
}

func searching(pattern string) toolCall {
	return toolCall{"search_text", fmt.Sprintf(`{"pattern":%q}`, pattern)}
}

// response returns a response with the calls. Their ids begin with prefix.
func response(prefix string, calls ...toolCall) (turn llmtest.Turn) {
	for i, c := range calls {
		turn.Calls = append(turn.Calls, llmtest.Call{ID: fmt.Sprint(prefix, i), Name: c.tool, Arguments: c.args})
	}
	return turn
}

// largeWindow gives models a context window that everything fits into.
func (f *fixture) largeWindow() {
	f.Config = append(f.Config, config.FromJSON("a large window", []byte(`{"limits": {"contextTokens": 100000000}}`)))
}

// play runs a turn with responses, and returns the editor, the results that the model has read, in
// the order of the calls, each behind the call's summary, and the proposals of the turn.
func (f *fixture) play(responses ...llmtest.Turn) (e *lsptest.Editor, results, proposals []string) {
	f.t.Helper()
	return f.playIn(lsptest.Options{}, responses...)
}

// playIn is like play, in an editor with options.
func (f *fixture) playIn(options lsptest.Options, responses ...llmtest.Turn) (e *lsptest.Editor, results, proposals []string) {
	f.t.Helper()
	settings := f.Config
	server := f.useModel(append(responses, llmtest.Turn{Text: []string{"Done."}})...)
	f.Config = append(f.Config, settings...)
	f.largeWindow()
	e = f.start(options)
	e.AwaitIndex()
	result := e.Ask("go")
	if result.StopReason != ploke.StopDone {
		f.t.Fatalf("the turn ended with %s %s", result.StopReason, result.Error)
	}
	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: result.ConversationID}, &history)
	requests := server.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "tool" {
			call := history.Messages[1].ToolCalls[len(results)]
			results = append(results, "\x00"+call.Summary+call.Error+"\x00"+m.Content)
		}
	}
	return e, results, result.Proposals
}

// proposed returns the texts of the files of a proposal after the change, by path.
func proposed(e *lsptest.Editor, id string) map[string]string {
	var got ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &got)
	texts := map[string]string{}
	for _, file := range got.Files {
		texts[string(file.Op)+" "+file.Path+" "+file.NewPath] = file.After
	}
	return texts
}

// TestCallsOfAResponseSeeWhatTheCallsBeforeThemHaveChanged has a model send calls in one response
// that build on each other.
func TestCallsOfAResponseSeeWhatTheCallsBeforeThemHaveChanged(t *testing.T) {
	t.Parallel()
	const rect, area = "shapes/rect.go", "r.Width * r.Height"
	for name, calls := range map[string][]use{
		"an edit of what an edit wrote": {
			staged(replacing(rect, area, "first()")),
			staged(replacing(rect, "first()", "second()")),
			staged(replacing(rect, "second()", "third()")),
			{reading(rect), "third()", "first()"},
		},
		"reads around an edit": {
			{reading(rect), area, "first()"},
			{searching("r.Width"), "rect.go", "first()"},
			staged(replacing(rect, area, "first()")),
			{reading(rect), "first()", area},
			{searching("first()"), "rect.go", area},
			staged(replacing(rect, "first()", "second()")),
			{reading(rect), "second()", "first()"},
		},
		"the life of a file": {
			staged(writing("shapes/oval.go", "package shapes\n\nvar oval = 1\n")),
			staged(replacing("shapes/oval.go", "oval = 1", "oval = 2")),
			{reading("shapes/oval.go"), "oval = 2", "oval = 1"},
			staged(renaming("shapes/oval.go", "shapes/round.go")),
			refused(replacing("shapes/oval.go", "oval = 2", "oval = 3")),
			staged(replacing("shapes/round.go", "oval = 2", "oval = 4")),
			{reading("shapes/round.go"), "oval = 4", "oval = 2"},
			staged(deleting("shapes/round.go")),
			{reading("shapes/round.go"), "", "oval = 4"},
			staged(writing("shapes/round.go", "package shapes\n")),
		},
		"a renamed file": {
			staged(renaming(rect, "shapes/box.go")),
			{replacing(rect, area, "first()"), "is renamed by your proposal", stagedCall},
			staged(replacing("shapes/box.go", area, "first()")),
			{reading("shapes/box.go"), "first()", area},
		},
		"a check that changes a file": {
			{reading("report.py"), "print(", "# formatted"},
			staged(replacing(rect, area, "first()")),
			{toolCall{"run_check", `{"name":"format"}`}, "exit status 0", ""},
			{reading("report.py"), "# formatted", ""},
			staged(replacing("report.py", "# formatted", "# done")),
			{toolCall{"run_check", `{"name":"format"}`}, "exit status 0", ""},
			{reading(rect), "first()", area},
		},
		"calls that fail in between": {
			staged(replacing(rect, area, "first()")),
			refused(toolCall{"no_such_tool", `{}`}),
			refused(toolCall{"create_file", `{"content":"x"}`}),
			refused(replacing(rect, "nowhere()", "anywhere()")),
			refused(writing(rect, "package shapes\n")),
			staged(replacing(rect, "first()", "second()")),
			{reading(rect), "second()", "first()"},
		},
		"the same call twice": {
			staged(replacing(rect, area, "first()")),
			refused(replacing(rect, area, "first()")),
			{reading(rect), "first()", area},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			var sent []toolCall
			for _, c := range calls {
				sent = append(sent, c.toolCall)
			}
			f.Config = append(f.Config,
				config.FromJSON("a check", []byte(`{"checks": {"format": {"command": ["sh", "-c", "echo '# formatted' >> tools/report.py"]}}}`)))
			_, results, _ := f.playIn(allowing, response("c", sent...))
			for i, c := range calls {
				if !strings.Contains(results[i], c.has) || c.lacks != "" && strings.Contains(results[i], c.lacks) {
					t.Errorf("call %d, %s %s: want %q and not %q in:\n%s", i, c.tool, c.args, c.has, c.lacks, results[i])
				}
			}
		})
	}
}

// allowing are the options of an editor whose user allows everything.
var allowing = lsptest.Options{OnPermission: func(context.Context, string) string { return "allowOnce" }}

// TestManyMixedCallsOfAResponseRunInTheirOrder counts in a file: each edit needs the number that
// the edit before it wrote, and reads are between them.
func TestManyMixedCallsOfAResponseRunInTheirOrder(t *testing.T) {
	t.Parallel()
	const rounds = 75
	f := newFixture(t)
	sent := []toolCall{writing("count.txt", "count <0>\n")}
	for i := range rounds {
		next := replacing("count.txt", fmt.Sprintf("<%d>", i), fmt.Sprintf("<%d>", i+1))
		sent = append(sent, reading("count.txt"), next, reading("count.txt"), writing(fmt.Sprintf("new/%d.txt", i), "new\n"))
	}
	e, results, proposals := f.play(response("c", sent...))
	for i, result := range results {
		edits := (i + 1) / 4 // before the call
		switch {
		case sent[i].tool == "read_file" && !strings.Contains(result, fmt.Sprintf("<%d>", edits)):
			t.Fatalf("call %d does not read %d: %s", i, edits, result)
		case sent[i].tool != "read_file" && !strings.HasPrefix(result, stagedCall):
			t.Fatalf("call %d was refused: %s", i, result)
		}
	}
	if len(proposals) != 1 {
		t.Fatalf("%d proposals", len(proposals))
	}
	if texts := proposed(e, proposals[0]); len(texts) != rounds+1 ||
		!strings.Contains(texts["create count.txt "], fmt.Sprintf("<%d>", rounds)) {
		t.Errorf("the proposal has %d files, and counts to %q", len(texts), texts["create count.txt "])
	}
}

// TestAResponseOfCallsIsTheSameAsAResponseForEach plays random calls in one response, in a few, and
// in one response each: the model reads the same, and proposes the same.
func TestAResponseOfCallsIsTheSameAsAResponseForEach(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testbed.Count(5, 1)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			sent := randomCalls(random, 40)
			wantResults, wantTexts := playInResponses(t, slices.Collect(slices.Chunk(sent, 1)))
			for _, size := range []int{len(sent), 1 + random.IntN(10)} {
				results, texts := playInResponses(t, slices.Collect(slices.Chunk(sent, size)))
				for i, call := range sent {
					if results[i] != wantResults[i] {
						t.Errorf("%d calls in a response: call %d, %s %s:\n%s\nalone:\n%s", size, i, call.tool, call.args, results[i], wantResults[i])
					}
				}
				if diff := cmp.Diff(wantTexts, texts); diff != "" {
					t.Errorf("%d calls in a response propose (-alone +together):\n%s", size, diff)
				}
			}
		})
	}
}

// randomCalls returns calls on a few small files. No two are equal, so that no call is taken for a
// repeated one.
func randomCalls(random *rand.Rand, n int) (calls []toolCall) {
	name := func() string { return fmt.Sprintf("random/%c.txt", 'a'+random.IntN(4)) }
	word := func() string { return fmt.Sprintf("word%d", random.IntN(3)) }
	for i := range n {
		var c toolCall
		switch random.IntN(8) {
		case 0, 1:
			c = writing(name(), "word0 word1 word2\n")
		case 2, 3, 4:
			c = replacing(name(), word(), word())
		case 5:
			c = renaming(name(), name())
		case 6:
			c = deleting(name())
		default:
			c = toolCall{"read_file", fmt.Sprintf(`{"file":%q,"end_line":%d}`, name(), 100+i)}
			if random.IntN(3) == 0 {
				c = toolCall{"search_text", fmt.Sprintf(`{"pattern":%q,"limit":%d}`, word(), 100+i)}
			}
		}
		if c.tool != "read_file" && c.tool != "search_text" {
			c.args = strings.TrimSuffix(c.args, "}") + fmt.Sprintf(`,"reason":"call %d"}`, i)
		}
		calls = append(calls, c)
	}
	return calls
}

var randomID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// playInResponses plays calls and returns their results, without what differs between two runs,
// and the texts of all proposals.
func playInResponses(t *testing.T, responses [][]toolCall) (results []string, texts []map[string]string) {
	t.Helper()
	f := newFixture(t)
	var turns []llmtest.Turn
	for i, calls := range responses {
		turns = append(turns, response(fmt.Sprintf("c%d_", i), calls...))
	}
	e, results, proposals := f.play(turns...)
	for i := range results {
		result, _, _ := strings.Cut(results[i], "unchanged since call ") // the note has the ids and the number of the responses
		results[i] = randomID.ReplaceAllString(strings.ReplaceAll(result, f.root, "/root"), "id")
	}
	for _, id := range proposals {
		texts = append(texts, proposed(e, id))
	}
	e.Shutdown()
	return results, texts
}
