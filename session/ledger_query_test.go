package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// TestLedger makes two requests in one turn, the second one after a call that shows
// code.
func TestLedger(t *testing.T) {
	read := tool("read", func(context.Context, tools.Env, string) (any, error) {
		return wording.Snippet("/w/b.go", 3, "x <- \"<code>\"\ny\n"), nil
	})
	h := start(t, tools.NewSet(read), nil, calls(call("a", "read", "b.go")), says("done"), says("again"))
	first, _ := h.ask(t, Prompt{Text: "hi", Attachments: []records.Attachment{{Path: "/w/a.go", StartLine: 1, EndLine: 1, Text: "package a\n"}}})
	h.ask(t, Prompt{ConversationID: first.ConversationID, Text: "and?"})
	entries, err := h.Ledger(t.Context(), LedgerQuery{ConversationID: first.ConversationID})
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, %v; want 3", len(entries), err)
	}
	a := newSentFile(window.Rendering{}, &wording.Code{Path: "/w/a.go", StartLine: 1, EndLine: 1, Text: "package a\n"})
	b := newSentFile(window.Rendering{}, &wording.Code{Path: "/w/b.go", StartLine: 3, EndLine: 4, Text: "x <- \"<code>\"\ny\n"})
	for i, want := range [][]SentFile{{a}, {b}, {a, b}} {
		if diff := cmp.Diff(want, entries[i].Files); diff != "" {
			t.Errorf("request %d (-want +got):\n%s", i+1, diff)
		}
	}
	// The next turn lists all again, and so counts what a sum stood for.
	if want := entries[1].Bytes + len("done") + len("and?"); entries[2].Bytes != want {
		t.Errorf("the next turn's request has %d bytes; want %d", entries[2].Bytes, want)
	}
	var items int
	if err := h.db.Read().QueryRow(`SELECT json_array_length(sent) FROM ledger WHERE id = ?`, entries[1].ID).Scan(&items); err != nil ||
		items != 3 {
		t.Errorf("%d items, %v; want what was sent earlier, the call and its result", items, err)
	}
	server, err := url.Parse(h.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Host != server.Host || e.Provider != "test" || e.Model != "m" || e.Bytes == 0 || time.Since(e.At) > time.Hour {
			t.Errorf("entry %+v", e)
		}
	}
	for _, narrow := range []struct {
		query LedgerQuery
		want  int
	}{
		{LedgerQuery{RequestID: first.RequestID}, 2},
		{LedgerQuery{Limit: 1}, 1},
		{LedgerQuery{ConversationID: "another"}, 0},
		{LedgerQuery{Since: time.Now().Add(time.Hour)}, 0},
	} {
		got, err := h.Ledger(t.Context(), narrow.query)
		if err != nil || len(got) != narrow.want {
			t.Errorf("Ledger(%+v): %d entries, %v; want %d", narrow.query, len(got), err, narrow.want)
		}
	}
}

func TestFilesSent(t *testing.T) {
	snippet := wording.Snippet("/w/a.go", 7, "a\n")
	want := []SentFile{newSentFile(window.Rendering{}, &wording.Code{Path: "/w/a.go", StartLine: 7, EndLine: 7, Text: "a\n"})}
	for name, m := range map[string]llm.Message{
		"text":          {Role: llm.User, Text: "look:\n" + snippet + "\n" + snippet},
		"result":        {Role: llm.Tool, Text: records.Marshal(map[string]any{"items": []string{snippet}})},
		"broken result": {Role: llm.Tool, Text: `{"code=\"` + snippet},
	} {
		files := newSentFiles()
		addFiles(window.Rendering{}, &files, []llm.Message{m, m})
		if diff := cmp.Diff(want, files.all); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	files := newSentFiles()
	addFiles(window.Rendering{}, &files, []llm.Message{{Role: llm.User, Text: `<code="/w/a.go" #1:2>` + "\nnot closed"}})
	if len(files.all) > 0 {
		t.Errorf("what is not a snippet is listed: %v", files.all)
	}
}

// TestThePastIsSummedUpInSteps compares what each turn adds with a sum of everything, while compactions and other branches
// change messages.
func TestThePastIsSummedUpInSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	messages, hidden := []llm.Message{{Role: llm.System, Text: "rules"}}, []int{0}
	v := modelView{e: &Engine{}, setup: &turnSetup{model: llm.Model{Provider: remoteModel{}}}, hidden: &hiddenMessages{}}
	kept := &v.hidden.pasts
	added := 0 // to sums that there were
	for turn := range 300 {
		if n := 1 + random.IntN(len(messages)); random.IntN(3) == 0 {
			messages, hidden = messages[:n:n], hidden[:n:n]
			v.hidden.keepPasts(n)
		}
		for range random.IntN(4) {
			messages = append(messages, llm.Message{Role: llm.User, Text: wording.Snippet("/w/a.go", 1+random.IntN(9), "a\n") + fmt.Sprint(turn)})
			hidden = append(hidden, random.IntN(3))
		}
		before := len(*kept)
		got := v.sentPast(messages, hidden, len(messages))
		if before > 0 && len(*kept) > before {
			added++
		}
		want := newSentPast().extended(window.Rendering{}, messages, hidden, len(messages))
		if diff := cmp.Diff(want.hash.item("past"), got.hash.item("past")); diff != "" {
			t.Fatalf("turn %d (-whole +steps):\n%s", turn, diff)
		}
		if diff := cmp.Diff(want.files.all, got.files.all); diff != "" || want.secrets != got.secrets || want.messages != got.messages {
			t.Fatalf("turn %d: %d messages, %d secrets; want %d and %d\n%s", turn, got.messages, got.secrets, want.messages, want.secrets, diff)
		}
		if again := v.sentPast(messages, hidden, len(messages)); got.messages > 0 && again.hash != got.hash {
			t.Fatalf("turn %d: what is known was summed up again", turn)
		}
	}
	if added < 50 {
		t.Errorf("%d turns continue the sum of another one", added)
	}
}

// remoteModel is a model outside of this process.
type remoteModel struct{ *timedModel }

func (remoteModel) Host() string { return "localhost" }

func TestMetrics(t *testing.T) {
	fails := tool("fails", func(context.Context, tools.Env, string) (any, error) { return nil, errors.New("no") })
	waits := tool("waits", func(ctx context.Context, _ tools.Env, _ string) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	fails.Timeout = time.Minute // a busy machine needs more than a millisecond for it
	answer := says("done")
	answer.Usage = llmtest.Usage{Prompt: 10, Completion: 5, Cached: 4}
	h := start(t, tools.NewSet(echo("echo"), fails, waits), func(o *Options) { o.Limits.ToolTimeout = time.Millisecond },
		calls(call("a", "waits", ""), call("b", "fails", ""), call("c", "waits", "")), answer)
	h.ask(t, Prompt{Text: "hi"})
	got, err := h.Metrics(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Tools {
		if got.Tools[i].LongestTime > time.Minute || got.Tools[i].MeanTime > got.Tools[i].LongestTime {
			t.Errorf("times of %+v", got.Tools[i])
		}
		got.Tools[i].MeanTime, got.Tools[i].LongestTime = 0, 0
	}
	want := Metrics{Turns: map[records.Status]int{records.Completed: 1}, Requests: 2, Usage: llm.Usage{In: 10, Out: 5, Cached: 4},
		Tools: []ToolMetrics{{Name: "fails", Failed: 1}, {Name: "waits", TimedOut: 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	later, err := h.Metrics(t.Context(), time.Now().Add(time.Hour))
	if err != nil || later.Requests != 0 || len(later.Turns) != 0 || len(later.Tools) != 0 {
		t.Errorf("of the time to come: %+v, %v", later, err)
	}
}

// TestLedgerEntriesDontGrowWithTheConversation requires it of the entries' sizes. They still
// count all bytes that were sent.
func TestLedgerEntriesDontGrowWithTheConversation(t *testing.T) {
	const turns = 20
	var script []llmtest.Turn
	for range turns {
		script = append(script, says("an answer"))
	}
	h := start(t, tools.NewSet(), nil, script...)
	conversation := ""
	for range turns {
		turn, _ := h.ask(t, Prompt{ConversationID: conversation, Text: "a question"})
		conversation = turn.ConversationID
	}
	rows, err := h.db.Read().Query(`SELECT length(sent) FROM ledger ORDER BY rowid`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var sizes []int
	for rows.Next() {
		var size int
		if err := rows.Scan(&size); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, size)
	}
	const digits = 2 // more in the number of bytes
	if len(sizes) != turns || sizes[turns-1] > sizes[1]+digits {
		t.Errorf("the entries have %v bytes", sizes)
	}
	entries, err := h.Ledger(t.Context(), LedgerQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		sent := 0
		for _, m := range h.server.Requests()[i].Messages {
			sent += len(m.Content)
		}
		if e.Bytes != sent {
			t.Errorf("request %d: the ledger counts %d bytes, not %d", i+1, e.Bytes, sent)
		}
	}
}
