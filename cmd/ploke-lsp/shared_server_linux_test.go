package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
)

// processesOf returns the processes of a program that no other one of it has started.
func processesOf(t *testing.T, path string) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	check(t, err)
	parents := map[int]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline")) // of one that has just ended
		if first, _, _ := bytes.Cut(line, []byte{0}); err != nil || string(first) != path {
			continue
		}
		status, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "status"))
		if found := regexp.MustCompile(`(?m)^PPid:\t(\d+)$`).FindSubmatch(status); found != nil {
			parents[pid], _ = strconv.Atoi(string(found[1]))
		}
	}
	for pid, parent := range parents {
		if _, inner := parents[parent]; !inner {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// TestSixProcessesStartOneServer has two editors, two MCP servers, an agent and the command line ask who calls a function, at
// once. One gopls runs, and all say which. Once its process is killed, while it answers, the others start one again.
func TestSixProcessesStartOneServer(t *testing.T) {
	gopls := filepath.Join(t.TempDir(), "gopls") // by which its processes are told
	check(t, os.Symlink(testbed.File(t, "gopls", filepath.Join(os.Getenv("PLOKE_TEST_SERVERS"), "bin", "gopls")), gopls))
	state, root := t.TempDir(), manyFiles(t, 40)
	check(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module p\n\ngo 1.24\n"), 0o600))
	check(t, os.WriteFile(filepath.Join(root, "use.go"), []byte("package p\n\nfunc use() int { return File0(1) }\n"), 0o600))
	config := filepath.Join(t.TempDir(), "config.toml")
	check(t, os.WriteFile(config, fmt.Appendf(nil, "[languages.go]\nserver = [%q]\n", gopls), 0o600))
	flags := []string{"--state-dir", state, "--config", config}

	type asking struct {
		pid int // 0 if it ends with the answer
		ask func() string
	}
	others := map[string]asking{}
	for _, name := range []string{"an editor", "another editor"} {
		server := serve(t, state, "--config", config)
		editor := lsptest.Connect(t, server, lsptest.Options{Roots: []string{root}})
		editor.AwaitIndex()
		others[name] = asking{server.Process.Pid, func() string { return editor.Ask("who calls File0?").Text }}
	}
	for _, name := range []string{"an MCP server", "another MCP server"} {
		mcp := startMCPIn(t, ofMCPClient(t), root, flags...)
		others[name] = asking{mcp.server.Process.Pid,
			func() string { return mcp.call("references", map[string]any{"name": "File0"}) }}
	}
	acp := acptest.StartProcess(t, acptest.Options{}, ofMCPClient(t), append([]string{program(t).Path, "acp"}, flags...)...)
	acp.Initialize()
	session := acp.New(root)
	others["an agent"] = asking{acp.PID, func() string {
		acp.Forget()
		acp.Prompt(session, "who calls File0?")
		acp.Await("whom the agent has asked", func() bool {
			return strings.Contains(acp.Said(session, "agent_message_chunk"), "gopls v0.")
		})
		return acp.Said(session, "agent_message_chunk")
	}}
	others["the command line"] = asking{0, func() string {
		cmd := program(t, append(append([]string{"ask", "--workspace", root}, flags...), "who calls File0?")...)
		out, err := cmd.CombinedOutput()
		check(t, err)
		return string(out)
	}}
	status := startMCPIn(t, ofMCPClient(t), root, flags...)

	all := func(what string, meanwhile func()) {
		t.Helper()
		var answers sync.WaitGroup
		for name, other := range others {
			answers.Go(func() {
				if got := other.ask(); !strings.Contains(got, "gopls v0.") || !strings.Contains(got, "use.go") {
					t.Errorf("%s: %s says %q", what, name, got)
				}
			})
		}
		meanwhile()
		answers.Wait()
		// that of a process which was killed ends a moment later
		testbed.Eventually(t, func() bool { return len(processesOf(t, gopls)) == 1 },
			func() string { return fmt.Sprintf("%s: the processes of gopls are %v", what, processesOf(t, gopls)) })
	}
	holder := func() int {
		t.Helper()
		line := status.call("status", nil)
		found := regexp.MustCompile(`gopls v0\.\S+ for \S+, of process (\d+): it has read the project, (\d+) MiB of memory`).
			FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("the status is %q", line)
		}
		t.Logf("process %s runs the server, which takes %s MiB", found[1], found[2])
		pid, err := strconv.Atoi(found[1])
		check(t, err)
		return pid
	}
	all("at first", func() {})
	for range 2 {
		first := holder()
		maps.DeleteFunc(others, func(_ string, other asking) bool { return other.pid == first })
		all("after the kill", func() { check(t, syscall.Kill(first, syscall.SIGKILL)) })
		if second := holder(); second == first {
			t.Errorf("process %d still counts as the one that runs the server", second)
		}
	}
}
