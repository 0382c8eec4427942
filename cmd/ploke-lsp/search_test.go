package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestSearchUsesVectors makes vectors with a server and then uses them on the command
// line. The command line embeds only queries, and code only with index --vectors. The
// ledger holds these requests.
func TestSearchUsesVectors(t *testing.T) {
	model := llmtest.NewEmbeddings(t, 256)
	var broken atomic.Bool
	model.Answer = func(int, *llmtest.EmbeddingsRequest) *llmtest.Turn {
		if broken.Load() {
			return &llmtest.Turn{Status: http.StatusUnauthorized}
		}
		return nil
	}
	model.Synonyms = map[string]string{"feline": "cat"}
	state, root := t.TempDir(), t.TempDir()
	write := func(name, text string) (path string) {
		path = filepath.Join(root, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, animal := range []string{"Cat", "Dog", "Fish"} {
		write(animal+".go", fmt.Sprintf("package zoo\n\nfunc %s() {\n%s}\n", animal, strings.Repeat("\tuse("+strings.ToLower(animal)+")\n", 12)))
	}
	text := fmt.Sprintf("[providers.home]\ntype = 'openai'\nbaseUrl = '%s'\n[index]\nembeddings = {provider = 'home', model = 'm'}\n",
		model.URL)
	settings := write("settings.toml", text)

	p := serve(t, state, "--config", settings)
	e := lsptest.Connect(t, p, lsptest.Options{Roots: []string{root}})
	e.Await("ready vectors", func() bool {
		var status ploke.IndexStatus
		e.Call(ploke.MethodIndexStatus, nil, &status)
		return status.Embedding != nil && status.Embedding.State == ploke.EmbeddingReady
	})
	stop(t, p, e)

	try := func(args ...string) (stdout, stderr string, err error) {
		t.Helper()
		cmd := program(t, append(args[:1:1], append([]string{"--state-dir", state, "--config", settings, "--workspace", root}, args[1:]...)...)...)
		var errors bytes.Buffer
		cmd.Stderr = &errors
		out, err := cmd.Output()
		return string(out), errors.String(), err
	}
	run := func(args ...string) (stdout, stderr string) {
		t.Helper()
		stdout, stderr, err := try(args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, stderr)
		}
		return stdout, stderr
	}
	write("Bird.go", "package zoo\n\nfunc Bird() {\n"+strings.Repeat("\tuse(bird)\n", 12)+"}\n\nfunc Giraffe() {}\n")
	run("index")
	made := len(model.Requests())
	out, _ := run("search", "--json", "feline")
	var report searchReport
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Results) == 0 || report.Results[0].Canon != "Cat" || report.Results[0].Signals["dense"] == 0 {
		t.Errorf("a synonym does not find Cat: %+v", report.Results)
	}
	if texts := model.Texts(); len(model.Requests()) != made+1 || texts[len(texts)-1] != "feline" {
		t.Errorf("search did not embed exactly the query; all embedded texts: %q", texts)
	}
	if out, _ = run("ledger"); strings.Count(out, "  home/m at 127.0.0.1") != 2 || strings.Contains(out, "Bird.go") {
		t.Errorf("the ledger is\n%s", out)
	}

	broken.Store(true)
	out, stderr := run("search", "Girafe")
	if !strings.Contains(out, "Bird.go:18") || !strings.Contains(stderr, `no file has "Girafe"; this searched for giraffe`) {
		t.Errorf("for a mistyped name, standard output is\n%s\nand standard error\n%s", out, stderr)
	}
	out, stderr = run("search", "where is a Dog")
	if !strings.Contains(out, "Dog.go:3") || !strings.Contains(stderr, "searched without vectors: ") {
		t.Errorf("with a broken model, standard output is\n%s\nand standard error\n%s", out, stderr)
	}

	if _, stderr, err := try("index", "--vectors"); err == nil || !strings.Contains(stderr, "API key") {
		t.Errorf("with a broken model: %v, %s", err, stderr)
	}
	broken.Store(false)
	indexVectors := func(want string) {
		t.Helper()
		if out, _ := run("index", "--vectors"); !strings.Contains(out, want) {
			t.Errorf("index --vectors prints %s, want %q", out, want)
		}
	}
	indexVectors("  1 vectors made\n")
	indexVectors("  0 vectors made\n")
	if texts := model.Texts(); !strings.Contains(texts[len(texts)-1], "use(bird)") {
		t.Errorf("the last embedded text is %q, want that of Bird", texts[len(texts)-1])
	}
	write("Ant.go", "package zoo\n\nfunc Ant() {\n"+strings.Repeat("\tuse(ant)\n", 12)+"}\n")
	write("settings.toml", strings.Replace(text, "model = 'm'", "model = 'm', budget = 1", 1))
	if _, stderr, err := try("index", "--vectors"); err == nil || !strings.Contains(stderr, "raise index.embeddings.budget") {
		t.Errorf("above the budget: %v, %s", err, stderr)
	}
	write("settings.toml", "")
	if _, stderr, err := try("index", "--vectors"); err == nil || !strings.Contains(stderr, "name no model") {
		t.Errorf("without a model: %v, %s", err, stderr)
	}
}
