package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
)

// server answers for the references to the name at a place, its declarations left out.
type server interface {
	references(ctx context.Context, at place) ([]place, error)
	close()
}

// answerTimeout bounds an answer, for the first of which a server reads the whole project.
const answerTimeout = 5 * time.Minute

// startServer starts a language's server on a project.
func startServer(ctx context.Context, language string, command []string, p *project) (server, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Stderr = p.dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if language == "typescript" {
		s := &typescriptServer{cmd: cmd, in: in, out: bufio.NewReader(out)}
		return s, s.open(p)
	}
	s := &languageServer{project: p, language: language, cmd: cmd, opened: map[string]bool{}}
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipes{out, in}))
	s.conn.Go(ctx, s.handle)
	return s, s.initialize(ctx)
}

// pipes joins the standard streams of a process to one connection.
type pipes struct {
	io.ReadCloser
	in io.WriteCloser
}

func (p pipes) Write(data []byte) (int, error) { return p.in.Write(data) }
func (p pipes) Close() error                   { return errors.Join(p.in.Close(), p.ReadCloser.Close()) }

// languageServer speaks the Language Server Protocol.
type languageServer struct {
	*project
	language string
	cmd      *exec.Cmd
	conn     jsonrpc2.Conn
	opened   map[string]bool
}

type object map[string]any

func (s *languageServer) initialize(ctx context.Context) error {
	root := uri.File(s.dir)
	params := object{"processId": os.Getpid(), "rootUri": root,
		"capabilities":     object{"workspace": object{"configuration": true}},
		"workspaceFolders": []object{{"uri": root, "name": "project"}}}
	if _, err := s.conn.Call(ctx, "initialize", params, nil); err != nil {
		return err
	}
	return s.conn.Notify(ctx, "initialized", object{})
}

// handle answers requests for settings with none, and all others with nothing.
func (s *languageServer) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if req.Method() != "workspace/configuration" {
		return nil, nil
	}
	var params struct{ Items []any }
	if err := json.Unmarshal(req.Params(), &params); err != nil {
		return nil, err
	}
	return make([]object, len(params.Items)), nil
}

func (s *languageServer) references(ctx context.Context, at place) (places []place, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	document := uri.File(at.path)
	if !s.opened[at.path] {
		s.opened[at.path] = true
		item := object{"uri": document, "languageId": s.language, "version": 1, "text": s.text(at.path).content}
		if err := s.conn.Notify(ctx, "textDocument/didOpen", object{"textDocument": item}); err != nil {
			return nil, err
		}
	}
	var found []struct {
		URI   uri.URI `json:"uri"`
		Range struct {
			Start struct {
				Line      int `json:"line"`
				Character int `json:"character"`
			} `json:"start"`
		} `json:"range"`
	}
	params := object{"textDocument": object{"uri": document},
		"position": object{"line": at.line, "character": at.character}, "context": object{"includeDeclaration": false}}
	if _, err := s.conn.Call(ctx, "textDocument/references", params, &found); err != nil {
		return nil, err
	}
	for _, f := range found {
		places = append(places, place{f.URI.FsPath(), f.Range.Start.Line, f.Range.Start.Character})
	}
	return places, nil
}

func (s *languageServer) close() {
	_ = s.conn.Close()
	_ = s.cmd.Process.Kill() // by its own id
	_ = s.cmd.Wait()
}
