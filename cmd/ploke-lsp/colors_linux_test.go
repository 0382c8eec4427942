package main

import (
	"io"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ploke-lsp/session/llm/llmtest"
)

// onTerminal starts the program on a terminal of so many columns, with further variables of the environment.
func onTerminal(t *testing.T, columns int, variables []string, args ...string) *guided {
	t.Helper()
	master, terminal := terminals(t)
	check(t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}))
	g := &guided{Cmd: program(t, args...), t: t, terminal: master}
	g.Stdin, g.Stdout, g.Stderr = terminal, terminal, terminal
	g.Env = append(g.Env, "TERM=xterm-256color")
	g.Env = append(g.Env, variables...)
	check(t, g.Start())
	terminal.Close()
	g.endAfter(20 * time.Second)
	return g
}

// rest returns what the terminal shows until the program ends.
func (g *guided) rest() string {
	g.t.Helper()
	buffer := make([]byte, 4096)
	for {
		n, err := g.terminal.Read(buffer)
		g.shown.Write(buffer[:n])
		if err != nil { // as terminals end
			break
		}
	}
	g.Wait()
	return strings.ReplaceAll(g.shown.String(), "\r\n", "\n")
}

var (
	sequences = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b]8;;[\x21-\x7e]*\x1b\\\\")
	erasing   = regexp.MustCompile("\r\x1b\\[K(?:(?:indexing|thinking): [^\r\n\x1b]*)?")
)

// useTurns has the programs that a test starts use a scripted model.
func useTurns(t *testing.T, turns ...llmtest.Turn) {
	t.Helper()
	server := httptest.NewServer(llmtest.ChatOnly(llmtest.NewScript(turns...).ServeHTTP))
	t.Cleanup(server.Close)
	useModel(t, server.URL+"/v1")
}

const richAnswer = "# Answer\n\nSee **File0** in `file0.go`, [the\x1b]0;owned\x07 site](https://example.com/\x1b[2J) and \x1b[31mred\u202e.\n\n" +
	"- one item that is longer than forty columns wide\n\n```diff\n-a\n+b\n```\n"

// TestAnAnswerOnATerminalIsRendered has 40 columns, and a model that writes sequences of a terminal.
func TestAnAnswerOnATerminalIsRendered(t *testing.T) {
	useTurns(t, llmtest.Turn{Reasoning: []string{"Let me see.\nI wonder ", "\x1b[2Jwhether 日本"}, Text: strings.SplitAfter(richAnswer, " ")})
	shown := onTerminal(t, 40, nil, "ask", "--workspace", manyFiles(t, 1), "--state-dir", t.TempDir(), "what is File0").rest()
	for _, want := range []string{
		"\r\x1b[Kthinking: I wonder", `\x1b[2Jwhether`, "\x1b[2m· thought briefly\x1b[0m\n", "\x1b[1;34mAnswer\x1b[0m\n", "\x1b[1mFile0\x1b[0m",
		"\x1b[36mfile0.go\x1b[0m", "\x1b]8;;https://example.com/%1B[2J\x1b\\", `\x1b[31mred\u202e.`, "\x1b[36m• \x1b[0mone item that is longer than forty\n  columns wide\n",
		"  \x1b[31m-a\x1b[0m\n  \x1b[32m+b\x1b[0m\n",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the terminal does not show %q:\n%q", want, shown)
		}
	}
	plain := sequences.ReplaceAllString(erasing.ReplaceAllString(shown, ""), "")
	if at := strings.IndexAny(plain, "\x1b\x07\r"); at >= 0 || strings.Contains(plain, "\u202e") {
		t.Errorf("something drives the terminal: %q", plain)
	}
	for line := range strings.Lines(plain) {
		if len([]rune(line)) > 41 && !strings.Contains(line, `\x1b`) {
			t.Errorf("a line is too wide: %q", line)
		}
	}
}

// TestAnAnswerIsShownAsItComes holds the model in the middle of a line.
func TestAnAnswerIsShownAsItComes(t *testing.T) {
	gate := llmtest.NewGate()
	useTurns(t, llmtest.Turn{Text: []string{"The first **words** of", " a "}, Hold: gate})
	g := onTerminal(t, 80, nil, "ask", "--workspace", manyFiles(t, 1), "--state-dir", t.TempDir(), "what is File0")
	g.await("The first \x1b[1mwords\x1b[0m of")
	gate.Open()
	g.await(" a")
	g.rest()
}

// TestTextIsPlainWithoutColors asks on terminals without colors, in a pipe, and in a pipe with colors.
func TestTextIsPlainWithoutColors(t *testing.T) {
	const text = "**File0** is in [file0.go](https://example.com)."
	root, state := manyFiles(t, 1), t.TempDir()
	var turns []llmtest.Turn
	for range 5 {
		turns = append(turns, llmtest.Turn{Text: []string{text}})
	}
	useTurns(t, turns...)
	args := []string{"ask", "--workspace", root, "--state-dir", state, "what is File0"}
	for what, change := range map[string]struct{ variable, flag string }{
		"NO_COLOR": {"NO_COLOR=1", "--color=auto"}, "a dumb terminal": {"TERM=dumb", "--color=auto"}, "--color=never": {"X=", "--color=never"},
	} {
		shown := onTerminal(t, 40, []string{change.variable}, append(args, change.flag)...).rest()
		if plain := erasing.ReplaceAllString(shown, ""); !strings.Contains(plain, text) || strings.Contains(plain, "\x1b") {
			t.Errorf("%s: the terminal shows %q", what, shown)
		}
		if what == "a dumb terminal" && strings.Contains(shown, "\x1b") {
			t.Errorf("%s is driven: %q", what, shown)
		}
	}
	piped, err := program(t, args...).Output()
	if check(t, err); string(piped) != text+"\n" {
		t.Errorf("the pipe gets %q", piped)
	}
	colored, err := program(t, append(args, "--color=always")...).Output()
	if check(t, err); !strings.Contains(string(colored), "\x1b[1mFile0\x1b[0m is in \x1b]8;;https://example.com\x1b\\") {
		t.Errorf("the pipe gets %q with colors", colored)
	}
}

// TestColorsOfOtherCommands looks at a proposal, hits and findings, and at the same in a pipe.
func TestColorsOfOtherCommands(t *testing.T) {
	root, state := manyFiles(t, 1), t.TempDir()
	out, err := program(t, "ask", "--workspace", root, "--state-dir", state, `create new.txt with "hello"`).CombinedOutput()
	if check(t, err); strings.Contains(string(out), "\x1b") {
		t.Errorf("the pipe gets %q", out)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"proposals", "show"}, "\x1b[32m+hello\x1b[0m\n"},
		{[]string{"search", "File0"}, "\x1b]8;;file://" + filepath.ToSlash(root) + "/file0.go#L4\x1b\\\x1b[36mfile0.go:4\x1b[0m\x1b]8;;\x1b\\\x1b[2m  function\x1b[0m File0"},
		{[]string{"doctor"}, "\x1b[32mok   \x1b[0m settings"},
	} {
		args := append(tt.args, "--workspace", root, "--state-dir", state)
		if shown := onTerminal(t, 80, nil, args...).rest(); !strings.Contains(shown, tt.want) {
			t.Errorf("%v: the terminal does not show %q:\n%q", tt.args, tt.want, shown)
		}
		piped, _ := program(t, args...).Output()
		if strings.Contains(string(piped), "\x1b") || len(piped) == 0 {
			t.Errorf("%v: the pipe gets %q", tt.args, piped)
		}
	}
}

// TestAProposalOnATerminalHasAShortName proposes an edit on a terminal of 80 columns, and names it as the terminal does.
func TestAProposalOnATerminalHasAShortName(t *testing.T) {
	where := []string{"--workspace", manyFiles(t, 1), "--state-dir", t.TempDir(), "--color=never"}
	shown := onTerminal(t, 80, nil, append([]string{"ask", `create new.txt with "hello"`}, where...)...).rest()
	named := regexp.MustCompile(`(?m)^proposed, nothing is written yet: ploke-lsp proposals accept (\S+)$`).FindStringSubmatch(shown)
	if named == nil {
		t.Fatalf("the terminal shows %q", shown)
	}
	list := onTerminal(t, 55, nil, append([]string{"proposals"}, where...)...).rest()
	if !strings.HasPrefix(list, named[1]+"  staged") || !strings.HasSuffix(list, "  create …\n") {
		t.Errorf("the list is %q", list)
	}
	piped, err := program(t, append([]string{"proposals", "show", named[1]}, where...)...).Output()
	if check(t, err); !regexp.MustCompile(`accept ` + named[1] + `\S+ \S+\n`).Match(piped) {
		t.Errorf("the pipe gets %q", piped)
	}
	g := onTerminal(t, 80, nil, append([]string{"proposals", "accept", named[1]}, where...)...)
	g.answer("Accept this? [y/N]", "y")
	if shown := g.rest(); !strings.HasSuffix(shown, "\nto take it back: ploke-lsp proposals undo "+named[1]+"\n") {
		t.Errorf("the terminal shows %q", shown)
	}
}

// TestWhatToolsDoTakesALine has a terminal of 40 columns, and a tool whose summary is longer.
func TestWhatToolsDoTakesALine(t *testing.T) {
	args := []string{"ask", "--workspace", manyFiles(t, 1), "--state-dir", t.TempDir(), "how does File0 treat everything that is in it?"}
	plain := sequences.ReplaceAllString(onTerminal(t, 40, nil, args...).rest(), "")
	if line := regexp.MustCompile(`(?m)^· .*…$`).FindString(erasing.ReplaceAllString(plain, "")); len([]rune(line)) != 39 {
		t.Errorf("the line is %q in %q", line, plain)
	}
}

// TestAnEmptyPipeIsTold asks with nothing in the pipe.
func TestAnEmptyPipeIsTold(t *testing.T) {
	args := []string{"ask", "--workspace", manyFiles(t, 1), "--state-dir", t.TempDir(), "hello"}
	for input, want := range map[string]bool{"": true, "x\n": false} {
		master, terminal := terminals(t)
		cmd := program(t, args...)
		cmd.Stdin, cmd.Stderr = strings.NewReader(input), terminal
		err := cmd.Run()
		terminal.Close()
		said, _ := io.ReadAll(master) // ends with an error, as terminals do
		if told := strings.Contains(string(said), "nothing came through the pipe"); told != want {
			t.Errorf("%q: %v: the terminal shows %q", input, err, said)
		}
	}
}
