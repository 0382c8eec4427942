package session

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// keyLines returns random lines of a key: n of them, the last one short.
func keyLines(n, columns int) []string {
	random := rand.New(rand.NewPCG(uint64(n), uint64(columns)))
	lines := make([]string, n)
	for i := range lines {
		line := make([]byte, columns)
		for j := range line {
			line[j] = base64Alphabet[random.IntN(len(base64Alphabet))]
		}
		lines[i] = string(line)
	}
	lines[n-1] = lines[n-1][:18] + "=="
	return lines
}

// pem returns the lines of a private key between its marks.
func pem(kind string, lines []string) string {
	mark := func(what string) string { return "-----" + what + " " + kind + "PRIVATE " + "KEY-----\n" }
	return mark("BEGIN") + strings.Join(lines, "\n") + "\n" + mark("END")
}

// onSecrets runs scripted models with the real tools on files, the last of which is
// only in the editor.
func onSecrets(t *testing.T, files map[string]string, script ...llmtest.Turn) (*harness, *workspace.Workspace) {
	t.Helper()
	space, x := openFiles(t, files)
	h := start(t, nil, func(o *Options) {
		o.Workspace.Roots, o.Permissions = space.Roots, false
		o.Tools = tools.New(tools.Deps{Workspace: space, Index: x, Edits: edits.New(o.DB, space, edits.Options{}),
			Diagnostics: func(_ context.Context, path string) (all tools.Diagnostics, err error) {
				file, err := space.Read(t.Context(), path)
				if err != nil {
					return all, err
				}
				for at, line := 0, 1; at < len(file.Text); line++ {
					end := at + strings.IndexByte(string(file.Text[at:]), '\n')
					said := "unexpected " + strings.TrimSpace(string(file.Text[at:end]))
					all.List = append(all.List,
						tools.Diagnostic{Path: path, Hash: file.Hash, StartLine: line, EndLine: line, StartByte: at, EndByte: end, Message: said})
					at = end + 1
				}
				return all, nil
			}})
	}, script...)
	return h, space
}

// leaked returns the secrets that a text shows a part of.
func leaked(text string, secrets []string) (shown []string) {
	const part = 8
	for _, secret := range secrets {
		for at := 0; at+part <= len(secret); at++ {
			if strings.Contains(text, secret[at:at+part]) {
				shown = append(shown, secret)
				break
			}
		}
	}
	return shown
}

// TestNoToolShowsAPartOfAKey has a model ask each tool for pieces of files with keys of
// many lines: without the first line of the key, line by line, and cut within a line.
func TestNoToolShowsAPartOfAKey(t *testing.T) {
	ssh, rsa, putty, unsaved, literal := keyLines(25, 70), keyLines(25, 64), keyLines(14, 64), keyLines(25, 64), keyLines(12, 64)
	long := strings.Join(keyLines(20, 60)[:19], "")
	indented := "    " + strings.Join(rsa, "\n    ")
	inName := "ghp_" + strings.Repeat("q8Zr0xT4mB", 4)[:36]
	files := map[string]string{
		"deploy.txt": "the key of the deploy robot\n" + pem("OPENSSH ", ssh),
		"values.yaml": "tls:\n  deployRobot: |\n    -----BEGIN " + "PRIVATE KEY-----\n" + indented + "\n    -----END " +
			"PRIVATE KEY-----\nport: 80\n",
		"session.ini": "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 14\n" + strings.Join(putty, "\n") + "\nPrivate-MAC: " +
			strings.Repeat("0a1b", 16) + "\n",
		"robot.go": "package robot\n\n// DeployRobot has the key of the deploy robot.\nvar DeployRobot = \"-----BEGIN " + "PRIVATE KEY-----\\n" +
			strings.Join(literal, "\\n") + "\\n-----END " + "PRIVATE KEY-----\\n\"\n\n" +
			"func use() string { return DeployRobot }\n",
		"long.js": "// deploy robot\nexport const deployRobot = { note: '" + strings.Repeat("some words ", 30) + "', api_token: '" + long +
			"', more: '" + strings.Repeat("some words ", 40) + "' }\n",
		"buffer.md": "# Deploy robot\n",

		inName + ".md": "# Deploy robot's notes\n",
	}
	everyLine := `{"pattern":"[A-Za-z0-9+/=]{8}","limit":500}`
	script := []llmtest.Turn{calls(
		llmtest.Call{ID: "1", Name: "search_text", Arguments: everyLine},
		llmtest.Call{ID: "2", Name: "read_file", Arguments: `{"file":"deploy.txt","start_line":6}`},
		llmtest.Call{ID: "3", Name: "read_file", Arguments: `{"file":"values.yaml","start_line":8,"end_line":8}`},
		llmtest.Call{ID: "4", Name: "read_file", Arguments: `{"file":"session.ini","start_line":9}`},
		llmtest.Call{ID: "5", Name: "read_file", Arguments: `{"file":"buffer.md","start_line":7}`},
		llmtest.Call{ID: "6", Name: "request_code_context", Arguments: `{"hint":"deploy robot"}`},
		llmtest.Call{ID: "7", Name: "request_code_context", Arguments: `{"hint":"DeployRobot","token_budget":300}`},
		llmtest.Call{ID: "8", Name: "code_item_lookup", Arguments: `{"name":"DeployRobot"}`},
		llmtest.Call{ID: "9", Name: "code_item_edges", Arguments: `{"canon":"DeployRobot","direction":"occurrences"}`},
	), calls(
		llmtest.Call{ID: "10", Name: "search_text",
			Arguments: `{"pattern":"some words ', api_token: '` + long[:1] + `|` + long[300:310] + `|` + long[len(long)-9:] + `"}`},
		llmtest.Call{ID: "11", Name: "get_diagnostics", Arguments: `{"file":"deploy.txt"}`},
		llmtest.Call{ID: "12", Name: "get_diagnostics", Arguments: `{"file":"values.yaml"}`},
		llmtest.Call{ID: "13", Name: "get_file_metadata", Arguments: `{"file":"robot.go"}`},
		llmtest.Call{ID: "14", Name: "list_dir", Arguments: `{}`},
		llmtest.Call{ID: "15", Name: "recall_tool_result", Arguments: `{"call_id":"2"}`},
		llmtest.Call{ID: "16", Name: "rename_file", Arguments: `{"file":"deploy.txt","to":"robot.txt"}`},
	), calls(
		llmtest.Call{ID: "17", Name: "read_file", Arguments: `{"file":"robot.txt","start_line":20}`},
		llmtest.Call{ID: "18", Name: "recall_tool_result", Arguments: `{"call_id":"17"}`},
	), says("done"), says("done again")}
	h, space := onSecrets(t, files, script...)
	space.SetBuffer(space.Roots()[0]+"/buffer.md", 2, []byte("# Deploy robot\n\n"+pem("EC ", unsaved)))
	turn, _ := h.ask(t, Prompt{Text: "look around"})
	for _, m := range h.history(t, turn.ConversationID) {
		for _, c := range m.Calls {
			if c.Code != "" {
				t.Errorf("%s: %s %s", c.Tool, c.Code, c.Error)
			}
		}
	}
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "was the last line " + ssh[7] + "?"})
	requests := h.server.Requests()
	secrets := slices.Concat(ssh, rsa, putty, unsaved, literal, []string{long, inName})
	for i, r := range requests {
		for _, m := range r.Messages {
			if m.Role == "assistant" {
				continue // the script's own words
			}
			if shown := leaked(string(m.Raw), secrets); len(shown) > 0 {
				t.Errorf("request %d shows %d secrets, such as %s:\n%.3000s", i+1, len(shown), shown[0], m.Raw)
			}
		}
	}
	last := string(requests[len(requests)-1].Body)
	if n := len(placeholder.FindAllString(last, -1)); n < 100 {
		t.Errorf("%d placeholders", n)
	}
	checkPrefixes(t, requests)
}

// TestSecretsOfFilesStayHiddenAfterTheFileHasChanged has a later turn replay a result whose
// file is gone, in another process.
func TestSecretsOfFilesStayHiddenAfterTheFileHasChanged(t *testing.T) {
	lines := keyLines(25, 70)
	script := []llmtest.Turn{calls(llmtest.Call{ID: "1", Name: "read_file", Arguments: `{"file":"key.txt","start_line":6}`}), says("done"),
		says("hello")}
	h, space := onSecrets(t, map[string]string{"key.txt": pem("OPENSSH ", lines)}, script...)
	turn, _ := h.ask(t, Prompt{Text: "look"})
	if err := os.Remove(space.Roots()[0] + "/key.txt"); err != nil {
		t.Fatal(err)
	}
	h.kept.messages.Entries, h.kept.hidden.entries = nil, nil // as in a new process
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "again"})
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	for i, r := range requests {
		if shown := leaked(string(r.Body), lines); len(shown) > 0 {
			t.Errorf("request %d shows %d lines", i+1, len(shown))
		}
	}
}

// TestSecretsOfAttachmentsAreHidden sends code that was found for a message, and a
// selection within a key.
func TestSecretsOfAttachmentsAreHidden(t *testing.T) {
	lines := keyLines(25, 70)
	found := records.FoundCode{Text: wording.Snippet("/w/key.txt", 3, strings.Join(lines[1:4], "\n")), Secrets: lines[1:4]}
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		o.Workspace.Context = func(context.Context, tools.Question, tools.Call, int) (records.FoundCode, error) { return found, nil }
	}, says("one"), says("two"))
	turn, _ := h.ask(t, Prompt{Text: "what is this?", Attachments: []records.Attachment{
		{Path: "/w/key.txt", StartLine: 6, EndLine: 6, Text: lines[5] + "\n", Secrets: lines[5:6]}}})
	h.kept.messages.Entries, h.kept.hidden.entries = nil, nil
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and " + lines[5] + "?"})
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	for i, r := range requests {
		if shown := leaked(string(r.Body), lines); len(shown) > 0 {
			t.Errorf("request %d shows %d lines: %s", i+1, len(shown), r.Body)
		}
	}
	if n := fmt.Sprint(h.history(t, turn.ConversationID)[0].Attachments[0].Secrets); !strings.Contains(n, lines[5]) {
		t.Errorf("stored are the secrets %s", n)
	}
}

// TestAShortSecretIsHiddenInItsMessageAlone attaches a key whose last line is a word, too, and then uses the word.
func TestAShortSecretIsHiddenInItsMessageAlone(t *testing.T) {
	const word, used = "garden", "we sit in the garden"
	h := start(t, tools.NewSet(echo("echo")), nil, says("one"), says("two"))
	turn, _ := h.ask(t, Prompt{Text: "what is this?", Attachments: []records.Attachment{
		{Path: "/w/key.txt", StartLine: 6, EndLine: 6, Text: word + "\n", Secrets: []string{word}}}})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: used})
	requests := h.server.Requests()
	for i, want := range []int{0, 1} {
		if body := string(requests[i].Body); strings.Count(body, word) != want || strings.Count(body, used) != want {
			t.Errorf("request %d should have the word %d times: %s", i+1, want, body)
		}
	}
}
