package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// says answers with the same places each time.
type says []place

func (s says) references(context.Context, place) ([]place, error) { return s, nil }
func (s says) close()                                             {}

// TestCompare counts what both find, and names each kind of mistake.
func TestCompare(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for rel, text := range map[string]string{
		"go.mod":       "module acme.com/a\n",
		"a.go":         "package a\n\nfunc run() { run() }\n\nvar _ = run\n\n// run\n",
		"inner/go.mod": "module acme.com/b\n",
		"inner/b.go":   "package b\n\nfunc run() { run() }\n",
	} {
		path := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := openProject(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	drawn := p.draw("go", 10)
	if len(drawn) != 1 || drawn[0].Name != "run" {
		t.Fatalf("drew %v", drawn)
	}
	a := filepath.Join(dir, "a.go")
	for _, c := range []struct {
		name  string
		truth says
		want  string
	}{
		{"all", says{{a, 2, 5}, {a, 2, 13}, {a, 4, 8}, {filepath.Join(dir, "inner", "b.go"), 2, 13}},
			"recall 100.0 % of 2, precision 100.0 % of 2|recall 100.0 % of 1, precision 100.0 % of 1"},
		{"one wrong", says{{a, 4, 8}}, "recall 100.0 % of 1, precision  50.0 % of 2|recall   0.0 % of 0, precision   0.0 % of 1|1.00: 1;"},
		{"one unread", says{{a, 2, 13}, {a, 4, 8}, {a, 6, 3}}, "recall  66.7 % of 3, precision 100.0 % of 2|unread: 1;"},
	} {
		tally := &tally{}
		if err := p.compare(t.Context(), c.truth, drawn[0], tally, io.Discard); err != nil {
			t.Fatal(err)
		}
		for want := range strings.SplitSeq(c.want, "|") {
			if got := tally.String(); !strings.Contains(got, want) {
				t.Errorf("%s: there is no %q in\n%s", c.name, want, got)
			}
		}
	}
}

// TestHeirs counts where types say that they inherit, as the index and the server have it.
func TestHeirs(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(dir, "a.js"), filepath.Join(dir, "b.js")
	for path, text := range map[string]string{
		a: "class Base {}\nmodule.exports = Base;\n",
		b: "const Base = require('./a');\nclass A extends Base {}\nx extends Base;\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := openProject(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	tally := &tally{}
	of := slices.IndexFunc(p.draw("typescript", 10), func(u index.Unit) bool { return u.Name == "Base" })
	truth := says{{b, 1, 16}, {b, 2, 10}}
	if err := p.compare(t.Context(), truth, p.draw("typescript", 10)[of], tally, io.Discard); err != nil {
		t.Fatal(err)
	}
	if want := "heirs       recall  50.0 % of 2, precision 100.0 % of 1"; !strings.Contains(tally.String(), want) {
		t.Errorf("there is no %q in\n%s", want, tally)
	}
}

// TestRefusals explains what is wrong with arguments.
func TestRefusals(t *testing.T) {
	for args, want := range map[string]string{
		"":                       "give -server",
		"-server go=gopls":       "give -server, and the folders",
		"-server cobol=x .":      "LANGUAGE=COMMAND",
		"-server go .":           "LANGUAGE=COMMAND",
		"-n 0 -server go=x .":    "-n is at least 1",
		"-server go=/no/such x/": "no such file",
	} {
		var log bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), io.Discard, &log); code == 0 || !strings.Contains(log.String(), want) {
			t.Errorf("%q: %d %s", args, code, log.String())
		}
	}
}
