package lsp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lspclient"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project/compiler"
)

// editorServers asks the language servers of the editor. It implements [compiler.Editor], and is safe for concurrent
// use.
type editorServers struct {
	client    *client.Client
	documents *document.Table

	mu      sync.Mutex
	last    int                              // number of the last request
	waiting map[string]chan *ploke.LSPAnswer // by request
}

func newEditorServers(c *client.Client, d *document.Table) *editorServers {
	return &editorServers{client: c, documents: d, waiting: map[string]chan *ploke.LSPAnswer{}}
}

// EditorServers implements [project.ServerSource]: it returns the servers, or nil if the client does not say that it
// asks any.
func (s *editorServers) EditorServers() compiler.Editor {
	if !s.client.Ploke.Has(ploke.MethodClientServers) || !s.client.Ploke.Has(ploke.MethodClientAsk) {
		return nil
	}
	return s
}

// Name implements [compiler.Editor].
func (s *editorServers) Name() string { return s.client.Product() }

// Versions implements [compiler.Editor].
func (s *editorServers) Versions() map[string]int32 {
	versions := map[string]int32{}
	for _, u := range s.documents.All() {
		if doc := s.documents.Get(u); doc != nil && doc.Path != "" && doc.OutOfStep == "" {
			versions[doc.Path] = doc.Version
		}
	}
	return versions
}

// Servers implements [compiler.Editor].
func (s *editorServers) Servers(ctx context.Context, path string) (servers []compiler.EditorServer, err error) {
	var result ploke.ClientLSPServersResult
	params := ploke.ClientLSPServersParams{URI: s.documents.URIOf(path)}
	if err := s.client.Call(ctx, ploke.MethodClientServers, &params, &result); err != nil {
		return nil, s.failedCall(err)
	}
	for _, server := range result.Servers {
		servers = append(servers, *decodeServer(&server))
	}
	return servers, nil
}

func decodeServer(s *ploke.LSPServer) *compiler.EditorServer {
	server := compiler.EditorServer{ID: s.ID, Name: s.Name, Version: s.Version, Encoding: s.Encoding,
		Running: s.Running, Ended: s.Ended}
	for _, method := range s.Methods {
		server.Methods = append(server.Methods, string(method))
	}
	return &server
}

// Ask implements [compiler.Editor].
func (s *editorServers) Ask(ctx context.Context, r compiler.EditorRequest) (*compiler.EditorAnswer, error) {
	params := ploke.ClientLSPParams{Server: r.Server, URI: s.documents.URIOf(r.Path), Method: ploke.LSPMethod(r.Method),
		Params: r.Params}
	if !params.Method.Known() {
		return nil, fmt.Errorf("an editor is not asked for %s", r.Method)
	}
	doc := s.documents.OfFile(r.Path)
	if doc != nil {
		if doc.OutOfStep != "" {
			return nil, compiler.ErrChanged
		}
		params.Version = &doc.Version
	}
	answered := make(chan *ploke.LSPAnswer, 1)
	params.Request = s.begin(answered)
	defer s.end(params.Request)
	answer := new(ploke.LSPAnswer)
	if err := s.client.Call(ctx, ploke.MethodClientAsk, &params, answer); err != nil {
		return nil, s.failedCall(err)
	}
	if answer.Later {
		select {
		case answer = <-answered:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.check(r, doc, answer)
}

// check returns the answer if it is one for the document.
func (s *editorServers) check(r compiler.EditorRequest, asked *document.Document,
	a *ploke.LSPAnswer) (*compiler.EditorAnswer, error) {
	now := s.documents.OfFile(r.Path)
	switch {
	case a.Failure != "":
		return nil, fmt.Errorf("%s has no answer: %s", s.Name(), shownFailure(a.Failure))
	case a.Changed, now == nil && asked != nil, now != nil && (a.Version == nil || *a.Version != now.Version),
		asked != nil && asked.Version != now.Version:
		return nil, compiler.ErrChanged
	case a.Refusal != "":
		return nil, lspclient.Refused(r.Method, a.Refusal)
	}
	answer := &compiler.EditorAnswer{Result: a.Result}
	if a.Server != nil {
		answer.Server = decodeServer(a.Server)
	}
	return answer, nil
}

// begin returns the name of a new request.
func (s *editorServers) begin(answered chan *ploke.LSPAnswer) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	name := strconv.Itoa(s.last)
	s.waiting[name] = answered
	return name
}

func (s *editorServers) end(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, name)
}

// take takes an answer that the client has postponed. Only the first one of a request counts.
func (s *editorServers) take(a *ploke.LSPAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answered := s.waiting[a.Request]; answered != nil {
		answered <- a
		delete(s.waiting, a.Request)
	}
}

// failedCall returns the error of a request that the client has answered with one.
func (s *editorServers) failedCall(err error) error {
	var refused *jsonrpc2.Error
	if errors.As(err, &refused) {
		return fmt.Errorf("%s has no answer: %s", s.Name(), shownFailure(refused.Message))
	}
	return err
}

// maxFailure is how many characters of what the client says of a failure are shown.
const maxFailure = 200

func shownFailure(text string) string { return display.Clip(display.Name(text), maxFailure) }

// lspAnswer takes the answer of a language server of the editor.
func (s *service) lspAnswer(_ context.Context, p *ploke.LSPAnswer) error {
	s.frontEnd.take(p)
	return nil
}
