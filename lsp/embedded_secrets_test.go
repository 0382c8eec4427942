package lsp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/redact"
	"ploke-lsp/tools"
)

const (
	// vaultPassword is found beside its name, and not in a call such as dial("…").
	vaultPassword = "hunter2Zebra+x"
	tokenInName   = "ghp_q8Zr0xT4mBq8Zr0xT4mBq8Zr0xT4mBq8Zr0x"
)

// placeholderCalls are calls of every tool with the placeholder of a password wherever it can
// be, and with that of a token in the name of a file.
func placeholderCalls(password, token string) map[string][]string {
	return map[string][]string{
		"request_code_context": {`{"hint":"who dials ` + password + `"}`, `{}`},
		"code_item_lookup":     {`{"name":"` + password + `"}`, `{"canon":"Window","file":"` + token + `.go"}`},
		"code_item_edges":      {`{"canon":"` + password + `"}`, `{"canon":"Window","file":"` + token + `.go"}`},
		"get_file_metadata":    {`{"file":"` + token + `.go"}`},
		"read_file":            {`{"file":"` + token + `.go"}`},
		"list_dir":             {`{"dir":"` + password + `"}`},
		"search_text":          {`{"pattern":"` + password + `"}`, `{"pattern":"Window","include":["` + token + `.go"]}`},
		"get_diagnostics":      {`{"file":"` + token + `.go"}`},
		"apply_code_edit":      {`{"edits":[{"mode":"replace","file":"zoo/cat.go","old":"use(cat)\n}","new":"dial(\"` + password + `\")\n}"}],"reason":"dial ` + password + `"}`},
		"create_file":          {`{"file":"new.go","content":"package zoo\n\nfunc New() {\n` + strings.Repeat(`\tuse(new)\n`, 12) + `\tdial(\"` + password + `\")\n}\n","reason":"dial ` + password + `"}`},
		"rename_file":          {`{"file":"zoo/dog.go","to":"zoo/` + token + `.go","reason":"` + password + `"}`},
		"delete_file":          {`{"file":"zoo/none.go","reason":"` + password + `"}`},
		"recall_tool_result":   {`{"call_id":"` + password + `"}`},
		"run_check":            {`{"name":"` + password + `"}`},
		"run_command":          {`{"command":["true"],"dir":"` + password + `","reason":"` + password + `"}`},
		"project_facts":        {`{"about":"lines","path":"` + token + `.go"}`, `{"about":"commits","words":["` + password + `"]}`},
	}
}

// asCalls returns the calls of tools with their names as ids, numbered.
func asCalls(t *testing.T, byTool map[string][]string) (all []llmtest.Call) {
	t.Helper()
	for _, tool := range tools.New(tools.Deps{}).All() {
		if len(byTool[tool.Name]) == 0 {
			t.Errorf("%s is not tested", tool.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byTool)) {
		for i, arguments := range byTool[name] {
			all = append(all, llmtest.Call{ID: fmt.Sprint(name, i), Name: name, Arguments: arguments})
		}
	}
	return all
}

// TestNoToolSendsASecretOfAPlaceholderToTheEmbeddingModel has a model call every tool with
// placeholders. The tools that need the secrets get them, and what they have written is embedded
// without them, also by the next server.
func TestNoToolSendsASecretOfAPlaceholderToTheEmbeddingModel(t *testing.T) {
	t.Parallel()
	f := newZoo(t)
	long := strings.Repeat("\tuse(window)\n", 12)
	f.write("zoo/vault.go", "package zoo\n\nfunc Vault() {\n"+long+"\tpassword := \""+vaultPassword+"\"\n}\n")
	f.write(tokenInName+".go", "package zoo\n\nfunc Window() {\n"+long+"}\n")
	script := []llmtest.Turn{
		{Calls: []llmtest.Call{{ID: "a", Name: "read_file", Arguments: `{"file":"zoo/vault.go"}`}, {ID: "b", Name: "list_dir", Arguments: `{}`}}},
		{Text: []string{"read"}}, {}, {Text: []string{"called"}}, {Text: []string{"dialed"}},
	}
	server := f.useEmbeddings("m", "")
	configured := f.Config
	f.useModel(script...)
	models := f.Config
	f.Config = append(models, configured...)
	e := f.startIndexed()
	awaitVectors(e, ploke.EmbeddingReady)
	id := e.Ask("read the vault").ConversationID
	placeholder := func(text string) string {
		hidden, _ := redact.New(id).Hide("password = \"" + text + "\"")
		return strings.TrimSuffix(strings.TrimPrefix(hidden, "password = \""), "\"")
	}
	script[2].Calls = asCalls(t, placeholderCalls(placeholder(vaultPassword), placeholder(tokenInName)))
	send := func(text string) *ploke.ChatSendResult {
		return e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: text})
	}
	result := send("who dials " + vaultPassword + "?")
	checkCalls(t, e, id)
	for _, proposal := range result.Proposals {
		var decision ploke.ProposalDecision
		e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: proposal}, &decision)
		if decision.Status != "verified" {
			t.Fatalf("the proposal is not applied: %+v", decision)
		}
	}
	for _, name := range []string{"new.go", "zoo/cat.go"} {
		e.Save(f.path(name))
		e.CloseDocument(f.path(name))
	}
	e.DiskChanged(f.path("new.go"), f.path("zoo/cat.go"), f.path("zoo/dog.go"), f.path("zoo/"+tokenInName+".go"))
	e.Await("the written function", func() bool { return strings.Contains(strings.Join(server.Texts(), ""), "use(new)") })
	send("does " + vaultPassword + " work?")
	e.Shutdown()
	for name, want := range map[string]string{"new.go": vaultPassword, "zoo/cat.go": vaultPassword, "zoo/" + tokenInName + ".go": "Dog"} {
		if !strings.Contains(read(t, f.path(name)), want) {
			t.Errorf("%s is written without %s", name, want)
		}
	}
	f.configureEmbeddings(server, "better", "")
	f.Config = append(models, f.Config...)
	e = f.start(lsptest.Options{})
	e.AwaitIndex()
	awaitVectors(e, ploke.EmbeddingReady)
	sent := strings.Join(server.Texts(), "\n")
	for _, secret := range []string{vaultPassword, tokenInName} {
		if i := strings.Index(sent, secret); i >= 0 {
			t.Errorf("%s was sent: …%s…", secret, sent[max(0, i-100):min(len(sent), i+100)])
		}
	}
	if strings.Count(sent, "dial(\"PLOKE_SECRET_") != 4 {
		t.Errorf("the written functions are not sent twice: %s", sent)
	}
}

// checkCalls checks that the calls that name a file or search for a password have found it.
func checkCalls(t *testing.T, e *lsptest.Editor, id string) {
	t.Helper()
	for call, want := range map[string]string{
		"code_item_lookup1": `"ok":true`, "code_item_edges1": `"ok":true`, "get_file_metadata0": `"canon":"Window"`, "read_file0": "use(window)",
		"search_text0": "zoo/vault.go", "search_text1": "func Window", "get_diagnostics0": `"ok":true`, "apply_code_edit0": `"ok":true`,
		"create_file0": `"ok":true`, "rename_file0": `"ok":true`, "request_code_context0": `"query":"who dials PLOKE_SECRET_`,
	} {
		var page ploke.ToolResult
		e.Call(ploke.MethodToolResult, ploke.ToolResultParams{ConversationID: id, CallID: call}, &page)
		if !strings.Contains(page.Text, want) {
			said, _ := json.Marshal(page)
			t.Errorf("%s: %.600s; want %s", call, said, want)
		}
	}
}
