package acp_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/acp"
)

// dial starts an agent and returns the client's end of the connection.
func dial(t *testing.T, f *fixture) (conn net.Conn, lines *bufio.Scanner, ended <-chan error) {
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- acp.NewAgent(f.Options).Serve(context.Background(), theirs) }()
	t.Cleanup(func() { ours.Close() })
	if err := ours.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	lines = bufio.NewScanner(ours)
	lines.Buffer(nil, 1<<20)
	return ours, lines, done
}

// TestWrongMessages are answered, and the next message is read.
func TestWrongMessages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	conn, lines, _ := dial(t, f)
	for sent, wanted := range map[string][]string{
		"{":       {`"id":null`, `-32700`},
		"[]":      {`"id":null`, `-32600`},
		`"hello"`: {`"id":null`, `-32600`},
		`{"jsonrpc":"2.0","id":1.5,"method":"initialize","params":{}}`:                                 {`"id":null`, `-32600`},
		`{"jsonrpc":"2.0","id":"a","method":"session/nothing","params":{}}`:                            {`"id":"a"`, `-32601`, "is not supported"},
		`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":[]}`:                               {`"id":2`, `-32602`, "the parameters don't have the expected form"},
		`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"x"}}`:                {`"id":3`, `-32602`, "is not open"},
		`{"jsonrpc":"2.0","id":4,"method":"session/cancel","params":{"sessionId":"x"}}`:                {`"id":4`, `-32601`},
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"initialize","params":{"protocolVersion":1}}`: {`"id":9007199254740993`, `"result"`},
	} {
		// What is no request gets no answer.
		noise := "\n{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"x\"}}\n{\"jsonrpc\":\"2.0\"," +
			"\"method\":\"_unknown\"}\n" +
			"{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":77}}\n{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}\n"
		go fmt.Fprint(conn, noise+sent+"\n")
		if !lines.Scan() {
			t.Fatalf("%s was not answered: %v", sent, lines.Err())
		}
		for _, want := range wanted {
			if !strings.Contains(lines.Text(), want) {
				t.Errorf("%s was answered with %s, want %s", sent, lines.Text(), want)
			}
		}
	}
}

// TestALineThatIsTooLarge costs one error, and the next message is read.
func TestALineThatIsTooLarge(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	conn, lines, _ := dial(t, f)
	go func() {
		piece := []byte(strings.Repeat("x", 1<<20))
		for range 65 {
			if _, err := conn.Write(piece); err != nil {
				return
			}
		}
		fmt.Fprint(conn, "\n"+`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`+"\n")
	}()
	answers := ""
	for range 2 { // in any order
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		answers += lines.Text()
	}
	if !strings.Contains(answers, "larger than 64 MB") || !strings.Contains(answers, `"id":1,"result"`) {
		t.Errorf("got %s", answers)
	}
}

// TestTheEndOfTheConnectionEndsTheAgent while a turn runs and an answer is owed.
func TestTheEndOfTheConnectionEndsTheAgent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	conn, lines, ended := dial(t, f)
	go fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`+"\n", f.root)
	if !lines.Scan() || !strings.Contains(lines.Text(), "sessionId") {
		t.Fatal(lines.Text())
	}
	conn.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("the agent does not end")
	}
	left, err := filepath.Glob(filepath.Join(f.StateDir, "*", "state.db-wal"))
	if err != nil || len(left) > 0 {
		t.Errorf("the databases were not closed: %v, %v", left, err)
	}
}

// TestAClientThatDoesNotReadCanStillSpeak: reading never waits for writing.
func TestAClientThatDoesNotReadCanStillSpeak(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	conn, _, _ := dial(t, f)
	for n := range 100 {
		if _, err := fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":1}}`+"\n{\n", n); err != nil {
			t.Fatalf("message %d: %v", n, err)
		}
	}
}
