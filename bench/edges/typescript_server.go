package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

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
