package lspclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A Foreign server is one that another program runs, such as an editor, and asks for us. Its answers are believed as
// little as those of a [Client].
type Foreign struct {
	Encoding string // of positions; "" is UTF-16
	// Text returns the present text of a file at an absolute path.
	Text func(ctx context.Context, path string) ([]byte, error)
	// Ask returns the result of a method of LSP as JSON. It is bounded by the context alone.
	Ask func(ctx context.Context, method string, params []byte) ([]byte, error)
}

// The methods of LSP by which a Foreign server is asked.
const (
	MethodReferences      = protocol.MethodTextDocumentReferences
	MethodDefinition      = protocol.MethodTextDocumentDefinition
	MethodImplementations = protocol.MethodTextDocumentImplementation
	MethodRename          = protocol.MethodTextDocumentRename
)

// Places returns the answer to one of the first three methods, as the methods of [Client] do.
func (f Foreign) Places(ctx context.Context, method, path string, offset int) ([]Place, error) {
	q := question{method: method, path: path, offset: offset}
	if method == MethodReferences {
		q.more = object{"context": object{"includeDeclaration": false}}
	}
	raw, texts, err := f.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	found, err := locations(raw)
	if err != nil {
		return nil, wrongForm(q)
	}
	return texts.places(ctx, found)
}

// Rename is [Client.Rename].
func (f Foreign) Rename(ctx context.Context, path string, offset int, to string) ([]Place, error) {
	q := question{method: MethodRename, path: path, offset: offset, more: object{"newName": to}}
	raw, texts, err := f.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return texts.renamed(ctx, q, raw)
}

// ask sends a question, and returns the answer with what converts the positions in it: the texts are those of the files
// when they are first read.
func (f Foreign) ask(ctx context.Context, q question) (json.RawMessage, *mappers, error) {
	encoding := protocol.PositionEncodingKind(f.Encoding)
	if f.Encoding == "" {
		encoding = protocol.PositionEncodingKindUTF16
	}
	if _, known := units[encoding]; !known {
		return nil, nil, fmt.Errorf("the language server counts positions in %s", shown(f.Encoding))
	}
	texts := &mappers{client: &Client{options: Options{Text: f.Text}, encoding: encoding}, known: map[string]*mapper{}}
	asked, err := texts.of(ctx, q.path)
	if err != nil {
		return nil, nil, err
	}
	params := object{"textDocument": object{"uri": uri.File(q.path)}, "position": asked.position(q.offset)}
	maps.Copy(params, q.more)
	sent, err := json.Marshal(params)
	if err != nil {
		return nil, nil, err
	}
	raw, err := f.Ask(ctx, q.method, sent)
	return raw, texts, err
}

// Refused is the error of a server that has answered a question with one.
func Refused(method, reason string) error {
	return &RefusedError{Method: method, Reason: shown(reason)}
}

// IsRefused returns why a server has refused a question, if it has.
func IsRefused(err error) (reason string, ok bool) {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return refused.Reason, true
	}
	return "", false
}

// NameOf is what a server is called that gives itself a name and a version, as people read it.
func NameOf(name, version string) string { return serverName(name, version, "a language server") }

// ReadinessAfter returns how far a server is which has told of tasks: some run, some have ended.
func ReadinessAfter(running, ended []string) Readiness {
	var r readiness
	r.init()
	for _, title := range running {
		r.reported("running "+title, "begin", title)
	}
	for _, title := range ended {
		r.reported("ended "+title, "begin", title)
		r.reported("ended "+title, "end", "")
	}
	return r.now()
}
