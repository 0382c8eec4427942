package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
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

// typescriptServer speaks tsserver's own protocol: a request is a line, an answer has a header.
type typescriptServer struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	number int
}

// open opens all files: projects that no open file belongs to are not searched.
func (s *typescriptServer) open(p *project) error {
	for _, language := range servedLanguages["typescript"] {
		for _, path := range p.files[language] {
			if err := s.send("open", object{"file": path}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *typescriptServer) send(command string, arguments object) error {
	s.number++
	return json.NewEncoder(s.in).Encode(
		object{"seq": s.number, "type": "request", "command": command, "arguments": arguments})
}

func (s *typescriptServer) references(_ context.Context, at place) (places []place, err error) {
	err = s.send("references", object{"file": at.path, "line": at.line + 1, "offset": at.character + 1})
	if err != nil {
		return nil, err
	}
	for {
		var answer struct {
			Type       string
			RequestSeq int `json:"request_seq"`
			Body       json.RawMessage
		}
		text, err := s.read()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return nil, err
		}
		if answer.Type != "response" || answer.RequestSeq != s.number {
			continue
		}
		var body struct {
			Refs []struct {
				File         string
				Start        struct{ Line, Offset int }
				IsDefinition bool
			}
		}
		if len(answer.Body) > 0 {
			if err := json.Unmarshal(answer.Body, &body); err != nil {
				return nil, err
			}
		}
		for _, ref := range body.Refs {
			if !ref.IsDefinition {
				places = append(places, place{ref.File, ref.Start.Line - 1, ref.Start.Offset - 1})
			}
		}
		return places, nil
	}
}

// read reads one message.
func (s *typescriptServer) read() ([]byte, error) {
	length := -1
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(line)
		if n, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(n)); err != nil {
				return nil, fmt.Errorf("a message of tsserver: %w", err)
			}
		}
		if line == "" && length >= 0 {
			text := make([]byte, length)
			_, err := io.ReadFull(s.out, text)
			return text, err
		}
	}
}

func (s *typescriptServer) close() {
	_ = s.in.Close()
	_ = s.cmd.Process.Kill() // by its own id
	_ = s.cmd.Wait()
}
