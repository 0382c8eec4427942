package compiler

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

const source = "package a\n\nfunc square(x int) int { return x * x }\n"

// fixture is a folder with servers.
type fixture struct {
	*Servers
	ws   *workspace.Workspace
	root string

	mu      sync.Mutex
	notices []string
}

// serve opens a folder with files, whose Go files a command serves.
func serve(t *testing.T, command []string, files map[string]string, set func(*Options)) *fixture {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{root: root}
	for name, text := range files {
		f.write(t, name, text)
	}
	if f.ws, err = workspace.New([]string{root}, workspace.Options{}); err != nil {
		t.Fatal(err)
	}
	o := Options{Workspace: f.ws, Commands: func() map[string]Command {
		return map[string]Command{"go": {Command: command}, "python": {Command: command}}
	},
		Notice: func(text string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.notices = append(f.notices, text)
		}}
	if set != nil {
		set(&o)
	}
	f.Servers = NewServers(o)
	t.Cleanup(f.Close)
	return f
}

func (f *fixture) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(f.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// at returns the question about the first place of a text in a file.
func (f *fixture) at(t *testing.T, name, text string) Question {
	t.Helper()
	file, err := f.ws.Read(t.Context(), filepath.Join(f.root, name))
	if err != nil {
		t.Fatal(err)
	}
	return Question{Path: file.Path, Offset: strings.Index(string(file.Text), text), Hash: file.Hash}
}

func (f *fixture) told() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.notices...)
}

func liars(lie string) []string { return []string{os.Args[0], "-lie=" + lie} }

// TestLies asks servers that misbehave. Each costs an answer at most, and a message, and all waits end.
func TestLies(t *testing.T) {
	t.Parallel()
	for lie, want := range map[string]string{
		"":                             "liar",
		"does not shut down":           "liar",
		"does not exit":                "liar",
		"answers twice, and to others": "liar",
		"names other places":           "liar",
		"asks for much":                "liar",
		"says much":                    "liar",
		"says garbage first":           "liar",
		"sends garbage between":        "liar",
		"loads for ever":               "loading",
		"answers with nothing":         "no places",
		"ends at once":                 "exit status 3: no license",
		"ends in the middle":           "has ended",
		"never answers initialize":     "has not answered initialize within",
		"announces two gigabytes":      "liar",
		"counts in its own way":        `positions in "utf-32"`,
		"never answers":                "has not answered textDocument/references within",
		"refuses":                      "refused by liar",
		"answers with a word":          "wrong form",
		"answers with a negative line": "wrong form",
		"finds too much":               "wrong form",
	} {
		t.Run(lie, func(t *testing.T) {
			t.Parallel()
			f := serve(t, liars(lie), map[string]string{"a.go": source}, func(o *Options) {
				o.StartTime, o.CallTime, o.loadTime = 20*time.Second, 20*time.Second, 50*time.Millisecond
				if strings.Contains(want, "within") {
					o.StartTime, o.CallTime = time.Second, time.Second
				}
			})
			var answer *Answer
			var err error
			q := f.at(t, "a.go", "square")
			testbed.Returns(t, func() { answer, err = f.References(t.Context(), q) }, "the answer")
			switch {
			case err != nil:
				if !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\x1b\n") {
					t.Errorf("the error is %q, want %q", err, want)
				}
			case want != "liar" && want != "loading" && want != "no places":
				t.Errorf("there is an answer, want %q", want)
			case want == "no places":
				if len(answer.Places) != 0 {
					t.Errorf("the places are %v", answer.Places)
				}
			default:
				if answer.Readiness != Complete && want != "loading" || want == "loading" && answer.Readiness != Loading {
					t.Errorf("the server is %s, want %q", answer.Readiness, want)
				}
				place := Place{q.Path, q.Offset, q.Offset + len("square"), q.Hash, ""}
				if n := len(answer.Places); n == 0 || answer.Places[n-1] != place || !strings.HasPrefix(answer.Source, "liar") ||
					strings.Contains(answer.Source, "\x1b") {
					t.Errorf("%q says %v, want %v", answer.Source, answer.Places, place)
				}
			}
			testbed.Returns(t, f.Close, "the end of the server")
			if told := f.told(); len(told) > 1 {
				t.Errorf("the messages are %q", told)
			}
		})
	}
}

// TestFailuresInARow starts a server that ends again a few times, and no more. The person reads one message.
func TestFailuresInARow(t *testing.T) {
	t.Parallel()
	f := serve(t, liars("ends at once"), map[string]string{"a.go": source}, func(o *Options) { o.Pause = time.Nanosecond })
	q := f.at(t, "a.go", "square")
	for range maxFailures + 3 {
		if _, err := f.References(t.Context(), q); err == nil || !strings.Contains(err.Error(), "exit status 3") {
			t.Fatalf("the error is %v", err)
		}
	}
	for k, s := range f.all {
		if s.failures != maxFailures {
			t.Errorf("%s failed %d times", k.command, s.failures)
		}
	}
	if told := f.told(); len(told) != 1 || !strings.Contains(told[0], "searched by name instead") {
		t.Errorf("the messages are %q", told)
	}
}

// TestOneServer asks from several goroutines. One server answers, and ends when it is idle.
func TestOneServer(t *testing.T) {
	t.Parallel()
	f := serve(t, liars(""), map[string]string{"a.go": source, "b.py": source}, func(o *Options) { o.Idle = 300 * time.Millisecond })
	questions := []Question{f.at(t, "a.go", "square"), f.at(t, "b.py", "square")}
	var asking sync.WaitGroup
	for i := range 12 {
		asking.Go(func() {
			if _, err := f.References(t.Context(), questions[i%2]); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	if states := f.States(t.Context()); len(states) != 1 {
		t.Errorf("the servers are %v", states)
	}
	testbed.Eventually(t, func() bool { return f.States(t.Context())[0].Name == "" },
		func() string { return f.States(t.Context())[0].String() })
	if _, err := f.References(t.Context(), questions[0]); err != nil {
		t.Errorf("after it was idle: %v", err)
	}
	if told := f.told(); len(told) != 0 {
		t.Errorf("the messages are %q", told)
	}
}

// TestClosing closes while a server starts, and while it answers.
func TestClosing(t *testing.T) {
	t.Parallel()
	for _, lie := range []string{"never answers initialize", "never answers"} {
		t.Run(lie, func(t *testing.T) {
			t.Parallel()
			f := serve(t, liars(lie), map[string]string{"a.go": source}, nil)
			q := f.at(t, "a.go", "square")
			asked := make(chan error, 1)
			go func() {
				_, err := f.References(t.Context(), q)
				asked <- err
			}()
			testbed.Eventually(t, func() bool {
				s := f.States(t.Context())
				return len(s) > 0 && (lie != "never answers" || s[0].Name != "")
			}, func() string { return "the server does not start" })
			testbed.Returns(t, f.Close, "the end of the server")
			if err := testbed.Receive(t, asked, "the answer"); err == nil {
				t.Error("there is an answer")
			}
			if _, err := f.References(t.Context(), q); !errors.Is(err, ErrNone) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// TestRenameLies asks for a rename: all of it comes, or an error.
func TestRenameLies(t *testing.T) {
	t.Parallel()
	for lie, want := range map[string]string{
		"":                                   "",
		"the old form":                       "",
		"twice":                              "",
		"no edit":                            "nothing",
		"another version":                    "would change version 77 of",
		"a new file":                         "would create, rename or delete files",
		"a file elsewhere":                   "would change a file that can't be read",
		"no file":                            "which is no file",
		"a snippet":                          "in a way that this client does not know",
		"overlapping edits":                  "wrong form",
		"a range that ends before it starts": "wrong form",
		"much text":                          "wrong form",
		"a word":                             "wrong form",
	} {
		t.Run(lie, func(t *testing.T) {
			t.Parallel()
			f := serve(t, liars(lie), map[string]string{"a.go": source}, nil)
			q := f.at(t, "a.go", "square")
			answer, err := f.Rename(t.Context(), q, "sq")
			switch {
			case err != nil:
				if want == "" || !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, want %q", err, want)
				}
			case want == "nothing":
				if len(answer.Places) != 0 {
					t.Errorf("the places are %v", answer.Places)
				}
			case want != "" || !slices.Equal(answer.Places, []Place{{q.Path, q.Offset, q.Offset + len("square"), q.Hash, "sq"}}):
				t.Errorf("the places are %v, want %q", answer.Places, want)
			}
		})
	}
}

// TestTyping asks while somebody types. The server ends if the version of a document does not grow.
func TestTyping(t *testing.T) {
	t.Parallel()
	f := serve(t, liars(""), map[string]string{"a.go": source}, nil)
	path := filepath.Join(f.root, "a.go")
	for version := range int32(5) {
		f.ws.SetBuffer(path, version, []byte(source+strings.Repeat("// more\n", int(version))))
		for range 2 {
			if _, err := f.References(t.Context(), f.at(t, "a.go", "square")); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.ws.CloseBuffer(path)
	if _, err := f.References(t.Context(), f.at(t, "a.go", "square")); err != nil {
		t.Fatal(err)
	}
}

// TestTypingMeanwhile changes another file while the server answers: it is asked again once, and the answer counts if
// nothing changes then.
func TestTypingMeanwhile(t *testing.T) {
	t.Parallel()
	for changes, want := range []error{nil, nil, ErrChanged, ErrChanged} {
		var f *fixture
		looks, counts := 0, false // at the disk: before and after each answer
		f = serve(t, liars(""), map[string]string{"a.go": source, "b.go": source}, func(o *Options) {
			o.Disk = func() (uint64, bool) {
				if counts {
					looks++
				}
				if counts && looks%2 == 0 && looks <= 2*changes {
					f.ws.SetBuffer(filepath.Join(f.root, "b.go"), int32(looks), []byte(source+strings.Repeat("\n", looks)))
				}
				return 1, true
			}
		})
		if _, err := f.References(t.Context(), f.at(t, "a.go", "square")); err != nil { // it has read the project then
			t.Fatal(err)
		}
		counts = true
		_, err := f.References(t.Context(), f.at(t, "a.go", "square"))
		if answers := looks / 2; !errors.Is(err, want) || answers != min(1+changes, 2) {
			t.Errorf("with %d changes it answered %d times: %v, want %v", changes, answers, err, want)
		}
	}
}

// TestAnotherText asks about an offset of a text that is not the present one.
func TestAnotherText(t *testing.T) {
	t.Parallel()
	f := serve(t, liars(""), map[string]string{"a.go": source, "c.txt": "words"}, nil)
	q := f.at(t, "a.go", "square")
	f.ws.SetBuffer(q.Path, 2, []byte("// more\n"+source))
	if _, err := f.References(t.Context(), q); !errors.Is(err, ErrChanged) {
		t.Errorf("the error is %v", err)
	}
	if _, err := f.References(t.Context(), f.at(t, "c.txt", "words")); !errors.Is(err, ErrNone) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.References(ctx, f.at(t, "a.go", "square")); err == nil {
		t.Error("there is an answer to a question that was cancelled")
	}
}

// TestListedFiles asks a server that logs how many files it has found. Its answers are complete from then on, until there
// is another file, and again once it has found that.
func TestListedFiles(t *testing.T) {
	t.Parallel()
	f := serve(t, liars("lists files"), map[string]string{"a.py": source}, nil)
	for i, want := range []Readiness{Complete, Unknown, Complete, Complete} {
		if i == 1 {
			f.write(t, "b.py", source)
		}
		answer, err := f.References(t.Context(), f.at(t, "a.py", "square"))
		if err != nil || answer.Readiness != want {
			t.Errorf("answer %d is %v, %v, want %s", i, answer, err, want)
		}
	}
}
