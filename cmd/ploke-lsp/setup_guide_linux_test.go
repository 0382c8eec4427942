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

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// newUser is a person with Helix, a model server on this machine, a key, and a few settings.
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
			t.Error("the key was sent, though it was not chosen")
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
	return u.setupWith(named(u.t, "ploke-lsp"))
}

// setupWith starts the setup of the program at a path.
func (u *newUser) setupWith(path string) *guided {
	u.t.Helper()
	master, terminal := terminals(u.t)
	g := &guided{Cmd: exec.Command(path, "setup"), t: u.t, terminal: master}
	g.Stdin, g.Stdout, g.Stderr = terminal, terminal, terminal
	g.Env, g.Dir = append(u.environment(), "PATH="+filepath.Dir(path)), u.t.TempDir()
	check(u.t, g.Start())
	terminal.Close()
	g.endAfter(20 * time.Second)
	return g
}

// endAfter ends a program that does not show what a test awaits.
func (g *guided) endAfter(limit time.Duration) {
	kill := time.AfterFunc(limit, func() { g.Process.Kill() })
	g.t.Cleanup(func() { kill.Stop() })
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

// TestTheGuideTakesAServerAndAKeyThatAreTyped looks for the key on the terminal, and where it is kept.
func TestTheGuideTakesAServerAndAKeyThatAreTyped(t *testing.T) {
	const key = "sk-typed-by-hand"
	script := llmtest.NewScript(llmtest.Turn{Text: []string{"ready"}}, llmtest.Turn{Text: []string{"Hello."}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
		} else if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"data": [{"id": "tiny"}]}`))
		} else {
			script.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	u := newNewUser(t)
	g := u.setup()
	g.answer("Make this change? [y/N]", "n")
	g.await("a model of OpenAI, with a key that you type")
	g.await("5  another server that speaks as OpenAI's")
	g.answer("Which one?", "5")
	g.answer("Its base URL", "ftp://example.com")
	g.await("is not a URL that begins with https:// or http://")
	g.answer("Which one?", "5")
	g.answer("Its base URL", server.URL+"/v1")
	g.answer("Its key (it is not shown)", "wrong")
	g.await("does not list its models")
	g.answer("Its name:", "tiny")
	g.await("nothing was written")
	g.answer("Which one?", "5")
	g.answer("Its base URL", server.URL+"/v1")
	g.answer("Its key (it is not shown)", key)
	g.await("  tiny")
	g.answer("Its name:", "tiny")
	g.await(`own/tiny answered "ready"`)
	file := filepath.Join(u.home, ".config/ploke-lsp/keys/own")
	g.await(`+apiKeyCommand = ["cat", "` + file + `"]`)
	if _, err := os.Stat(file); err == nil {
		t.Error("the key is stored before the person agrees")
	}
	g.answer("Make this change? [y/N]", "y")
	if rest := g.rest(); strings.Contains(rest, key) || strings.Contains(u.text(u.config), key) {
		t.Errorf("the key is shown:\n%s\n%s", rest, u.text(u.config))
	}
	info, err := os.Stat(file)
	if check(t, err); info.Mode().Perm() != 0o600 || u.text(file) != key+"\n" {
		t.Errorf("the key's file has the mode %v and %q", info.Mode(), u.text(file))
	}
	ask := program(t, "ask", "--workspace", t.TempDir(), "hello")
	ask.Env = append(u.environment(), "PATH="+os.Getenv("PATH"))
	if out, err := ask.CombinedOutput(); err != nil || !strings.Contains(string(out), "Hello.") {
		t.Errorf("asking the model: %v: %s", err, out)
	}
}

// TestTheTerminalShowsWhatIsTypedAgain presses Ctrl-C where the key is asked for.
func TestTheTerminalShowsWhatIsTypedAgain(t *testing.T) {
	u := newNewUser(t)
	g := u.setup()
	g.answer("Make this change? [y/N]", "n")
	g.answer("Which one?", "3")
	g.await("Its key (it is not shown):")
	settings := func() *unix.Termios {
		state, err := unix.IoctlGetTermios(int(g.terminal.Fd()), unix.TCGETS)
		check(t, err)
		return state
	}
	testbed.Eventually(t, func() bool { return settings().Lflag&unix.ECHO == 0 }, func() string { return "the terminal shows what is typed" })
	check(t, g.Process.Signal(os.Interrupt))
	if g.Wait(); g.ProcessState.ExitCode() != interrupted || settings().Lflag&unix.ECHO == 0 {
		t.Errorf("it ended with %v, and the terminal has the flags %x", g.ProcessState, settings().Lflag)
	}
	u.expectNoChange()
}

// TestTheGuideOffersThePlugin has Neovim, and a program that stands in a copy of the source.
func TestTheGuideOffersThePlugin(t *testing.T) {
	u := newNewUser(t)
	source := t.TempDir()
	plugin := filepath.Join(source, "editors/nvim")
	for _, dir := range []string{filepath.Join(plugin, "plugin"), filepath.Join(source, "bin"), filepath.Join(u.home, ".config/nvim")} {
		check(t, os.MkdirAll(dir, 0o700))
	}
	check(t, os.WriteFile(filepath.Join(plugin, "plugin/ploke.lua"), []byte("--\n"), 0o600))
	check(t, os.Symlink(named(t, "ploke-lsp"), filepath.Join(source, "bin/ploke-lsp")))
	start := func(path string) *guided {
		g := u.setupWith(path)
		t.Cleanup(func() { g.Process.Kill(); g.Wait() })
		return g
	}
	g := start(named(t, "ploke-lsp"))
	g.await("There is a plugin with a chat and a review: the folder editors/nvim")
	g = start(filepath.Join(source, "bin/ploke-lsp"))
	link := filepath.Join(u.home, ".local/share/nvim/site/pack/ploke/start/ploke")
	g.await(link + " -> " + plugin)
	g.answer("Make this link? [y/N]", "y")
	g.await(link + " is the plugin")
	if to, err := os.Readlink(link); err != nil || to != plugin {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	g = start(filepath.Join(source, "bin/ploke-lsp"))
	g.await("The plugin is in " + link)
}
