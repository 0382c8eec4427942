package llm

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/wake"
	"ploke-lsp/session/llm/repair"
)

// EditorModels are the models of an editor. Its methods are called from several goroutines.
type EditorModels interface {
	// Models lists them.
	Models(ctx context.Context) ([]ModelInfo, error)
	// Send has a model answer. It passes each part of the answer on, and returns when the answer or ctx has ended. part
	// does not wait, and may be called after Send has returned.
	Send(ctx context.Context, r *EditorRequest, part func(EditorPart)) (EditorEnd, error)
}

// EditorRequest is a request to a model of an editor. Its messages are laid out as for the strictest server.
type EditorRequest struct {
	Model    string          `json:"model"`
	Messages []EditorMessage `json:"messages"`
	Tools    []EditorTool    `json:"tools,omitempty"`
}

// EditorMessage is a message of a request.
type EditorMessage struct {
	Role   Role         `json:"role"`
	Text   string       `json:"text"`
	Calls  []EditorCall `json:"calls,omitempty"`  // of an assistant's message
	CallID string       `json:"callId,omitempty"` // of a tool's message
}

// EditorCall is a call in a message, or in a part of an answer.
type EditorCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON, as the model wrote it
}

// EditorTool is a tool that is offered.
type EditorTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      string `json:"schema"` // JSON
}

// EditorPart is a part of an answer: text, a thought or a call.
type EditorPart struct {
	Text    string      `json:"text,omitempty"`
	Thought string      `json:"thought,omitempty"`
	Call    *EditorCall `json:"call,omitempty"`
}

// EditorEnd is how an answer has ended. The zero value is an answer that is whole.
type EditorEnd struct {
	Finish Finish `json:"finish"`
	In     int    `json:"in"` // tokens of the request; 0 if unknown
	Out    int    `json:"out"`
}

// EditorHost is what stands for the host of an editor's models: where these are is the editor's affair.
const EditorHost = "editor"

// editorHints says what a person can do where the usual hint speaks of addresses and keys.
var editorHints = map[Class]string{
	Auth:        "choose the model again, and let ploke use it when the editor asks",
	Network:     "try again, or choose another model",
	NotFound:    "choose another model, or sign in where the editor has it from",
	BadResponse: "try again, or choose another model",
	NoTools:     "choose a model that can call tools",
}

type editor struct {
	endpoint
	models EditorModels
	client *http.Client
}

// Editor returns the provider of an editor's models, a [Lister]. The name is for people. Timeouts of zero mean
// [FirstByte] and [Idle].
func Editor(name string, models EditorModels, firstByte, idle time.Duration) Provider {
	e := newEndpoint(name, "http://"+EditorHost, "")
	e.hints = editorHints
	transport := editorTransport{models}
	return &editor{endpoint: e, models: models,
		client: newClient(&http.Client{Transport: transport}, streamBounds, firstByte, idle)}
}

// Models implements [Lister].
func (p *editor) Models(ctx context.Context) ([]ModelInfo, error) {
	infos, err := p.models.Models(ctx)
	if err != nil {
		return nil, p.explain(ctx, requestError(err, false))
	}
	if len(infos) > maxModels {
		return nil, p.explain(ctx, tooMany())
	}
	return infos, nil
}

func (p *editor) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return p.stream(ctx, req.Model, func(emit func(Chunk) bool) error {
		body, err := marshalRequest(newEditorRequest(p.origin(req.Model), req))
		if err != nil {
			return err
		}
		return p.ask(ctx, p.client, "send", body, req.Tools, &editorAnswer{}, emit)
	})
}

func newEditorRequest(origin string, req *Request) *EditorRequest {
	out := &EditorRequest{Model: req.Model}
	messages := layout(req.Messages)
	for i := range messages {
		m, own := &messages[i], ownsCalls(origin, messages, i)
		message := EditorMessage{Role: m.Role, Text: m.Text}
		if m.Role == Tool {
			message.CallID = repair.ID(m.CallID, own)
		}
		for _, c := range m.Calls {
			message.Calls = append(message.Calls,
				EditorCall{repair.ID(c.ID, own), repair.Name(c.Name), string(repair.Object(c.Arguments))})
		}
		out.Messages = append(out.Messages, message)
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, EditorTool{t.Name, t.Description, string(t.Schema)})
	}
	return out
}

// editorTransport hands the requests of an HTTP client to an editor, so that its answers are bounded, timed and read as
// those of servers. The body of a response has one part a line.
type editorTransport struct{ models EditorModels }

func (t editorTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close()
	var request EditorRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	parts := &partQueue{cancel: cancel, more: make(chan struct{}, 1)}
	go func() {
		end, err := t.models.Send(ctx, &request, func(part EditorPart) { parts.add(part) })
		if err == nil {
			parts.add(end)
			err = io.EOF
		}
		parts.end(err)
	}()
	return &http.Response{StatusCode: http.StatusOK, Body: parts, Request: r, ContentLength: -1}, nil
}

// partQueue holds the parts of an answer that have not been read. It is safe for concurrent use.
type partQueue struct {
	cancel func()
	more   chan struct{}

	mu    sync.Mutex
	bytes []byte
	ended error // io.EOF for an answer that is whole; nil before the end
}

// add adds a part. An answer that is not read as fast as it comes ends above its bound.
func (q *partQueue) add(part any) {
	line, err := json.Marshal(part)
	if err != nil {
		panic(err) // plain values
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.ended != nil:
		return
	case len(q.bytes)+len(line) > MaxAnswer:
		q.ended = tooLarge("the answer has more than %s", megabytes(MaxAnswer))
	default:
		q.bytes = append(append(q.bytes, line...), '\n')
	}
	wake.Up(q.more)
}

// end ends the answer, unless it has ended.
func (q *partQueue) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended == nil {
		q.ended = err
	}
	wake.Up(q.more)
}

func (q *partQueue) Read(p []byte) (n int, err error) {
	for {
		if n, err = q.take(p); n > 0 || err != nil {
			return n, err
		}
		<-q.more
	}
}

func (q *partQueue) take(p []byte) (n int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n = copy(p, q.bytes)
	q.bytes = q.bytes[n:]
	if n > 0 {
		return n, nil
	}
	return 0, q.ended
}

// Close tells the editor that nobody waits for the answer any more.
func (q *partQueue) Close() error {
	q.cancel()
	return nil
}

// editorAnswer is the part of an answer received so far.
type editorAnswer struct {
	finished bool
	calls    []Call
	usage    Usage
	finish   Finish
}

func (a *editorAnswer) knows(_ string, part gjson.Result) bool {
	return part.Get("finish").Exists() || part.Get("text").Exists() || part.Get("thought").Exists() ||
		part.Get("call").Exists()
}

func (a *editorAnswer) add(_ string, part gjson.Result) (Chunk, error) {
	if call := part.Get("call"); call.IsObject() {
		a.calls = append(a.calls, Call{ID: call.Get("id").String(), Name: call.Get("name").String(),
			Arguments: orEmptyObject([]byte(call.Get("arguments").String()))})
	}
	if part.Get("finish").Exists() {
		a.finished, a.finish = true, Finish(part.Get("finish").String())
		a.usage = Usage{In: int(part.Get("in").Int()), Out: int(part.Get("out").Int())}
		return Chunk{}, io.EOF
	}
	return Chunk{Text: part.Get("text").String(), Reasoning: part.Get("thought").String()}, nil
}

func (a *editorAnswer) complete(bool) error {
	if !a.finished {
		return errBrokeOff
	}
	return nil
}

func (a *editorAnswer) unknownError() Class { return BadResponse }

func (a *editorAnswer) ended() ending {
	end := ending{calls: a.calls, finish: a.finish}
	if a.usage != (Usage{}) {
		end.usage = &a.usage
	}
	return end
}
