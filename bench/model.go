package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/o200k"
	ploke "ploke-lsp/lsp/protocol"
)

// The targets. Tokens are those of o200k_base.
const (
	definitionTokens = 2200.0 // of the system text and the tools' definitions
	automaticTokens  = 420.0  // of what is sent with a question: limits.autoContext, and the words before it
	searchExtraShare = 20.0   // percent of search_text's bytes that are neither place nor line
	edgesExtraShare  = 30.0   // the same of code_item_edges
)

// modelQuestion is the question that is asked about the tree, and modelCalls are the calls that
// the model makes to answer it. All are about text/template, whose folder %s stands for.
const modelQuestion = "How does text/template walk a range over a channel, and where are its errors raised?"

var modelCalls = []fixedCall{
	{"request_code_context", `{"hint":"walk a range over a channel"}`},
	{"code_item_lookup", `{"name":"state::walkRange","file":"%sexec.go"}`},
	{"code_item_lookup", `{"name":"Template","file":"%stemplate.go"}`},
	{"code_item_edges", `{"canon":"state::errorf","file":"%sexec.go"}`},
	{"code_item_edges", `{"canon":"state::walkRange","file":"%sexec.go","direction":"callees"}`},
	{"code_item_edges", `{"canon":"ExecError","file":"%sexec.go","direction":"references"}`},
	{"code_item_edges", `{"canon":"Node","file":"%sparse/node.go","direction":"implementers"}`},
	{"search_text", `{"pattern":"errorf\\(","include":["%s**"]}`},
	{"search_text", `{"pattern":"func \\(t \\*Tree\\)","include":["%s**"]}`},
	{"search_text", `{"pattern":"missingkey","include":["%s**"]}`},
	{"search_text", `{"pattern":"reflect\\.Chan\\b"}`},
	{"read_file", `{"file":"%sexec.go","start_line":380,"end_line":480}`},
	{"list_dir", `{"dir":"%sparse"}`},
	{"get_file_metadata", `{"file":"%sexec.go"}`},
	{"apply_code_edit", `{"edits":[{"file":"%sexec.go","old":"// ExecError is the custom error type","new":"// ExecError is the error type"}]}`},
	{"create_file", `{"file":"%snote.md","content":"# Ranges\n"}`},
}

// fixedCall is a call of a tool. The arguments name the folder as %s.
type fixedCall struct{ tool, arguments string }

// model measures what a model reads: the texts of one turn over the wire, in bytes and tokens.
func (b *bench) model(ctx context.Context, t *tree) error {
	if err := b.ready(ctx, t); err != nil {
		return err
	}
	folder := "text/template/"
	if _, err := os.Stat(filepath.Join(t.dir, "text")); err != nil {
		folder = ""
	}
	m := &callingModel{folder: folder}
	if err := b.askOnce(ctx, t, m, modelQuestion); err != nil {
		return err
	}
	read, err := m.reading()
	if err != nil {
		return err
	}
	b.table.add(read.figures(t.name)...)
	return nil
}

// askOnce sends one question to a server whose model is m.
func (b *bench) askOnce(ctx context.Context, t *tree, m http.Handler, question string) (err error) {
	url, stop, err := startModelServer(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	s, err := b.serve(ctx, t, "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.shutDown(ctx)) }()
	params := &ploke.ChatSendParams{Text: question, PartialResultToken: protocol.LSPAny(`"answer"`)}
	var result ploke.ChatSendResult
	if _, err := s.conn.Call(ctx, ploke.MethodChatSend, params, &result); err != nil {
		return err
	}
	if result.Error != "" {
		return errors.New(result.Error)
	}
	return nil
}

// callingModel makes all fixed calls in its first response, and keeps the requests.
type callingModel struct {
	folder string

	mu       sync.Mutex
	requests []modelRequest
}

// modelRequest is a request in OpenAI's format.
type modelRequest struct {
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
}

func (m *callingModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r)
		return
	}
	var request modelRequest
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	first := m.keep(request)
	w.Header().Set("Content-Type", "text/event-stream")
	if first {
		fmt.Fprintf(w, "data: %s\n\ndata: %s\n\ndata: [DONE]\n\n", m.callsChunk(), completionChunk("", "tool_calls"))
		return
	}
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", completionChunk("Done.", "stop"))
}

// keep keeps a request, and tells whether it is the first one.
func (m *callingModel) keep(r modelRequest) (first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	return len(m.requests) == 1
}

// callsChunk returns the chunk that makes all calls.
func (m *callingModel) callsChunk() []byte {
	var calls []any
	for i, c := range modelCalls {
		calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%d", i), "type": "function",
			"function": map[string]string{"name": c.tool, "arguments": strings.ReplaceAll(c.arguments, "%s", m.folder)}})
	}
	chunk, err := json.Marshal(map[string]any{"id": "a", "object": "chat.completion.chunk", "model": "m",
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"tool_calls": calls}, "finish_reason": nil}}})
	if err != nil {
		panic(err) // plain values
	}
	return chunk
}

// modelReading is what the model has read.
type modelReading struct {
	definitions int // tokens of the system text and the tools
	automatic   int // tokens of the user's message without the question
	texts       map[string][]string
}

// reading returns what the model has read. It fails if a call failed.
func (m *callingModel) reading() (read modelReading, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.requests) < 2 {
		return read, fmt.Errorf("the model got %d requests, want 2", len(m.requests))
	}
	read.texts = map[string][]string{}
	for _, tool := range m.requests[0].Tools {
		read.definitions += o200k.Count(string(tool))
	}
	calls := 0
	for i, message := range m.requests[1].Messages {
		switch {
		case i == 0:
			read.definitions += o200k.Count(message.Content)
		case message.Role == "user":
			read.automatic = o200k.Count(strings.TrimSuffix(message.Content, modelQuestion))
		case message.Role == "tool":
			c := modelCalls[calls]
			calls++
			if strings.HasPrefix(message.Content, "error") || strings.HasPrefix(message.Content, "{") {
				return read, fmt.Errorf("%s %s: %.300s", c.tool, c.arguments, message.Content)
			}
			read.texts[c.tool] = append(read.texts[c.tool], message.Content)
		}
	}
	if calls != len(modelCalls) {
		return read, fmt.Errorf("the model got %d results, want %d", calls, len(modelCalls))
	}
	return read, nil
}

func (r modelReading) figures(tree string) (all []figure) {
	count := func(name string, value int, unit string) figure {
		return figure{Tree: tree, Name: name, Value: float64(value), Unit: unit}
	}
	all = append(all,
		count("system text and definitions", r.definitions, "tokens").atMost(definitionTokens),
		count("automatic context", r.automatic, "tokens").atMost(automaticTokens))
	extra := map[string]float64{"search_text": searchExtraShare, "code_item_edges": edgesExtraShare}
	done := map[string]bool{}
	for _, c := range modelCalls {
		if done[c.tool] {
			continue
		}
		done[c.tool] = true
		text := strings.Join(r.texts[c.tool], "\n")
		all = append(all, count(c.tool+", text", o200k.Count(text), "tokens").
			note("%d calls, %d bytes", len(r.texts[c.tool]), len(text)))
		if limit, ok := extra[c.tool]; ok || c.tool == "read_file" || c.tool == "code_item_lookup" {
			f := figure{Tree: tree, Name: c.tool + ", bytes beside places and lines", Value: 100 - 100*usefulShare(text),
				Unit: "%"}
			if ok {
				f = f.atMost(limit)
			}
			all = append(all, f)
		}
	}
	return all
}

var (
	numberedLine = regexp.MustCompile(`^ *(\d+)(?:  |[-:] ?)(.*)$`)
	snippetPlace = regexp.MustCompile(`^<code="(.+)" #(\d+:\d+)>$`)
	pathLine     = regexp.MustCompile(`^[\w./-]+\.\w+`)
)

// usefulShare returns the share of a text's bytes that a model asked for: the lines of files,
// their numbers, and the paths.
func usefulShare(text string) float64 {
	useful := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := numberedLine.FindStringSubmatch(line); m != nil {
			useful += len(m[1]) + len(m[2])
		} else if m := snippetPlace.FindStringSubmatch(line); m != nil {
			useful += len(m[1]) + len(m[2])
		} else {
			useful += len(pathLine.FindString(line))
		}
	}
	return float64(useful) / float64(max(len(text), 1))
}
