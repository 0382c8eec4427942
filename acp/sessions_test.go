package acp_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

func TestInitialize(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.start(acptest.Options{})
	for _, asked := range []int{0, 1, 2} {
		var r protocol.InitializeResponse
		c.Call(protocol.MethodInitialize, map[string]any{"protocolVersion": asked}, &r)
		if r.ProtocolVersion != 1 || r.AgentInfo.Name != "ploke-lsp" || r.AgentInfo.Version != "1.2.3" || len(r.AuthMethods) != 0 {
			t.Errorf("asked for %d: %+v", asked, r)
		}
	}
	var r protocol.InitializeResponse
	c.Call(protocol.MethodInitialize, map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{"auth": map[string]bool{"terminal": true}}}, &r)
	if len(r.AuthMethods) != 1 || r.AuthMethods[0].Type != "terminal" || !slices.Equal(r.AuthMethods[0].Args, []string{"--setup-model"}) {
		t.Errorf("a client with a terminal gets %+v", r.AuthMethods)
	}
	c.Call(protocol.MethodAuthenticate, protocol.AuthenticateRequest{MethodID: r.AuthMethods[0].ID}, nil)
	if err := c.Error(protocol.MethodAuthenticate, protocol.AuthenticateRequest{MethodID: "other"}); err.Code != protocol.CodeInvalidParams {
		t.Error(err)
	}
}

// TestNothingIsSentBeforeTheResponse: some clients drop updates of a session that they do not know, or hang.
func TestNothingIsSentBeforeTheResponse(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.useModel()
	c := f.start(acptest.Options{})
	for range 20 {
		id := c.New(f.root)
		c.Await("the commands", func() bool { return len(c.Updates(id)) > 0 })
		at := func(part string) int {
			return slices.IndexFunc(c.Wire(), func(line string) bool {
				return strings.HasPrefix(line, "agent ") && strings.Contains(line, part) && strings.Contains(line, id)
			})
		}
		if response, update := at(`"result"`), at(`session/update`); response > update {
			t.Fatalf("line %d is the response, and line %d an update", response, update)
		}
	}
}

func TestSessionsAreListedClosedAndDeleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Home = t.TempDir()
	c := f.start(acptest.Options{})
	empty, id := c.New(f.root), c.New(f.root)
	c.Prompt(id, "What calls square?")
	if err := f.agent.CreateConversation(t.Context(), f.root); err != nil {
		t.Fatal(err)
	}
	list := func(cwd string) (ids []string) {
		params, cursor := map[string]string{}, "0"
		if cwd != "" {
			params["cwd"] = cwd
		}
		for cursor != "" {
			var r protocol.ListSessionsResponse
			c.Call(protocol.MethodSessionList, params, &r)
			for _, s := range r.Sessions {
				ids = append(ids, s.SessionID)
			}
			cursor, params["cursor"] = r.NextCursor, r.NextCursor
		}
		return ids
	}
	for _, cwd := range []string{f.root, ""} {
		if got := list(cwd); !slices.Equal(got, []string{id}) {
			t.Errorf("of %q are listed %v, want %s", cwd, got, id)
		}
	}
	c.Call(protocol.MethodSessionClose, protocol.SessionID{SessionID: empty}, nil)
	if err := c.Error(protocol.MethodSessionPrompt, acptest.Text(empty, "hello")); err.Code != protocol.CodeInvalidParams {
		t.Error(err)
	}
	if err := c.Error(protocol.MethodSessionLoad, acptest.Params(empty, f.root)); err.Code != protocol.CodeResourceNotFound {
		t.Errorf("loading an empty session that was closed: %v", err)
	}
	c.Call(protocol.MethodSessionDelete, protocol.SessionID{SessionID: id}, nil)
	if got := list(f.root); len(got) != 0 {
		t.Errorf("after deleting, %v are listed", got)
	}
	links := t.TempDir()
	for name, target := range map[string]string{"home": f.Home, "disk": "/"} {
		if err := os.Symlink(target, filepath.Join(links, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, cwd := range []string{f.Home, f.Home + "/.", "/", filepath.Join(links, "home"), filepath.Join(links, "disk"), links + "/disk/."} {
		if err := c.Error(protocol.MethodSessionNew, acptest.Params("", cwd)); err.Code != protocol.CodeInvalidParams ||
			!strings.Contains(err.Message, "is not a project") {
			t.Errorf("%s: %v", cwd, err)
		}
	}
	for method, params := range map[string]any{
		protocol.MethodSessionNew:    acptest.Params("", "relative"),
		protocol.MethodSessionLoad:   acptest.Params("x", f.path("none")),
		protocol.MethodSessionClose:  protocol.SessionID{SessionID: "x"},
		protocol.MethodSessionDelete: protocol.SessionID{SessionID: "x"},
		protocol.MethodSessionList:   map[string]string{"cursor": "x"},
		protocol.MethodSessionResume: map[string]any{"sessionId": "x", "cwd": f.root, "additionalDirectories": []string{"a"}},
	} {
		if err := c.Error(method, params); err.Code != protocol.CodeInvalidParams {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// TestASessionWithoutAMessageLeavesNothing looks at what is stored while sessions are open, which is what stays if the agent is
// killed. A session that had no message can be loaded and resumed as long as it is open.
func TestASessionWithoutAMessageLeavesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.start(acptest.Options{})
	for range 3 {
		c.New(f.root)
	}
	used, deleted, empty := c.New(f.root), c.New(f.root), c.New(f.root)
	for _, method := range []string{protocol.MethodSessionLoad, protocol.MethodSessionResume} {
		c.Call(method, acptest.Params(used, f.root), nil)
	}
	if err := c.Error(protocol.MethodSessionPrompt,
		map[string]any{"sessionId": empty, "prompt": []any{}}); err.Code != protocol.CodeInvalidParams {
		t.Error(err)
	}
	c.Call(protocol.MethodSessionDelete, protocol.SessionID{SessionID: deleted}, nil)
	if got := f.storedConversations(); len(got) != 0 {
		t.Errorf("sessions without a message are stored: %q", got)
	}
	c.Prompt(used, "What calls square?")
	c.Prompt(used, "And what calls that?")
	if got := f.storedConversations(); !slices.Equal(got, []string{used + " What calls square? 4"}) {
		t.Errorf("stored: %q", got)
	}
}

// storedConversations returns the id, the title and the number of messages of all conversations that are stored.
func (f *fixture) storedConversations() (all []string) {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.StateDir, "*", "state.db"))
	if err != nil || len(files) != 1 {
		f.t.Fatal(files, err)
	}
	db, err := sql.Open("sqlite3", "file:"+files[0]+"?mode=ro")
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT id || ' ' || title || ' ' || (SELECT count(*) FROM messages WHERE conversation_id = c.id) FROM ` +
		`conversations c`)
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			f.t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// TestAdditionalDirectories are open as long as a session names them.
func TestAdditionalDirectories(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	other := unpack(t, "-- notes.txt --\nthe secret word is plinth\n")
	f.useModel(call("c1", "read_file", fmt.Sprintf(`{"file":%q}`, other+"/notes.txt")), llmtest.Turn{Text: []string{"read"}, Check: func(r *llmtest.Request) error {
		if !strings.Contains(r.Last().Content, "plinth") {
			return fmt.Errorf("the model read %q", r.Last().Content)
		}
		return nil
	}})
	c := f.start(acptest.Options{})
	params := acptest.Params("", f.root)
	params.AdditionalDirectories = []string{other}
	var r protocol.SessionResponse
	c.Call(protocol.MethodSessionNew, params, &r)
	c.New(f.root)
	if got := f.agent.Roots(f.root); !slices.Equal(got, []string{f.root, other}) {
		t.Errorf("the roots are %v", got)
	}
	c.Prompt(r.SessionID, "Read it.")
	c.Call(protocol.MethodSessionClose, protocol.SessionID{SessionID: r.SessionID}, nil)
	if got := f.agent.Roots(f.root); !slices.Equal(got, []string{f.root}) {
		t.Errorf("after closing, the roots are %v", got)
	}
}

// TestMessagesOutsideOfATurnAreShown has a mistake in the settings, which is found before there is a session.
func TestMessagesOutsideOfATurnAreShown(t *testing.T) {
	t.Parallel()
	for _, notices := range []bool{false, true} {
		f := newFixture(t)
		f.setting(`{"limits":{"toolTokens":"many"}}`)
		options := acptest.Options{}
		if notices {
			options.Capabilities.Session.Notices = &struct{}{}
		}
		c := f.start(options)
		id := c.New(f.root)
		if !notices {
			c.Prompt(id, "What calls square?")
		}
		c.Await("the message", func() bool {
			return slices.ContainsFunc(c.Updates(id), func(u acptest.Update) bool {
				return strings.Contains(string(u.Raw), "limits.toolTokens") && (u.Kind == "notice") == notices
			})
		})
	}
}
