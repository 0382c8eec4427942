package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// newUser is somebody with Helix, a model server on this machine, a key, and a few settings.
type newUser struct {
	t              *testing.T
	home, port     string
	editor, config string // paths of the configurations
}

const (
	ownEditor = "# my languages\n"
	ownConfig = "# my settings\n[limits]\ndailyCost = 5 # enough\n"
)

func newNewUser(t *testing.T, answers ...llmtest.Turn) *newUser {
	t.Helper()
	u := &newUser{t: t, home: t.TempDir()}
	u.editor, u.config = filepath.Join(u.home, ".config/helix/languages.toml"), filepath.Join(u.home, ".config/ploke-lsp/config.toml")
	for path, text := range map[string]string{u.editor: ownEditor, u.config: ownConfig} {
		check(t, os.MkdirAll(filepath.Dir(path), 0o700))
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	script := llmtest.NewScript(answers...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "":
			t.Error("the key was sent, though nobody chose it")
		case r.URL.Path == "/v1/models":
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"data": [{"id": "small"}]}`))
		case r.Method == http.MethodGet:
			http.NotFound(w, r)
		default:
			script.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	check(t, err)
	u.port = address.Port()
	return u
}

// text returns the text of a file.
func (u *newUser) text(path string) string {
	u.t.Helper()
	data, err := os.ReadFile(path)
	check(u.t, err)
	return string(data)
}

// environment has no editor on the PATH.
func (u *newUser) environment() []string {
	return []string{"HOME=" + u.home, "PATH=" + u.t.TempDir(), "LLAMA_ARG_PORT=" + u.port, "OLLAMA_HOST=127.0.0.1:1", "ANTHROPIC_API_KEY=sesame"}
}

// A guided is a setup on a terminal.
type guided struct {
	*exec.Cmd
	t        *testing.T
	terminal *os.File
	shown    strings.Builder
}

// setup starts the setup on a terminal.
func (u *newUser) setup() *guided {
	u.t.Helper()
	master, terminal := terminals(u.t)
	g := &guided{Cmd: program(u.t, "setup"), t: u.t, terminal: master}
	g.Stdin, g.Stdout, g.Stderr = terminal, terminal, terminal
	g.Env, g.Dir = u.environment(), u.t.TempDir()
	check(u.t, g.Start())
	terminal.Close()
	return g
}

// await waits until the terminal shows a text that was not awaited before.
func (g *guided) await(text string) {
	g.t.Helper()
	buffer := make([]byte, 4096)
	for {
		if _, after, found := strings.Cut(g.shown.String(), text); found {
			g.shown.Reset()
			g.shown.WriteString(after)
			return
		}
		n, err := g.terminal.Read(buffer)
		g.shown.Write(buffer[:n])
		if err != nil && n == 0 {
			g.t.Fatalf("the terminal does not show %q: %v\n%s", text, err, g.shown.String())
		}
	}
}

func (g *guided) answer(question, line string) {
	g.t.Helper()
	g.await(question)
	_, err := g.terminal.WriteString(line + "\n")
	check(g.t, err)
}

func TestTheGuideLeadsThroughTheSetup(t *testing.T) {
	u := newNewUser(t, llmtest.Turn{Text: []string{"ready"}, Usage: llmtest.Usage{Prompt: 9, Completion: 2}})
	g := u.setup()
	g.await("Helix (" + filepath.Dir(u.editor) + ")")
	g.await("+[language-server.ploke]")
	g.answer("Make this change? [y/N]", "yes")
	g.await("is how it was before")
	g.await("1  llamacpp/small, on this machine")
	g.await("2  a model of Anthropic, with the key in ANTHROPIC_API_KEY: code that a question is about leaves this machine")
	g.answer("Which one?", "nine")
	g.await(`"nine" is not a number in the list`)
	g.answer("Which one?", "1")
	g.await(`llamacpp/small answered "ready" in `)
	g.await(`+model = "llamacpp/small"`)
	g.answer("Make this change? [y/N]", "y")
	g.await("ploke-lsp doctor checks everything")
	check(t, g.Wait())
	if got := u.text(u.editor); !strings.HasPrefix(got, ownEditor) || !strings.Contains(got, "ploke-lsp setup helix >>>") {
		t.Errorf("the editor's configuration is\n%s", got)
	}
	want := "model = \"llamacpp/small\"\n" + ownConfig + "\n[providers.llamacpp]\ntype = \"openai\"\nbaseUrl = \"http://127.0.0.1:" + u.port + "/v1\"\n"
	if got := u.text(u.config); got != want {
		t.Errorf("the settings are\n%s\nwant\n%s", got, want)
	}

	g = u.setup()
	g.await(u.editor + " has the configuration.")
	g.answer("Which one?", "")
	check(t, g.Wait())
	if got := u.text(u.config); got != want {
		t.Errorf("keeping the model changed the settings to\n%s", got)
	}
}

func TestTheGuideChangesNothingUnasked(t *testing.T) {
	u := newNewUser(t, llmtest.Turn{Status: 500}, llmtest.Turn{Text: []string{"ready"}})
	g := u.setup()
	g.answer("Make this change? [y/N]", "")
	g.answer("Which one?", "1")
	g.await("nothing was written: llamacpp/small does not answer")
	g.answer("Which one?", "1")
	g.answer("Make this change? [y/N]", "no")
	check(t, g.Wait())
	u.expectNoChange()
}

func (u *newUser) expectNoChange() {
	u.t.Helper()
	if editor, config := u.text(u.editor), u.text(u.config); editor != ownEditor || config != ownConfig {
		u.t.Errorf("the files were changed to\n%s\n%s", editor, config)
	}
	if names, _ := filepath.Glob(filepath.Join(u.home, ".config/*/*")); len(names) != 2 {
		u.t.Errorf("there are other files: %q", names)
	}
}

// TestTheGuideIsInterrupted presses Ctrl-C at each question.
func TestTheGuideIsInterrupted(t *testing.T) {
	answers := [][2]string{{"Make this change? [y/N]", "n"}, {"Which one?", "1"}, {"Make this change? [y/N]", "y"}}
	for n := range answers {
		u := newNewUser(t, llmtest.Turn{Text: []string{"ready"}})
		g := u.setup()
		for _, a := range answers[:n] {
			g.answer(a[0], a[1])
		}
		g.await(answers[n][0])
		check(t, g.Process.Signal(os.Interrupt))
		if g.Wait(); g.ProcessState.ExitCode() != interrupted {
			t.Errorf("at question %d it ended with %v", n, g.ProcessState)
		}
		u.expectNoChange()
	}
}

// TestNamingAModelIsKilled kills the change of the settings at many moments. They always have one of two texts.
func TestNamingAModelIsKilled(t *testing.T) {
	moments := testbed.Count(6, 2)
	u := newNewUser(t, slices.Repeat([]llmtest.Turn{{Text: []string{"ready"}}}, moments+1)...)
	write := func(life time.Duration) {
		cmd := program(t, "setup", "model", "llamacpp/small", "--write")
		cmd.Env, cmd.Dir = u.environment(), t.TempDir()
		check(t, cmd.Start())
		kill := time.AfterFunc(life, func() { cmd.Process.Kill() })
		defer kill.Stop()
		cmd.Wait() // an error if it was killed in time
	}
	begin := time.Now()
	write(time.Minute)
	whole, named := time.Since(begin), u.text(u.config)
	if named == ownConfig {
		t.Fatal("the model was not named")
	}
	for n := range moments {
		check(t, os.WriteFile(u.config, []byte(ownConfig), 0o600))
		write(whole * time.Duration(n+1) / time.Duration(moments))
		if got := u.text(u.config); got != named && got != ownConfig {
			t.Fatalf("the settings are %q", got)
		}
	}
}
