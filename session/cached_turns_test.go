package session

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// plainSecret is a secret that no rule finds.
const plainSecret = "verdigris-otter"

// secretLines returns a tool that answers with as many lines as its argument says, some of which have a secret. Five
// lines show the plain one.
func secretLines() *tools.Tool {
	t := tools.Define[asJSON]("lines", "", tools.Short, func(ctx context.Context, _ tools.Env, a text) (tools.Result, error) {
		n, err := strconv.Atoi(a.Text)
		if err != nil {
			return tools.Result{}, err
		}
		if n%7 == 3 {
			return tools.Result{}, &wording.Failure{Message: strings.Repeat("it has failed again, ", n), Code: "not_found", Hint: "go on"}
		}
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d of %d\n", i, n)
			if i%20 == n%20 {
				fmt.Fprintf(&b, "password = \"%s\"\n", lineSecret(n%5))
			}
		}
		if n == 5 {
			fmt.Fprintf(&b, "%s\n", plainSecret)
			tools.NoteSecrets(ctx, []string{plainSecret})
		}
		return tools.OK(map[string]any{"ok": true, "said": b.String()}, fmt.Sprint("said ", n, " lines"))
	})
	t.ReadOnly = true
	return t
}

func lineSecret(n int) string { return fmt.Sprintf("hunter%dZebra", n) }

// cachedTurn is a turn of a conversation whose branches are played twice.
type cachedTurn struct {
	after int // the turn whose answer it follows, -1: at the beginning
	text  string
	file  string // attached; "": none
}

// TestTurnsFromTheCacheSendTheSame plays a conversation with branches in a small window twice: once with what the engine
// has kept of it, and once as if each turn had a process of its own. All requests are equal byte for byte, and none shows
// the secret of the first result, which was dropped long ago in the end.
func TestTurnsFromTheCacheSendTheSame(t *testing.T) {
	const conversation = "00000000-0000-7000-8000-000000000000"
	compacted := 0
	for seed := range uint64(testbed.Count(4, 1)) {
		random := rand.New(rand.NewPCG(seed, 77))
		var plan []cachedTurn
		var script []llmtest.Turn
		last := -1
		for i := range 40 {
			p := cachedTurn{after: last, text: fmt.Sprint("message ", i)}
			if i > 0 && random.IntN(6) == 0 {
				p.after = random.IntN(i)
			}
			if random.IntN(4) == 0 {
				p.text += fmt.Sprintf(" about %s and token = %q", lineSecret(random.IntN(5)), "q8Zr0xT4mB")
			}
			if random.IntN(5) == 0 {
				p.file = fmt.Sprintf("/w/%d.txt", i)
			}
			if i > 0 && random.IntN(4) == 0 {
				p.text += " and " + plainSecret
			}
			last = i
			plan = append(plan, p)
			var batch []llmtest.Call
			if i == 0 {
				batch = append(batch, call("first", "lines", "5"))
			}
			for j := range random.IntN(4) {
				batch = append(batch, call(fmt.Sprintf("c%d-%d", i, j), "lines", fmt.Sprint(random.IntN(120))))
			}
			if len(batch) > 0 && random.IntN(5) == 0 {
				placeholder, _ := redact.New(conversation).Hide(`password = "` + lineSecret(random.IntN(5)) + `"`)
				batch = append(batch, call(fmt.Sprintf("p%d", i), "lines", placeholder))
			}
			if len(batch) > 0 {
				script = append(script, calls(batch...))
			}
			script = append(script, says(strings.Repeat(fmt.Sprint("answer ", i, " "), 1+random.IntN(60))+lineSecret(random.IntN(5))))
		}
		var kept, read []llmtest.Request
		var keptListed, readListed []string
		for _, forget := range []bool{false, true} {
			requests, listed, steps := playCached(t, conversation, plan, script, forget)
			if forget {
				read, readListed = requests, listed
			} else {
				kept, keptListed = requests, listed
			}
			compacted += steps
		}
		if len(kept) != len(read) {
			t.Fatalf("seed %d: %d requests, and %d in new processes", seed, len(kept), len(read))
		}
		if diff := cmp.Diff(readListed, keptListed); diff != "" {
			t.Fatalf("seed %d: the ledger lists (-in new processes +kept):\n%s", seed, diff)
		}
		for i := range kept {
			if strings.Contains(string(kept[i].Body), plainSecret) {
				t.Fatalf("seed %d: request %d shows a secret", seed, i)
			}
			for _, m := range kept[i].Messages {
				if m.ToolCallID != "" && m.Content == "" {
					t.Fatalf("seed %d: request %d has nothing of the result of %s", seed, i, m.ToolCallID)
				}
			}
			if a, b := string(kept[i].Body), string(read[i].Body); a != b {
				at := 0
				for at < min(len(a), len(b)) && a[at] == b[at] {
					at++
				}
				t.Fatalf("seed %d: request %d differs at byte %d: %.200q, and in a new process %.200q", seed, i, at, a[max(0, at-80):],
					b[max(0, at-80):])
			}
		}
	}
	if compacted < 20 {
		t.Errorf("there are only %d compactions", compacted)
	}
}

// playCached runs the turns, and returns the requests, what the ledger lists of each, and the number of compactions.
func playCached(t *testing.T, conversation string, plan []cachedTurn, script []llmtest.Turn,
	forget bool) ([]llmtest.Request, []string, int) {
	t.Helper()
	h := start(t, tools.NewSet(secretLines()), windowOf(2000), script...)
	at := time.Now()
	err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
		return insertConversation(t.Context(), tx, Conversation{ID: conversation, CreatedAt: at, UpdatedAt: at})
	})
	if err != nil {
		t.Fatal(err)
	}
	var turns []*Turn
	for _, p := range plan {
		if forget {
			h.kept.messages.Entries, h.kept.messages.Ended, h.kept.hidden.entries, h.kept.render.Results.ByID = nil, nil, nil, nil
		}
		prompt := Prompt{ConversationID: conversation, ParentID: Root, Text: p.text}
		if p.after >= 0 {
			prompt.ParentID = turns[p.after].AssistantMessageID
		}
		if p.file != "" {
			prompt.Attachments = []records.Attachment{{Path: p.file, StartLine: 1, EndLine: 2, Text: "attached\nsecret = \"" + lineSecret(9) + "\"\n"}}
		}
		turn, _ := h.ask(t, prompt)
		turns = append(turns, turn)
	}
	steps := 0
	for _, m := range h.history(t, conversation) {
		if m.Compaction != nil {
			steps++
		}
	}
	return h.server.Requests(), h.listedInLedger(t), steps
}

// listedInLedger returns what the ledger lists of each request, in order.
func (h *harness) listedInLedger(t *testing.T) (all []string) {
	t.Helper()
	rows, err := h.db.Read().QueryContext(t.Context(), `SELECT sent, files FROM ledger ORDER BY rowid`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var sent string
		var files store.Text
		if err := rows.Scan(&sent, &files); err != nil {
			t.Fatal(err)
		}
		all = append(all, sent+string(files))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestTheCacheIsBoundedByTheWindow runs turns with large results, of which the cache keeps no more than the window has.
func TestTheCacheIsBoundedByTheWindow(t *testing.T) {
	const turns, result = 60, 8000
	var script []llmtest.Turn
	for i := range turns {
		script = append(script, calls(call(fmt.Sprint("a", i), "big", fmt.Sprint(result))), says("so"))
	}
	h := start(t, tools.NewSet(big()), windowOf(10_000), script...)
	p := Prompt{Text: "go"}
	for range turns {
		turn, _ := h.ask(t, p)
		p = Prompt{ConversationID: turn.ConversationID, Text: "go on"}
	}
	if _, _, err := h.kept.messages.Read(t.Context(), p.ConversationID, h.lastMessage(t, p.ConversationID)); err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, c := range h.kept.messages.Entries {
		for _, m := range c.Messages {
			if len(m.Calls) > 0 {
				t.Error("a prepared message keeps its calls")
			}
			for _, sent := range m.Prepared.Sent {
				texts += len(sent.Text) + len(sent.Content)
			}
			for _, r := range m.Prepared.Results {
				if r != nil {
					texts += len(r.Text)
				}
			}
		}
	}
	if most := 10 * result; texts > most || texts == 0 {
		t.Errorf("after results of %d bytes the cache holds %d bytes of texts, want at most %d", turns*result, texts, most)
	}
}

// lastMessage returns the id of the last message of a conversation.
func (h *harness) lastMessage(t *testing.T, conversationID string) string {
	t.Helper()
	all := h.history(t, conversationID)
	return all[len(all)-1].ID
}

// TestOnlyTheNewestMessageIsReadForTheLeaf: sorting would read all messages of the conversation.
func TestOnlyTheNewestMessageIsReadForTheLeaf(t *testing.T) {
	want := []string{"SEARCH messages USING INDEX messages_by_conversation (conversation_id=?)"}
	if diff := cmp.Diff(want, plan(t, records.NewestLeafQuery, "conversation")); diff != "" {
		t.Errorf("the query's plan (-want +got):\n%s", diff)
	}
}
