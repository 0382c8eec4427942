package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// useCommands gives the user files in the folder commands beside a settings file that may not exist.
func (f *fixture) useCommands(files map[string]string) (folder string) {
	f.t.Helper()
	dir := f.t.TempDir()
	f.Config = append(f.Config, config.OptionalFile(filepath.Join(dir, "config.toml")))
	folder = filepath.Join(dir, "commands")
	if err := os.Mkdir(folder, 0o700); err != nil {
		f.t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			f.t.Fatal(err)
		}
	}
	return folder
}

// lastOf returns the content of a request's last message.
func lastOf(r llmtest.Request) string {
	last := r.Last()
	return last.Content
}

// TestASlashCommandIsSentAsWhatItStandsFor changes the command's file after the first message.
func TestASlashCommandIsSentAsWhatItStandsFor(t *testing.T) {
	f := newFixture(t)
	model := f.useModel(answers("one"), answers("two"), answers("three"))
	folder := f.useCommands(map[string]string{"review.md": "---\ndescription: Reviews a file\nargument-hint: [FILE]\n---\nReview $1 as a pedant.\n"})
	var conversation string
	t.Run("first", func(t *testing.T) {
		f.t = t
		e := f.startIndexed()
		answer := sendDone(t, e, ploke.ChatSendParams{Text: "/review src/a.go"})
		conversation = answer.ConversationID
		if err := os.WriteFile(filepath.Join(folder, "review.md"), []byte("Praise $1.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := history(e, conversation)[0]; got != "user: /review src/a.go (completed)" {
			t.Errorf("the message is shown as %q", got)
		}
	})
	f.t = t
	e := f.startIndexed()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, Text: "/review b.go"})
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, Text: " /review as it is"})
	requests := model.Requests()
	checkGrowing(t, requests)
	for i, want := range []string{"Review src/a.go as a pedant.", "Praise b.go.", " /review as it is"} {
		if got := lastOf(requests[i]); !strings.HasSuffix(got, want) || strings.Contains(got, "description") {
			t.Errorf("message %d is sent as %q, want %q", i+1, got, want)
		}
	}
	if got := history(e, conversation)[2]; got != "user: /review b.go (completed)" {
		t.Errorf("the second message is shown as %q", got)
	}
}

// TestAnUnknownSlashCommandIsRefusedBeforeAnythingIsSent also sends what only looks like a command.
func TestAnUnknownSlashCommandIsRefusedBeforeAnythingIsSent(t *testing.T) {
	paths := []string{"/etc/hosts is wrong", "/tmp is full", "/regex/ does not match", "// a comment", "/ alone", "/a.go:12 fails", "/* x */"}
	f := newFixture(t)
	var script []llmtest.Turn
	for range paths {
		script = append(script, answers("fine"))
	}
	model := f.useModel(script...)
	f.useCommands(map[string]string{"review.md": "Review.", "explain-all.md": "Explain."})
	e := f.startIndexed()
	for text, want := range map[string]string{"/reveiw a.go": "did you mean /review?", "/rev": "/review", "/wholly-other": "your commands are the files *.md in "} {
		err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: text})
		if !strings.Contains(err.Message, want) || !strings.Contains(err.Message, "begin it with a space") {
			t.Errorf("%s: %s", text, err.Message)
		}
	}
	var list ploke.ChatListResult
	if e.Call(ploke.MethodChatList, nil, &list); len(list.Conversations) != 0 {
		t.Errorf("a refused message left %d conversations", len(list.Conversations))
	}
	for _, text := range paths {
		sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: text})
		requests := model.Requests()
		if got := lastOf(requests[len(requests)-1]); !strings.HasSuffix(got, text) {
			t.Errorf("%q is sent as %q", text, got)
		}
	}
}

// TestSlashCommandsAreListed has files that are no commands, too.
func TestSlashCommandsAreListed(t *testing.T) {
	f := newFixture(t)
	folder := f.useCommands(map[string]string{
		"review.md": "---\ndescription: \"Reviews: a file\"\nargument-hint: [FILE]\nmodel: ignored\n---\nReview $1.", "plain.md": "\uFEFFPlain.\r\n", "open.md": "---\nno end of it\n",
		"huge.md": strings.Repeat("x", 65<<10), "latin.md": "gr\xfc\xdfe", "binary.md": "a\x00b", "empty.md": "---\ndescription: x\n---\n \n", "a b.md": "x", "notes.txt": "x",
	})
	if err := os.Mkdir(filepath.Join(folder, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(folder, "gone"), filepath.Join(folder, "dangling.md")); err != nil {
		t.Fatal(err)
	}
	f.write("commands/evil.md", "From the workspace.")
	e := f.start(lsptest.Options{})
	var got ploke.SlashCommandsResult
	e.Call(ploke.MethodSlashCommands, nil, &got)
	want := []ploke.SlashCommand{{Name: "open"}, {Name: "plain"}, {Name: "review", Description: "Reviews: a file", ArgumentHint: "[FILE]"}}
	builtIn := []string{"commit", "docs", "explain", "fix", "tests"}
	own := slices.DeleteFunc(got.Commands, func(c ploke.SlashCommand) bool { return slices.Contains(builtIn, c.Name) })
	if d := cmp.Diff(want, own); d != "" || got.Folder != folder {
		t.Errorf("the commands in %s: %s", got.Folder, d)
	}
	var problems []string
	for _, p := range got.Problems {
		problems = append(problems, filepath.Base(p.Path)+": "+p.Error)
	}
	for i, want := range []string{"a b.md: the name", "binary.md: the file is not text", "dangling.md: ", "empty.md: the file has no text", "folder.md: this is not a regular file", "huge.md: the file is larger than 64 KB", "latin.md: the file is not text"} {
		if i >= len(problems) || !strings.HasPrefix(problems[i], want) {
			t.Errorf("problem %d of %q is not %q", i+1, problems, want)
		}
	}
	if err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "/huge"}); !strings.Contains(err.Message, "larger than 64 KB") {
		t.Errorf("a command that is too large: %s", err.Message)
	}
	if err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "/evil"}); !strings.Contains(err.Message, "no command") {
		t.Errorf("a command of the workspace: %s", err.Message)
	}
}

// TestManySlashCommandsAreBounded has more files than are read, in a folder that a link names.
func TestManySlashCommandsAreBounded(t *testing.T) {
	f := newFixture(t)
	files := map[string]string{}
	for i := range 600 {
		files[fmt.Sprintf("c%04d.md", i)] = "Do it."
	}
	folder := f.useCommands(files)
	if err := os.Rename(folder, folder+"-elsewhere"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(folder+"-elsewhere", folder); err != nil {
		t.Fatal(err)
	}
	var got ploke.SlashCommandsResult
	f.start(lsptest.Options{}).Call(ploke.MethodSlashCommands, nil, &got)
	if len(got.Commands) != 500+6 || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Error, "only the first 500") {
		t.Errorf("%d commands, %v", len(got.Commands), got.Problems)
	}
}
