package acptest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheClientIsAsUnkindAsItIsTold asks a client for texts and has it write them, as an agent does. Each answer comes twice.
func TestTheClientIsAsUnkindAsItIsTold(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("saved"), []byte("on disk"), 0o600); err != nil {
		t.Fatal(err)
	}
	refuse := func(path string) error {
		if filepath.Base(path) == "refused" {
			return errors.New("not this one")
		}
		return nil
	}
	asked := []struct{ method, name, answer string }{
		{"fs/read_text_file", "saved", `"content":"on disk"`},
		{"fs/read_text_file", "typed", `"content":"not saved"`},
		{"fs/read_text_file", "missing", `"error"`},
		{"fs/read_text_file", "refused", `"not this one"`},
		{"fs/write_text_file", "refused", `"not this one"`},
		{"fs/write_text_file", "typed", `"result":{}`},
		{"fs/read_text_file", "typed", `"content":"written"`},
	}
	done := make(chan error, 1)
	agent := func(_ context.Context, conn io.ReadWriteCloser) error {
		answers := bufio.NewScanner(conn)
		var errs []error
		for i, a := range asked {
			fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"sessionId":"s","path":%q,"content":"written"}}`+"\n", i, a.method,
				path(a.name))
			for range 2 {
				if !answers.Scan() || !strings.Contains(answers.Text(), a.answer) || !strings.Contains(answers.Text(), fmt.Sprintf(`"id":%d`, i)) {
					errs = append(errs, fmt.Errorf("%s of %s was answered with %s", a.method, a.name, answers.Text()))
				}
			}
		}
		done <- errors.Join(errs...)
		return nil
	}
	Start(t, agent, Options{
		Unchecked: true, AnswersTwice: true, Texts: map[string]string{path("typed"): "not saved"},
		OnRead: refuse, OnWrite: func(path, _ string) error { return refuse(path) },
	})
	if err := <-done; err != nil {
		t.Error(err)
	}
}
