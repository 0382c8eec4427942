package mux_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest/lspcheck"
)

// relayVariable has the command of a real server, if this program is to run it and to check what the mux sends it.
const relayVariable = "PLOKE_TEST_MUX_RELAY"

// violation begins the report of what the mux should not send.
const violation = "the mux violates LSP: "

// relay runs a server and checks what it is sent. What the server sends is its own affair.
func relay(command []string) error {
	session, err := newCheck(func(v lspcheck.Violation) {
		fmt.Fprintf(os.Stderr, "%s%s: %s: %s\n", violation, v.Rule, v.Problem, v.Message)
	})
	if err != nil {
		return err
	}
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	return errors.Join(session.Relay(os.Stdin, in, out, os.Stdout), cmd.Wait())
}

func newCheck(report func(lspcheck.Violation)) (*lspcheck.Session, error) {
	session, err := lspcheck.NewSession(func(lspcheck.Violation) {})
	if err == nil {
		session.CheckClient(report)
	}
	return session, err
}

// checked returns a server of ours, with a check of what the mux sends it and of what it sends to the mux: that it needs
// nothing that the mux has not declared.
func checked(t *testing.T, serve func(context.Context, io.ReadWriteCloser) error) func(context.Context, io.ReadWriteCloser) error {
	report := func(v lspcheck.Violation) { t.Errorf("%s%s: %s: %s", violation, v.Rule, v.Problem, v.Message) }
	session, err := lspcheck.NewSession(report)
	if err != nil {
		t.Fatal(err)
	}
	session.CheckClient(report)
	return func(ctx context.Context, conn io.ReadWriteCloser) error {
		here, there := net.Pipe()
		watched := session.Watch(here)
		go func() {
			_, _ = io.Copy(watched, conn) // the end of the editor
			watched.Close()
		}()
		go func() {
			_, _ = io.Copy(conn, watched) // the end of the server
			conn.Close()
		}()
		return serve(ctx, there)
	}
}

func relayed() bool {
	command := os.Getenv(relayVariable)
	if command == "" {
		return false
	}
	if err := relay(strings.Fields(command)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}
