package lspcheck

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// frames finds the messages in the bytes of one direction.
type frames struct {
	message func(body []byte)
	wrong   func(problem string) // the bytes are not a frame; nothing is read after it
	buffer  bytes.Buffer
	broken  bool
}

// Write implements [io.Writer]. It never fails.
func (f *frames) Write(p []byte) (int, error) {
	if !f.broken {
		f.buffer.Write(p)
	}
	for !f.broken && f.next() {
	}
	return len(p), nil
}

// next handles the next message and reports whether it was complete.
func (f *frames) next() bool {
	header, rest, complete := bytes.Cut(f.buffer.Bytes(), []byte("\r\n\r\n"))
	if !complete {
		return false
	}
	length, err := contentLength(string(header))
	if err != nil {
		f.broken = true
		f.wrong(err.Error())
		return false
	}
	if len(rest) < length {
		return false
	}
	body := bytes.Clone(rest[:length])
	f.buffer.Next(len(header) + len("\r\n\r\n") + length)
	f.message(body)
	return true
}

// contentLength reads a header, which is without the empty line at its end.
func contentLength(header string) (length int, err error) {
	length = -1
	for line := range strings.SplitSeq(header, "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "Content-Length":
			if length, err = strconv.Atoi(value); err != nil || length < 0 {
				return 0, fmt.Errorf("the Content-Length is %q", value)
			}
		case "Content-Type":
		default:
			return 0, fmt.Errorf("the header has the line %.100q", line)
		}
	}
	if length < 0 {
		return 0, fmt.Errorf("the header has no Content-Length: %.100q", header)
	}
	return length, nil
}

// clientFrames returns a writer for the bytes that the client sends.
func (s *Session) clientFrames() io.Writer {
	return &frames{message: s.FromClient, wrong: func(string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unreadable++
	}}
}

// serverFrames returns a writer for the bytes that the client receives.
func (s *Session) serverFrames() io.Writer {
	return &frames{message: s.FromServer, wrong: func(problem string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.body = nil
		s.violated(RuleFrame, "%s", problem)
	}}
}

// Watch returns the client's end of a connection, whose bytes the session reads, too.
func (s *Session) Watch(conn io.ReadWriteCloser) io.ReadWriteCloser {
	return &watched{Closer: conn, Reader: io.TeeReader(conn, s.serverFrames()),
		Writer: io.MultiWriter(s.clientFrames(), conn)}
}

type watched struct {
	io.Reader
	io.Writer
	io.Closer
}

// Relay passes the bytes between a client and a server, such as those of a real editor that runs
// this instead of the server. It returns when both have closed their output.
func (s *Session) Relay(fromClient io.Reader, toServer io.WriteCloser, fromServer io.Reader, toClient io.Writer) error {
	sent := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.MultiWriter(s.clientFrames(), toServer), fromClient)
		toServer.Close()
		sent <- err
	}()
	if _, err := io.Copy(toClient, io.TeeReader(fromServer, s.serverFrames())); err != nil {
		return err
	}
	return <-sent
}
