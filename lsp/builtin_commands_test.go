package lsp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// commitAll makes the fixture's folder a repository with one commit of all files.
func (f *fixture) commitAll(subject string) {
	f.t.Helper()
	f.git("init", "--quiet", "--initial-branch=main")
	f.git("add", "--all")
	f.git("commit", "--quiet", "-m", subject)
}

// startCommands starts a server with a model that answers so many messages.
func (f *fixture) startCommands(t *testing.T, messages int) (send func(text string, attached ...ploke.Attachment) string) {
	t.Helper()
	var script []llmtest.Turn
	for range messages {
		script = append(script, answers("fine"))
	}
	model := f.useModel(script...)
	f.useCommands(nil)
	e := f.startIndexed()
	return func(text string, attached ...ploke.Attachment) string {
		sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: text, Attachments: attached})
		requests := model.Requests()
		return lastOf(requests[len(requests)-1])
	}
}

// checkParts checks which texts are a part of another.
func checkParts(t *testing.T, what, text string, has, lacks []string) {
	t.Helper()
	for _, part := range has {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
	for _, part := range lacks {
		if strings.Contains(text, part) {
			t.Errorf("%s has %q:\n%s", what, part, text)
		}
	}
}

// TestBuiltinCommands sends those that need nothing but their words.
func TestBuiltinCommands(t *testing.T) {
	f := newFixture(t)
	send := f.startCommands(t, 5)
	for text, want := range map[string][]string{
		"/explain Area":            {"Explain Area"},
		"/fix the area is wrong":   {"Fix what is wrong.", "\n\nthe area is wrong"},
		"/tests Area":              {"Write tests.", "\n\nArea"},
		"/docs shapes/circle.go":   {"Write the doc comments", "\n\nshapes/circle.go"},
		"/review shapes/circle.go": {"Review the code.", "\n\nshapes/circle.go"},
	} {
		checkParts(t, text, send(text), want, []string{"The changes since"})
	}
}

// TestReviewSendsWhatIsNotCommitted changes, creates, deletes and stages files.
func TestReviewSendsWhatIsNotCommitted(t *testing.T) {
	f := newFixture(t)
	f.write("gone.go", "package gone\n")
	f.write("crlf.go", "package crlf\n")
	f.write("config.go", "package config\n")
	f.commitAll("Draw shapes")
	circle, err := os.ReadFile(f.path("shapes/circle.go"))
	if err != nil {
		t.Fatal(err)
	}
	f.write("shapes/circle.go", string(circle)+"\nconst Sides = 0\n")
	f.git("add", "shapes/circle.go")
	f.write("new/file.go", "package new // é ```\n")
	f.write("crlf.go", "package crlf\r\n")
	f.write("config.go", "package config\n\nconst key = \"AKIA"+strings.Repeat("QZ7X", 4)+"\"\n")
	f.write(".env", "TOKEN=1\n")
	f.write("image.png", "\x89PNG\x00\x00")
	f.remove("gone.go")
	send := f.startCommands(t, 3)
	got := send("/review")
	checkParts(t, "the review", got, []string{"Review the code.", "\n````diff\n", "+++ b/shapes/circle.go\n", "+const Sides = 0\n",
		"--- /dev/null\n+++ b/new/file.go\n", "+package new // é", "--- a/gone.go\n+++ /dev/null\n", "- config.go: it holds secrets", "- image.png: ", "- .env: "},
		[]string{"QZ7X", "TOKEN=1", "crlf", "\ufffd"})
	got = send("/review", ploke.Attachment{URI: uri.File(f.path("shapes/rect.go"))})
	checkParts(t, "the review of a file", got, []string{"Review the code."}, []string{"Sides"})
	got = send("/review\n\nThis was piped:\n\nconst Piped = 1")
	checkParts(t, "the review of what was piped", got, []string{"Review the code.", "Piped"}, []string{"Sides"})
}

// TestReviewSendsWhatIsNotSaved types into a file that is as it was committed, and opens one that is on no disk.
func TestReviewSendsWhatIsNotSaved(t *testing.T) {
	f := newFixture(t)
	f.write("saved.go", "package saved\n")
	f.commitAll("Draw shapes")
	model := f.useModel(answers("fine"), answers("fine"))
	e := f.startIndexed()
	e.Open(f.path("shapes/circle.go"))
	e.Change(f.path("shapes/circle.go"), func(text string) (start, end int, replacement string) {
		start = strings.Index(text, "Radius float64")
		return start, start + len("Radius float64"), "Radius float32"
	})
	e.OpenText(f.path("typed.go"), "package typed\n")
	e.Open(f.path("saved.go"))
	for i, message := range []string{"/review", "is this right? @diff"} {
		sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: message})
		checkParts(t, message, lastOf(model.Requests()[i]), []string{"-\tRadius float64", "+\tRadius float32",
			"--- /dev/null\n+++ b/typed.go\n", "+package typed"}, []string{"saved.go"})
	}
}

// TestCommitSendsWhatIsStaged stages one of two changed files, and then none.
func TestCommitSendsWhatIsStaged(t *testing.T) {
	f := newFixture(t)
	f.commitAll("shapes: draw them")
	f.write("one.go", "package one\n")
	f.git("add", "one.go")
	f.write("one.go", "package changed\n")
	f.write("two.go", "package two\n")
	send := f.startCommands(t, 2)
	got := send("/commit ticket 12")
	checkParts(t, "the message", got, []string{"\n\nticket 12", "+package one\n", "- shapes: draw them"}, []string{"package two", "package changed"})
	f.git("reset", "--quiet")
	got = send("/commit")
	checkParts(t, "the message for all", got, []string{"+package changed\n", "+package two\n"}, nil)
}

// TestChangesAreBounded sends the files that fit and names the others.
func TestChangesAreBounded(t *testing.T) {
	f := newFixture(t)
	f.commitAll("Draw shapes")
	for i := range 9 {
		line := fmt.Sprintf("// consider file %d carefully whatever happens\n", i)
		f.write(fmt.Sprintf("large%d.go", i), "package large\n"+strings.Repeat(line, 200))
	}
	f.write("small.go", "package small\n")
	got := f.startCommands(t, 1)("/review")
	checkParts(t, "the review", got, []string{"file 0", "+package small\n", "- large8.go: the changes are too large"}, []string{"file 8"})
}

// TestCommandsWithoutChangesAreRefused has no repository, no commit, and nothing changed.
func TestCommandsWithoutChangesAreRefused(t *testing.T) {
	f := newFixture(t)
	model := f.useModel(answers("fine"))
	e := f.startIndexed()
	refused := func(text, want string) {
		t.Helper()
		err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: text})
		if !strings.Contains(err.Message, want) {
			t.Errorf("%s: %s", text, err.Message)
		}
	}
	refused("/review", "/review: the folder is not in a git repository")
	f.git("init", "--quiet", "--initial-branch=main")
	sendDone(t, e, ploke.ChatSendParams{Text: "/review"})
	checkParts(t, "the review before the first commit", lastOf(model.Requests()[0]), []string{"+++ b/shapes/circle.go"}, nil)
	f.commitAll("Draw shapes")
	refused("/commit", "/commit: nothing has changed since the last commit")
}

// TestAFileOfTheUsersCountsInsteadOfABuiltinCommand also has one that can't be used.
func TestAFileOfTheUsersCountsInsteadOfABuiltinCommand(t *testing.T) {
	f := newFixture(t)
	model := f.useModel(answers("fine"))
	f.useCommands(map[string]string{"review.md": "Praise.", "fix.md": ""})
	e := f.startIndexed()
	sendDone(t, e, ploke.ChatSendParams{Text: "/review"})
	if got := lastOf(model.Requests()[0]); !strings.HasSuffix(got, "Praise.") {
		t.Errorf("the model gets %q", got)
	}
	err := e.Error(ploke.MethodChatSend, ploke.ChatSendParams{Text: "/fix it"})
	if !strings.Contains(err.Message, "the file has no text") {
		t.Errorf("a file that can't be used: %s", err.Message)
	}
	var list ploke.SlashCommandsResult
	e.Call(ploke.MethodSlashCommands, nil, &list)
	var names []string
	for _, c := range list.Commands {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "commit docs explain fix review tests" {
		t.Errorf("the commands are %s", got)
	}
}
