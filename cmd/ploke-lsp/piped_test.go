package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// TestAskReadsAPipe asks with various standard inputs, and looks at what the model gets.
func TestAskReadsAPipe(t *testing.T) {
	t.Parallel()
	const key = "AKIA3XQ7WJ5TZKBN2YHD"
	model := llmtest.NewServer(t, slices.Repeat([]llmtest.Turn{{Text: []string{"fine"}}}, 10)...)
	state, root := t.TempDir(), manyFiles(t, 1)
	config := filepath.Join(t.TempDir(), "config.toml")
	commands := filepath.Join(filepath.Dir(config), "commands")
	check(t, os.Mkdir(commands, 0o700))
	check(t, os.WriteFile(filepath.Join(commands, "review.md"), []byte("Review $1 as a pedant."), 0o600))
	settings := "model = 'scripted/m'\n[providers.scripted]\ntype = 'openai'\nbaseUrl = '" + model.URL + "'\n"
	check(t, os.WriteFile(config, []byte(settings), 0o600))
	for name, c := range map[string]struct {
		args        []string
		input       string
		got, failed string // the end of what the model gets, or what standard error says
	}{
		"a pipe":          {[]string{"review this"}, "-a\n+b\n", "review this\n\nThis was piped into the command that asks:\n\n```\n-a\n+b\n```", ""},
		"fences":          {[]string{"why"}, "```\n", "````\n```\n````", ""},
		"no end of line":  {[]string{"why"}, "x", "```\nx\n```", ""},
		"a secret":        {[]string{"why"}, "key = " + key + "\n", "```\nkey = ", ""},
		"an empty pipe":   {[]string{"hello there"}, "", "hello there", ""},
		"blank lines":     {[]string{"hello there"}, "\n \n", "hello there", ""},
		"no argument":     {nil, "what is this\n", "what is this", ""},
		"a dash":          {[]string{"-"}, "what is\nthis\n", "what is\nthis", ""},
		"a command":       {[]string{"/review a.go"}, "+b\n", "Review a.go as a pedant.\n\nThis was piped into the command that asks:\n\n```\n+b\n```", ""},
		"nothing to ask":  {nil, "", "", "usage: ploke-lsp ask"},
		"an empty dash":   {[]string{"-"}, " \n", "", "usage: ploke-lsp ask"},
		"binary":          {[]string{"why"}, "\x7fELF\x00\x01", "", "standard input is binary"},
		"too much":        {[]string{"why"}, strings.Repeat("yes\n", maxPipedBytes/4+1), "", "more than 256 KB"},
		"other encodings": {[]string{"why"}, "caf\xe9\n", "```\ncaf\uFFFD\n```", ""},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(model.Requests())
			cmd := program(t, append([]string{"ask", "--state-dir", state, "--workspace", root, "--config", config}, c.args...)...)
			cmd.Stdin = strings.NewReader(c.input)
			out, err := cmd.CombinedOutput()
			if c.failed != "" {
				if err == nil || !strings.Contains(string(out), c.failed) || len(model.Requests()) != before {
					t.Errorf("%v: %s", err, out)
				}
				return
			}
			check(t, err)
			got := model.Requests()[before].Last().Content
			if !strings.Contains(got, c.got) || strings.Contains(got, key) || name != "a secret" && !strings.HasSuffix(got, c.got) {
				t.Errorf("the model got %q, want %q", got, c.got)
			}
		})
	}
}

// TestAskSaysThatItWaitsForAPipe has a pipe that no process writes to or closes.
func TestAskSaysThatItWaitsForAPipe(t *testing.T) {
	t.Parallel()
	cmd := program(t, "ask", "--state-dir", t.TempDir(), "--workspace", manyFiles(t, 1), "hello")
	in, err := cmd.StdinPipe()
	check(t, err)
	problems, err := cmd.StderrPipe()
	check(t, err)
	var out bytes.Buffer
	cmd.Stdout = &out
	check(t, cmd.Start())
	line, err := bufio.NewReader(problems).ReadString('\n')
	if err != nil || !strings.Contains(line, "waiting for the end of standard input") {
		t.Errorf("%v: %q", err, line)
	}
	check(t, in.Close())
	if err := cmd.Wait(); err != nil || !strings.HasPrefix(out.String(), "Hello.") {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestAskIgnoresWhatIsNoPipe asks with the null device, and with a closed standard input.
func TestAskIgnoresWhatIsNoPipe(t *testing.T) {
	t.Parallel()
	shell := testbed.Program(t, "sh")
	for _, input := range []string{"</dev/null", "<&-"} {
		cmd := exec.Command(shell, "-c", named(t, "ploke-lsp")+" ask --state-dir "+t.TempDir()+" --workspace "+manyFiles(t, 1)+" hello "+input)
		cmd.Env = ofTerminal(t)
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.HasPrefix(out, []byte("Hello.")) {
			t.Errorf("%s: %v: %s", input, err, out)
		}
	}
}
