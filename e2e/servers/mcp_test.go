package servers_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// toolServer is a server of the Model Context Protocol, and a call that it answers.
type toolServer struct {
	command   []string
	tool      string
	arguments map[string]any
	want      string // in the result
	home      string // "" is an empty one
}

// toolServers returns the servers, for a folder in which they work.
func toolServers(t *testing.T, root string) map[string]toolServer {
	node := testbed.Program(t, "node")
	npm := func(name string) string {
		return installed(t, "npm", "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	}
	python := func(name string) string { return installed(t, "mcp", "bin", name) }
	// The page is asked for raw: to simplify it, the server of fetch would install packages first.
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<html><body><p>a page of this machine</p></body></html>")
	}))
	t.Cleanup(pages.Close)
	if out, err := exec.Command("git", "-C", root, "init", "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return map[string]toolServer{
		"everything": {[]string{node, npm("server-everything")}, "echo", map[string]any{"message": "hello"}, "hello", ""},
		"filesystem": {[]string{node, npm("server-filesystem"), root}, "read_text_file", map[string]any{"path": filepath.Join(root, "paint.go")}, "func Color", ""},
		"git":        {[]string{python("mcp-server-git"), "--repository", root}, "git_status", map[string]any{"repo_path": root}, "paint.go", ""},
		"fetch":      {[]string{python("mcp-server-fetch"), "--ignore-robots-txt", "--allow-private-ips"}, "fetch", map[string]any{"url": pages.URL, "raw": true}, "a page of this machine", ""},
		"time":       {[]string{python("mcp-server-time"), "--local-timezone", "UTC"}, "convert_time", map[string]any{"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}, "21:00", ""},
		"serena": {[]string{installed(t, "serena", "bin", "serena"), "start-mcp-server", "--project", root, "--context", "ide-assistant", "--agent-interface", "tools",
			"--enable-web-dashboard", "false"}, "find_symbol", map[string]any{"name_path_pattern": "Brush/paint", "include_body": true}, "return", homeOfSerena(t, root)},
	}
}

// homeOfSerena returns a home in which Serena finds its language server for Python, which it would install otherwise. The
// folder gets a file of Python.
func homeOfSerena(t *testing.T, root string) string {
	home := t.TempDir()
	write(t, root, "brush.py", "class Brush:\n    def paint(self):\n        return 'red'\n")
	for _, file := range []struct{ dir, name, text string }{
		{home, "serena_config.yml", "projects: []\nls_specific_settings:\n  python:\n    ls_path: " + installed(t, "npm", "node_modules", ".bin", "pyright-langserver") + "\n"},
		{root, "project.yml", "project_name: paint\nlanguages: [python]\nencoding: utf-8\n"},
	} {
		dir := filepath.Join(file.dir, ".serena")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir, file.name, file.text)
	}
	return home
}

// TestToolsOfRealServers lists and calls a tool of each server, kills the server, and calls the tool again.
func TestToolsOfRealServers(t *testing.T) {
	root := newFolder(t)
	for name, s := range toolServers(t, root) {
		t.Run(name, func(t *testing.T) { callKillCall(t, root, name, s) })
	}
}

func callKillCall(t *testing.T, root, name string, s toolServer) {
	t.Helper()
	arguments, err := json.Marshal(s.arguments)
	if err != nil {
		t.Fatal(err)
	}
	model := newToolCaller(t, llmtest.Call{ID: "abcdefgh1", Name: name + "__" + s.tool, Arguments: string(arguments)})
	e, pid := connectWithTools(t, root, model.url, name, s)
	askUntil := func(want string) {
		t.Helper()
		var result string
		testbed.Eventually(t, func() bool {
			e.Ask("Call it")
			result = model.result()
			return strings.Contains(result, want)
		}, func() string { return fmt.Sprintf("the result is %q, want %q in it", result, want) })
	}
	askUntil(s.want)
	kill(t, pid)
	model.forget()
	askUntil(s.want) // a turn right behind its death may know no tools of it
}

// toolCaller is a model that calls one tool if it is offered, and keeps its result.
type toolCaller struct {
	url  string
	call llmtest.Call
	mu   sync.Mutex
	last string
}

func newToolCaller(t *testing.T, call llmtest.Call) *toolCaller {
	c := &toolCaller{call: call}
	server := httptest.NewServer(c)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	c.url = server.URL + "/v1"
	return c
}

// ServeHTTP answers a request as strictly as the scripted server.
func (c *toolCaller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request llmtest.Request
	if err != nil || r.Method != http.MethodPost || json.Unmarshal(body, &request) != nil {
		http.NotFound(w, r)
		return
	}
	turn := llmtest.Turn{Text: []string{"Done."}}
	if last := request.Last(); last.Role == "tool" {
		c.mu.Lock()
		c.last = last.Content
		c.mu.Unlock()
	} else if offered := names(&request); slices.Contains(offered, c.call.Name) {
		turn = llmtest.Turn{Calls: []llmtest.Call{c.call}}
	} else if slices.Contains(offered, "call_tool") { // the server has so many tools that they are looked for
		turn = llmtest.Turn{Calls: []llmtest.Call{{ID: c.call.ID, Name: "call_tool", Arguments: fmt.Sprintf(`{"tool":%q,"arguments":%s}`, c.call.Name, c.call.Arguments)}}}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	llmtest.NewScript(turn).ServeHTTP(w, r)
}

// result returns the last result.
func (c *toolCaller) result() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

func (c *toolCaller) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = ""
}

// TestCallOfARealServerIsCancelled stops a turn while a call runs that takes a minute. The server goes on.
func TestCallOfARealServerIsCancelled(t *testing.T) {
	root := newFolder(t)
	server := toolServers(t, root)["everything"]
	call := func(tool, arguments string) llmtest.Turn {
		return llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "everything__" + tool, Arguments: arguments}}}
	}
	model := llmtest.NewServer(t, call("trigger-long-running-operation", `{"duration":60,"steps":60}`), call("echo", `{"message":"still here"}`), llmtest.Turn{Text: []string{"Done."}})
	e, pid := connectWithTools(t, root, model.URL, "everything", server)
	var created ploke.ChatCreateResult
	e.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{}, &created)
	sent := make(chan *ploke.ChatSendResult, 1)
	go func() {
		sent <- e.Send(t.Context(), ploke.ChatSendParams{ConversationID: created.ConversationID, Text: "Wait"})
	}()
	e.Await("the call", func() bool {
		return slices.ContainsFunc(e.Parts(), func(p ploke.Part) bool { return p.Type == ploke.PartToolCall })
	})
	testbed.Eventually(t, func() bool { _, err := os.Stat(pid); return err == nil }, func() string { return "the server has not started" })
	before, _ := os.ReadFile(pid)
	e.Call(ploke.MethodChatStop, ploke.ChatStopParams{ConversationID: created.ConversationID}, nil)
	if result := testbed.Receive(t, sent, "the stop"); result.StopReason != ploke.StopCancelled {
		t.Fatalf("%+v", result)
	}
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: created.ConversationID, Text: "Are you there?"})
	requests := model.Requests()
	if result := requests[len(requests)-1].Last().Content; !strings.Contains(result, "still here") {
		t.Errorf("the result is %q", result)
	}
	if after, _ := os.ReadFile(pid); string(after) != string(before) {
		t.Errorf("the server was %q, and is %q", before, after)
	}
}

// connectWithTools starts ploke-lsp with a server of tools, all of which it may call. The file pid has the number of the
// server's process.
func connectWithTools(t *testing.T, root, model, name string, s toolServer) (e *lsptest.Editor, pid string) {
	t.Helper()
	pid = filepath.Join(t.TempDir(), "pid")
	command := append([]string{"/bin/sh", "-c", `echo $$ >"$0" && exec "$@"`, pid}, s.command...)
	settings, err := json.Marshal(map[string]any{
		"model":     "scripted/model",
		"providers": map[string]any{"scripted": map[string]any{"type": "openai", "baseUrl": model}},
		"mcp": map[string]any{"servers": map[string]any{name: map[string]any{"command": command,
			"variables": map[string]string{"HOME": cmp.Or(s.home, t.TempDir()), "HTTPS_PROXY": nowhere, "SERENA_USAGE_REPORTING": "false"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e = connectTo(t, root, string(settings), lsptest.Options{OnPermission: func(context.Context, string) string { return "allowAlways" }})
	return e, pid
}

// kill ends the process whose number a file has.
func kill(t *testing.T, pid string) {
	t.Helper()
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	server, err := os.FindProcess(number)
	if err == nil {
		err = server.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// names returns the names of the tools in a request.
func names(r *llmtest.Request) (names []string) {
	for _, tool := range r.Tools {
		names = append(names, tool.Function.Name)
	}
	return names
}
