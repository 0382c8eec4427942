package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAskFailsIfItsAnswerIsNotStored removes the state folder while the model answers.
func TestAskFailsIfItsAnswerIsNotStored(t *testing.T) {
	for _, flags := range [][]string{nil, {"--json"}} {
		gate := llmtest.NewGate()
		model := llmtest.NewServer(t, llmtest.Turn{Text: []string{"the answer"}, Hold: gate})
		variables := map[string]string{"PLOKE_BASE_URL": model.URL, "PLOKE_API_KEY": "none", "PLOKE_MODEL": "m"}
		state, root := t.TempDir(), manyFiles(t, 1)
		var out, errors bytes.Buffer
		ended := make(chan int)
		go func() {
			args := append([]string{"ask", "--state-dir", state, "--workspace", root}, flags...)
			ended <- run(t.Context(), append(args, "x"), environment{stdin: io.NopCloser(strings.NewReader("")), stdout: &out, stderr: &errors,
				getenv: func(name string) string { return variables[name] }})
		}()
		<-gate.Reached()
		if err := os.RemoveAll(state); err != nil {
			t.Fatal(err)
		}
		gate.Open()
		if code := <-ended; code != 1 || !strings.Contains(errors.String(), "the state folder "+state) ||
			!strings.Contains(out.String(), "the answer") {
			t.Errorf("%v: exit status %d: %s%s", flags, code, out.String(), errors.String())
		}
		var result ploke.ChatSendResult
		if flags != nil && (json.Unmarshal(out.Bytes(), &result) != nil || result.StopReason != ploke.StopError) {
			t.Errorf("%v: %s", flags, out.String())
		}
	}
}

// TestAskExpandsASlashCommand has the command beside the file that --config names.
func TestAskExpandsASlashCommand(t *testing.T) {
	model := llmtest.NewServer(t, llmtest.Turn{Text: []string{"fine"}})
	config := t.TempDir()
	if err := os.Mkdir(filepath.Join(config, "commands"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "commands", "review.md"), []byte("Review $1 as a pedant."), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("model = 'scripted/m'\n[providers.scripted]\ntype = 'openai'\nbaseUrl = %q\n", model.URL)
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	state, root := t.TempDir(), manyFiles(t, 1)
	ask := func(question string) (code int, errors string) {
		var out, problems bytes.Buffer
		code = run(t.Context(), []string{"ask", "--state-dir", state, "--workspace", root, "--config", filepath.Join(config, "config.toml"), question},
			environment{stdin: io.NopCloser(strings.NewReader("")), stdout: &out, stderr: &problems, getenv: func(string) string { return "" }})
		return code, problems.String()
	}
	if code, problems := ask("/reviev a.go"); code != 1 || !strings.Contains(problems, "did you mean /review?") {
		t.Errorf("an unknown command: exit status %d: %s", code, problems)
	}
	if code, problems := ask("/review a.go"); code != 0 {
		t.Errorf("exit status %d: %s", code, problems)
	}
	last := model.Requests()[0].Last()
	if !strings.HasSuffix(last.Content, "Review a.go as a pedant.") {
		t.Errorf("the model got %q", last.Content)
	}
}

// TestALongCallSaysHowLongItTook rounds to a tenth of a second.
func TestALongCallSaysHowLongItTook(t *testing.T) {
	for ms, want := range map[int64]string{0: "", 999: "", 1000: " (1s)", 6149: " (6.1s)", 61000: " (1m1s)"} {
		var part ploke.Part
		part.DurationMS = ms
		if got := timeOf(part); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
		}
	}
}

// TestAskAttachesWhatItMentions asks about files, lines, symbols and folders, and looks at what the model gets. What is
// piped mentions nothing.
func TestAskAttachesWhatItMentions(t *testing.T) {
	t.Parallel()
	model := llmtest.NewServer(t, slices.Repeat([]llmtest.Turn{{Text: []string{"fine"}}}, 9)...)
	state, root := t.TempDir(), manyFiles(t, 3)
	check(t, os.Mkdir(filepath.Join(root, "sub"), 0o700))
	check(t, os.WriteFile(filepath.Join(root, "sub", "more.go"), []byte("package sub\n\nfunc File1() {}\n\nfunc More() {}\n"), 0o600))
	variables := map[string]string{"PLOKE_BASE_URL": model.URL, "PLOKE_API_KEY": "none", "PLOKE_MODEL": "m"}
	for _, c := range []struct {
		question, piped string
		has, lacks      string // what the model gets
		told            string // on standard error
	}{
		{"what is @file2.go", "", "func File2(", "func File1(", ""},
		{"@file2.go#L3-L4 what is this", "", "func File2(", "package p", ""},
		{"why #File2?", "", "func File2(", "package p", ""},
		{"what is in @sub", "", "<code=\"sub\" #1:1>\n  1  more.go: File1, More", "func File2(", ""},
		{"compare", "@file2.go\n", "@file2.go", "<code=", ""},
		{"-", "look at @file2.go\n", "func File2(", "piped", ""},
		{"@none.go #None", "", "@none.go #None", "func",
			"ploke-lsp: sent as mere text: @none.go (no file or folder has this name), #None (no symbol has this name)\n"},
		{"#File1", "", "#File1", "File2", "ploke-lsp: sent as mere text: #File1 (2 symbols have this name, such as File1 in file1.go)\n"},
		{"mail me@file2.go", "", "me@file2.go", "<code=", ""},
	} {
		before := len(model.Requests())
		var out, problems bytes.Buffer
		code := run(t.Context(), []string{"ask", "--state-dir", state, "--workspace", root, c.question}, environment{stdin: io.NopCloser(strings.NewReader(c.piped)),
			stdout: &out, stderr: &problems, getenv: func(name string) string { return variables[name] }})
		if code != 0 || problems.String() != c.told {
			t.Errorf("%s: exit status %d: %q", c.question, code, problems.String())
			continue
		}
		if got := model.Requests()[before].Last().Content; !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
			t.Errorf("%s: the model got %q", c.question, got)
		}
	}
}
