package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

const (
	growthCalls  = 3       // in each turn
	resultBytes  = 17_500  // of each call: about those of a search
	growthAnswer = 600     // bytes
	growthWindow = 128_000 // tokens
	lastTurns    = 50      // how many turns before a length the time is the median of
)

// engineGrowth measures, in process, what a turn costs the longer its conversation is: time, memory of the
// engine, and room in state.db.
func (b *bench) engineGrowth(ctx context.Context, t *tree) error {
	all, _, err := runWorker[[]growth](ctx, "growth", growthRequest{b.temp, t.dir, b.sampling.lengths})
	if err != nil {
		return err
	}
	for i, g := range all {
		name := func(what string) string { return fmt.Sprintf("%s, after %d turns", what, g.Turns) }
		time := millis(t.name, name("a turn with 3 searches"), g.Time).
			note("of it %.2f ms in commits", inMillis(g.Committing))
		cpu := millis(t.name, name("a turn with 3 searches, processor, mean"), g.CPU).
			note("of the turns since the row before, whose requests have %d messages and %.0f KB on average", g.Messages,
				float64(g.Sent)/1e3)
		memory := megabytes(t.name, name("memory of the engine"), int64(g.Memory))
		if last := all[max(i-1, 0)]; i > 0 {
			const tenth = "a tenth of them"
			time, cpu = time.vs(tenth, inMillis(last.Time)), cpu.vs(tenth, inMillis(last.CPU))
			memory = memory.vs(tenth, inMB(int64(last.Memory))).timesAtMost(linear)
		}
		if i > 1 { // the first turns do not fill the window
			cpu = cpu.timesAtMost(flat)
		}
		room := func(what string, size int64) figure {
			return figure{Tree: t.name, Name: name(what), Value: float64(size) / float64(g.Turns) / 1e3, Unit: "KB"}
		}
		b.table.add(time, cpu,
			room("state.db for a turn", g.Stored).note("results of %.1f KB", growthCalls*resultBytes/1e3),
			room("state.db for a turn without its texts", g.Stored-g.Texts).atMost(10).
				note("messages and results, as they are stored"),
			memory)
	}
	return nil
}

type growthRequest struct {
	Temp, Tree string
	Lengths    []int // of the conversation, ascending
}

// growth is what was measured when a conversation had so many turns.
type growth struct {
	Turns            int
	Time, Committing time.Duration // of one turn
	CPU              time.Duration // of the process in a turn
	Messages, Sent   int           // in a request: how many, and their texts in bytes; until the window is full they grow
	Stored           int64         // bytes of state.db, less those of an empty one
	Texts            int64         // bytes of Stored that are texts of messages and results of calls
	Memory           uint64        // bytes in use on the heap
}

// growConversation runs turns in one conversation, whose model reads code of the tree.
func growConversation(ctx context.Context, r growthRequest) (all []growth, err error) {
	dir, err := os.MkdirTemp(r.Temp, "growth-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(ctx, filepath.Join(dir, "state.db"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	code, err := someCode(r.Tree, 4<<20)
	if err != nil {
		return nil, err
	}
	events := bus.New()
	defer events.Close()
	var model searchingModel
	e, err := session.New(session.Options{DB: db, Bus: events, Tools: tools.NewSet(newCodeTool(code)),
		Model: func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: &model, ID: "m", ContextTokens: growthWindow}, nil
		}})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	empty, _, err := storedBytes(ctx, db)
	if err != nil {
		return nil, err
	}
	conversation, turns := "", 0
	for _, length := range r.Lengths {
		g := growth{Turns: length}
		before, used := turns, ownCPUTime()
		model = searchingModel{}
		var took, committing []time.Duration
		for ; turns < length; turns++ {
			began, committed := time.Now(), db.CommitTime()
			if conversation, err = runTurn(ctx, e, conversation); err != nil {
				return nil, err
			}
			took, committing = append(took, time.Since(began)), append(committing, db.CommitTime()-committed)
		}
		g.CPU = (ownCPUTime() - used) / time.Duration(max(1, turns-before))
		g.Messages, g.Sent = model.messages/max(1, model.requests), model.sent/max(1, model.requests)
		from := max(0, len(took)-lastTurns)
		g.Time, g.Committing = percentile(took[from:], 50), percentile(committing[from:], 50)
		if g.Stored, g.Texts, err = storedBytes(ctx, db); err != nil {
			return nil, err
		}
		g.Stored -= empty
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		g.Memory = memory.HeapAlloc
		all = append(all, g)
	}
	return all, nil
}

func runTurn(ctx context.Context, e *session.Engine, conversation string) (string, error) {
	turn, err := e.Start(ctx, session.Prompt{ConversationID: conversation, Text: "go on"})
	if err != nil {
		return "", err
	}
	outcome, err := turn.Wait(ctx)
	return turn.ConversationID, errors.Join(err, outcome.Err)
}

// storedBytes returns the size of a database without its free pages, and how much of it are texts of messages and
// results of calls, as they are stored.
func storedBytes(ctx context.Context, db *store.DB) (all, texts int64, err error) {
	err = db.Read().QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size,
			(SELECT coalesce(sum(octet_length(text)), 0) FROM messages) + (SELECT coalesce(sum(octet_length(content)), 0) FROM tool_calls)
		FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`).Scan(&all, &texts)
	return all, texts, err
}

// someCode returns about so many bytes of the Go files of a folder, or of all files if there are none.
func someCode(dir string, size int) (string, error) {
	var code, other strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if code.Len() >= size {
			return filepath.SkipAll
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if filepath.Ext(path) == ".go" {
			code.Write(text)
		} else if other.Len() < size {
			other.Write(text)
		}
		return nil
	})
	if code.Len() == 0 {
		return other.String(), err
	}
	return code.String(), err
}

// searchingModel makes calls, and answers with text after it has their results. It counts as remote, so that secrets
// are looked for in what it gets. Only one goroutine uses it at a time.
type searchingModel struct {
	requests, messages int
	sent               int // bytes of the messages' texts
}

func (*searchingModel) Name() string { return "searching" }

func (*searchingModel) Host() string { return "localhost" }

func (m *searchingModel) Send(_ context.Context, r *llm.Request) iter.Seq2[llm.Chunk, error] {
	m.requests++
	m.messages += len(r.Messages)
	for i := range r.Messages {
		m.sent += len(r.Messages[i].Text)
	}
	return func(yield func(llm.Chunk, error) bool) {
		if r.Messages[len(r.Messages)-1].Role != llm.User {
			if yield(llm.Chunk{Text: strings.Repeat("word ", growthAnswer/5)}, nil) {
				yield(llm.Chunk{Finish: llm.FinishStop}, nil)
			}
			return
		}
		for range growthCalls {
			if !yield(llm.Chunk{Call: &llm.Call{Name: "read", Arguments: []byte(`{}`)}}, nil) {
				return
			}
		}
		yield(llm.Chunk{Finish: llm.FinishToolCalls}, nil)
	}
}

// readCode is the result of the tool read.
type readCode struct {
	OK   bool   `json:"ok"`
	Code string `json:"code"`
}

func (r readCode) Text(w *wording.Writer) { w.Line(r.Code) }

// newCodeTool returns a tool that answers with the next piece of code.
func newCodeTool(code string) *tools.Tool {
	at := 0
	return tools.Define[readCode]("read", "reads", tools.Short,
		func(context.Context, tools.Env, struct{}) (tools.Result, error) {
			if at+resultBytes > len(code) {
				at = 0
			}
			end := min(at+resultBytes, len(code))
			piece := strings.ToValidUTF8(code[at:end], "")
			at = end
			return tools.OK(readCode{OK: true, Code: piece}, "read")
		})
}
