package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// oddText is a text that JSON or a database could change.
const oddText = "<a&b>\u2028 \x00 \xff \" \\u0041 'ä' \r\n"

// TestAnEndedTurnIsKeptAsItIsStored plays random conversations. What is kept of each turn is what another process reads of
// it, and nothing is kept of turns that did not succeed, or of which the database does not have all.
func TestAnEndedTurnIsKeptAsItIsStored(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(testbed.Count(4, 1)) {
		random := rand.New(rand.NewPCG(seed, 5))
		p := &endedTurns{random: random, kinds: kinds, held: map[int]*llmtest.Gate{}}
		p.plan(25)
		p.play(t)
	}
	for _, kind := range []string{"kept", "failed", "cancelled", "steered", "lost a result", "too large", "branched"} {
		if kinds[kind] == 0 {
			t.Errorf("no turn was %s: %v", kind, kinds)
		}
	}
}

// endedTurns is a random conversation.
type endedTurns struct {
	random *rand.Rand
	kinds  map[string]int // of turns, counted
	turns  []string       // kinds
	script []llmtest.Turn
	held   map[int]*llmtest.Gate // the first response of a turn
}

func (p *endedTurns) plan(turns int) {
	for i := range turns {
		kind := "kept"
		if p.random.IntN(3) == 0 {
			kind = []string{"failed", "cancelled", "steered", "lost a result", "too large"}[p.random.IntN(5)]
		}
		p.turns = append(p.turns, kind)
		for range p.random.IntN(3) {
			p.script = append(p.script, calls(p.calls(i)...))
		}
		switch kind {
		case "failed":
			p.script = append(p.script, llmtest.Turn{Status: 400})
		case "cancelled", "steered":
			p.held[i] = llmtest.NewGate()
			p.script = append(p.script, llmtest.Turn{Text: []string{"half" + oddText[:12]}, Hold: p.held[i]})
		case "lost a result":
			p.script = append(p.script, calls(call(fmt.Sprint("lost", i), "lost", "x"), call(fmt.Sprint("beside", i), "echo", "y")))
		case "too large":
			p.script = append(p.script, calls(call(fmt.Sprint("large", i), "big", fmt.Sprint(records.MaxEnded))))
		}
		if kind != "failed" && kind != "cancelled" {
			end := says("said ", strings.Repeat("<ä>\n", p.random.IntN(400)))
			end.Usage = llmtest.Usage{Prompt: 1 + p.random.IntN(5000), Completion: p.random.IntN(900)}
			p.script = append(p.script, end)
		}
	}
}

// calls returns random calls, some of which fail.
func (p *endedTurns) calls(turn int) (batch []llmtest.Call) {
	for range 1 + p.random.IntN(4) {
		id := ""
		if p.random.IntN(3) > 0 {
			id = fmt.Sprintf("c%d-%d", turn, p.random.IntN(3)) // some ids are used twice
		}
		c := call(id, []string{"lines", "echo", "refuses", "panics", "missing", "read_file"}[p.random.IntN(6)], fmt.Sprint(5+p.random.IntN(3)*p.random.IntN(50))) // five lines show a secret
		switch p.random.IntN(8) {
		case 0:
			c.Arguments = `{"text":`
		case 1:
			c.Arguments = `{ "text" : "` + strings.Repeat("<é\\n", 200) + `" }`
		}
		batch = append(batch, c)
	}
	return batch
}

// set returns the tools. Of the calls of one that fails, secrets are stored.
func (p *endedTurns) set() *tools.Set {
	refuses := tool("refuses", func(ctx context.Context, _ tools.Env, arg string) (any, error) {
		tools.NoteSecrets(ctx, []string{plainSecret, "odd" + oddText})
		return nil, errors.New("no: " + arg)
	})
	panics := tool("panics", func(context.Context, tools.Env, string) (any, error) { panic("as planned") })
	return tools.NewSet(echo("echo"), echo("lost"), big(), secretLines(), refuses, panics, openTool())
}

func (p *endedTurns) play(t *testing.T) {
	t.Helper()
	h := start(t, p.set(), func(o *Options) {
		folderRules(o)
		windowOf(60_000)(o)
		o.Limits.Retries = -1
		o.Limits.Repairs = 100
		o.Workspace.Context = func(_ context.Context, q tools.Question, _ tools.Call, _ int) (records.FoundCode, error) {
			if len(q.Text)%3 == 0 {
				return records.FoundCode{}, nil
			}
			return records.FoundCode{Text: "code of " + q.Text, Secrets: []string{plainSecret}}, nil
		}
	}, p.script...)
	h.fullFor(t, "INSERT ON tool_calls", "NEW.tool = 'lost' AND NEW.content != ''")
	conversation, previous := "", []string(nil)
	for i, kind := range p.turns {
		prompt := Prompt{ConversationID: conversation, Text: fmt.Sprint("message ", i, strings.Repeat(oddText, p.random.IntN(3)))}
		if p.random.IntN(3) == 0 {
			prompt.Expansion = "in other words: " + prompt.Text
		}
		for range p.random.IntN(3) {
			prompt.Attachments = append(prompt.Attachments, records.Attachment{Path: fmt.Sprintf("/w/%d.txt", i), StartLine: 1, EndLine: 1,
				Text: strings.Repeat(oddText, p.random.IntN(80)), Secrets: []string{plainSecret}})
		}
		if len(previous) > 0 && p.random.IntN(6) == 0 {
			prompt.ParentID = previous[p.random.IntN(len(previous))]
			p.kinds["branched"]++
		}
		turn := h.begin(t, prompt)
		conversation = turn.ConversationID
		if gate := p.held[i]; gate != nil {
			reached(t, gate)
			if kind == "cancelled" {
				turn.Stop()
			} else {
				h.begin(t, Prompt{ConversationID: conversation, Text: "also " + oddText, WhileBusy: Steer})
				gate.Open()
			}
		}
		outcome := h.wait(t, turn)
		if succeeded := kind != "failed" && kind != "cancelled"; succeeded != (outcome.StopReason == bus.StopDone) {
			t.Fatalf("turn %d (%s) ended with %v: %v", i, kind, outcome.StopReason, outcome.Err)
		}
		p.kinds[kind]++
		previous = append(previous, h.lastMessage(t, conversation))
		h.checkEnded(t, turn, kind == "kept" || kind == "steered")
	}
}

// checkEnded compares what is kept of a turn with what the database has of it.
func (h *harness) checkEnded(t *testing.T, turn *Turn, kept bool) {
	t.Helper()
	i := slices.IndexFunc(h.kept.messages.Ended, func(e records.EndedTurn) bool { return e.Messages[0].RequestID == turn.RequestID })
	if (i >= 0) != kept {
		t.Fatalf("the turn is kept: %v; want %v", i >= 0, kept)
	}
	if !kept {
		return
	}
	ended := h.kept.messages.Ended[i]
	got, err := ended.MessagesAndCalls()
	if err != nil {
		t.Fatal(err)
	}
	last, leaf := h.parentOf(t, turn.UserMessageID), h.lastMessage(t, turn.ConversationID)
	want, err := records.BranchFrom(t.Context(), h.db.Read(), turn.ConversationID, last, leaf)
	if err != nil {
		t.Fatal(err)
	}
	everything := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(want, got, everything, cmp.Comparer(time.Time.Equal)); diff != "" {
		t.Fatalf("the turn is kept otherwise than it is stored (-stored +kept):\n%s", diff)
	}
	if !ended.Leads(last, leaf) || ended.Leads(last, last) || ended.Leads(leaf, leaf) {
		t.Error("the turn does not lead from the message before it to its last one")
	}
}

// TestATurnDoesNotReadTheTurnBefore changes what is stored of turns that have ended, which nothing but this test does.
func TestATurnDoesNotReadTheTurnBefore(t *testing.T) {
	h := start(t, tools.NewSet(echo("echo")), nil, calls(call("a", "echo", "x")), says("one"), says("two"), says("three"))
	turn, _ := h.ask(t, Prompt{Text: "first"})
	for range 2 {
		err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`UPDATE messages SET text = 'tampered'; UPDATE tool_calls SET content = '{"ok":"tampered"}'`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "next"})
		if len(h.kept.messages.Ended) != 1 {
			t.Errorf("%d turns are kept", len(h.kept.messages.Ended))
		}
	}
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	if body := string(requests[len(requests)-1].Body); strings.Contains(body, "tampered") {
		t.Errorf("the last request is %s", body)
	}
}
