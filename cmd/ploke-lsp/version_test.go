package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionSaysWhatTheProgramWasBuiltFrom(t *testing.T) {
	stamped := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "4356e6e"}, {Key: "vcs.time", Value: "2026-11-23T13:02:37Z"}}
	for _, c := range []struct {
		release string
		module  string
		stamps  []debug.BuildSetting
		want    string
	}{
		{"", "v0.1.0", stamped, "0.1.0 (4356e6e, 2026-11-23T13:02:37Z)"},
		{"", "v0.1.1-0.20261123130237-4356e6eda7d1+dirty", stamped, "0.1.1-0.20261123130237-4356e6eda7d1+dirty (4356e6e, 2026-11-23T13:02:37Z)"},
		{"v0.1.0", "(devel)", nil, "0.1.0"},
		{"", "(devel)", nil, "development build"},
		{"", "", nil, "development build"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.stamps}
		if got := describe(c.release, info); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTheServerSaysItsVersionToTheClientAndInTheLog(t *testing.T) {
	cmd := program(t, "serve", "--state-dir", t.TempDir(), "--log-level", "info")
	input, err := cmd.StdinPipe() // stays open until the process has ended: closing it would drop the answers
	check(t, err)
	for _, message := range []string{
		`"id":1,"method":"initialize","params":{"capabilities":{},"processId":null,"rootUri":null}`, `"id":2,"method":"shutdown"`, `"method":"exit"`,
	} {
		message = `{"jsonrpc":"2.0",` + message + "}"
		fmt.Fprintf(input, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	var log strings.Builder
	cmd.Stderr = &log
	answer, err := cmd.Output()
	check(t, err)
	if want := fmt.Sprintf(`"serverInfo":{"name":"ploke-lsp","version":%q}`, version); !strings.Contains(string(answer), want) {
		t.Errorf("the answer has no %s: %s", want, answer)
	}
	if first, _, _ := strings.Cut(log.String(), "\n"); !strings.HasSuffix(first, fmt.Sprintf("level=INFO msg=serving version=%q", version)) {
		t.Errorf("the log begins with %q", first)
	}
}
