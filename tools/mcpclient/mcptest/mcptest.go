// Package mcptest has MCP servers for tests: one that works, and some that misbehave. Each is the test
// binary itself, started with an environment variable.
package mcptest

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// The environment variables of a server.
const (
	Role = "PLOKE_TEST_SERVER_ROLE" // what it does; see ServeIfAsked
	Data = "PLOKE_TEST_SERVER_DATA" // a file or an address that some roles use
)

// ServeIfAsked makes the process a server if it was started as one, and does not return then. Tests call
// it before anything else. The roles are
//
//   - "good", with a tool for each kind of result, and "banner", which prints other lines first
//   - "deaf", "dies at start", "floods at start", which never come to work
//   - "stubborn", which does not end with its input, and has started a process that connects to the
//     address in Data; and "leaves", which ends and leaves that process
//   - "dies", "floods", "one large message", "garbage", "hangs" and "asks", whose tool "go" does that;
//     "hangs" first connects to the address in Data
//   - "lies", whose tools have wrong schemas
//   - "dies between turns", which ends when it is asked for its tools again
//   - "form", whose answers are Data with its id for ID and what it says for RESULT
//   - "pages", whose list of tools has pages that repeat, have no end, or break off, as Data says
//   - "changes", whose tool is described by the file at Data
//   - "modern", which knows only the protocol without a handshake
//   - "many", with more tools than requests describe.
func ServeIfAsked() {
	role := os.Getenv(Role)
	if role == "" {
		return
	}
	serve(role)
	os.Exit(0)
}

func serve(role string) {
	switch role {
	case "good":
		serveGood()
	case "banner":
		fmt.Print("Starting the server ...\n\nready\n")
		serveGood()
	case "deaf":
		waitForever()
	case "dies at start":
		fmt.Fprintln(os.Stderr, "first line\n\x1b[2Jno database")
		os.Exit(7)
	case "floods at start":
		flood()
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		startChild()
		serveGood() // returns at the end of the input
		waitForever()
	case "leaves":
		startChild()
		serveGood()
	case "child":
		io.Copy(io.Discard, connect())
	default:
		serveByHand(role)
	}
}

// connect connects to the address in Data.
func connect() net.Conn {
	connection, err := net.Dial("tcp", os.Getenv(Data))
	if err != nil {
		panic(err)
	}
	return connection
}

func startChild() {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), Role+"=child")
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// flood sends messages that no client asked for.
func flood() {
	for {
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` +
			strings.Repeat("x", 60_000) + `"}}`)
	}
}

// waitForever waits until the process is killed. The runtime would end a process in which nothing can happen.
func waitForever() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	for range signals {
	}
}
