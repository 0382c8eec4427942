package compiler

import (
	"context"
	"encoding/json"
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

// neighbors are processes that have one folder open.
type neighbors struct {
	mu  sync.Mutex
	all []*Servers
	// lie answers in place of all; nil for none.
	lie func(question []byte) ([]byte, error)
}

// join makes servers one of the processes.
func (n *neighbors) join(f *fixture, locks string, o *Options) {
	o.Share = &Sharing{
		Folder:  func(string) string { return locks },
		Reached: func(string) bool { return true },
		Ask: func(ctx context.Context, root string, question []byte) ([]byte, error) {
			n.mu.Lock()
			all, lie := slices.Clone(n.all), n.lie
			n.mu.Unlock()
			if lie != nil {
				return lie(question)
			}
			for _, other := range all {
				if answer, err := other.Answer(ctx, root, question); err == nil {
					return answer, nil
				}
			}
			return nil, errors.New("nobody")
		},
	}
}

// shareFolder starts processes in one folder, whose server is the command.
func shareFolder(t *testing.T, n *neighbors, command []string, files map[string]string, set func(*Options)) (all []*fixture) {
	t.Helper()
	locks := t.TempDir()
	first := serve(t, command, files, func(o *Options) {
		n.join(nil, locks, o)
		if set != nil {
			set(o)
		}
	})
	all = append(all, first)
	for range 2 {
		f := &fixture{root: first.root}
		var err error
		if f.ws, err = workspace.New([]string{f.root}, workspace.Options{}); err != nil {
			t.Fatal(err)
		}
		o := first.options
		o.Workspace = f.ws
		f.Servers = NewServers(o)
		t.Cleanup(f.Close)
		all = append(all, f)
	}
	for _, f := range all {
		n.all = append(n.all, f.Servers)
	}
	return all
}

// running counts the processes whose own server runs.
func running(all []*fixture) (count int) {
	for _, f := range all {
		f.Servers.mu.Lock()
		for _, s := range f.all {
			if s.state().Name != "" {
				count++
			}
		}
		f.Servers.mu.Unlock()
	}
	return count
}

// TestOneServerForProcesses has three processes ask at once. One server runs, also after its process has ended. Each of the
// others says whose it is.
func TestOneServerForProcesses(t *testing.T) {
	t.Parallel()
	all := shareFolder(t, &neighbors{}, liars(""), map[string]string{"a.go": source}, nil)
	ask := func(of []*fixture) {
		t.Helper()
		var asking sync.WaitGroup
		for _, f := range of {
			for range 3 {
				q := f.at(t, "a.go", "square")
				asking.Go(func() {
					if answer, err := f.References(t.Context(), q); err != nil || len(answer.Places) == 0 || answer.Readiness != Complete {
						t.Errorf("%+v, %v", answer, err)
					}
				})
			}
		}
		asking.Wait()
		if n := running(of); n != 1 {
			t.Errorf("%d servers run", n)
		}
		for _, f := range of {
			if states := f.States(t.Context()); len(states) != 1 || states[0].PID != os.Getpid() || !strings.HasPrefix(states[0].Name, "liar") {
				t.Errorf("the states are %v", states)
			}
		}
	}
	ask(all)
	for len(all) > 1 {
		at := slices.IndexFunc(all, func(f *fixture) bool { return running([]*fixture{f}) == 1 })
		q := all[at].at(t, "a.go", "square")
		all[at].Close()
		if _, err := all[at].References(t.Context(), q); !errors.Is(err, ErrNone) {
			t.Errorf("a process that has ended: %v", err)
		}
		all = slices.Delete(all, at, at+1)
		ask(all)
	}
}

// TestEachProcessHasItsTexts asks the real gopls from processes whose editors have different texts of a file, at once. Each
// gets the answer for its own, and one that has saved it gets that of the disk.
func TestEachProcessHasItsTexts(t *testing.T) {
	t.Parallel()
	program := testbed.File(t, "gopls", filepath.Join(os.Getenv(serversVariable), "bin", "gopls"))
	const use = "package a\n\nvar x = square(2)\n"
	all := shareFolder(t, &neighbors{}, []string{program}, map[string]string{"go.mod": "module a\n\ngo 1.24\n", "a.go": source,
		"b.go": use}, nil)
	path := filepath.Join(all[0].root, "b.go")
	all[0].ws.SetBuffer(path, 1, []byte(use+"\nvar y = square(3)\n"))
	all[1].ws.SetBuffer(path, 1, []byte("// one more line\n"+use+"\nvar y, z = square(3), square(4)\n"))
	fresh := filepath.Join(all[1].root, "c.go")
	all[1].ws.SetBuffer(fresh, 1, []byte("package a\n\nvar unsaved = square(5)\n"))
	var asking sync.WaitGroup
	for i, want := range []int{2, 4, 1} {
		f := all[i]
		q := f.at(t, "a.go", "square")
		for range 4 {
			asking.Go(func() {
				answer, err := f.References(t.Context(), q)
				if err != nil || len(answer.Places) != want || answer.Readiness != Complete {
					t.Errorf("process %d: %+v, %v, want %d places", i, answer, err, want)
					return
				}
				for _, p := range answer.Places {
					file, err := f.ws.Read(t.Context(), p.Path)
					if err != nil || p.Hash != file.Hash || string(file.Text[p.Start:p.End]) != "square" {
						t.Errorf("process %d: %+v, %v", i, p, err)
					}
				}
			})
		}
	}
	asking.Wait()
	if n := running(all); n != 1 {
		t.Errorf("%d servers run", n)
	}
	for i, f := range all {
		before, after, err := f.LayOver(t.Context(), []Text{{path, []byte("package a\n\nvar x = square(unknown)\n")}}, []string{path})
		if err != nil || len(before.Problems) != 0 || len(after.Problems) != 1 || after.Problems[0].Path != path {
			t.Errorf("process %d: %+v, %+v, %v", i, before, after, err)
		}
	}
}

// TestAProcessThatDoesNotAnswer has a server, and no process answers with it. Questions fail, the second at once, and the person
// is told once.
func TestAProcessThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	n := &neighbors{}
	all := shareFolder(t, n, liars(""), map[string]string{"a.go": source}, nil)
	if _, err := all[0].References(t.Context(), all[0].at(t, "a.go", "square")); err != nil {
		t.Fatal(err)
	}
	n.mu.Lock()
	n.all = nil
	n.mu.Unlock()
	for range 2 {
		_, err := all[1].References(t.Context(), all[1].at(t, "a.go", "square"))
		if err == nil || !strings.Contains(err.Error(), "is run by another process of ploke-lsp, which does not answer") {
			t.Errorf("the error is %v", err)
		}
	}
	if told := all[0].told(); len(told) != 1 {
		t.Errorf("the messages are %q", told)
	}
	all[0].Close()
	if _, err := all[1].References(t.Context(), all[1].at(t, "a.go", "square")); err != nil {
		t.Errorf("once the process has ended: %v", err)
	}
}

// TestLyingProcesses answers with what is none, or with places that are not in the texts.
func TestLyingProcesses(t *testing.T) {
	t.Parallel()
	n := &neighbors{}
	all := shareFolder(t, n, liars(""), map[string]string{"a.go": source}, nil)
	if _, err := all[0].References(t.Context(), all[0].at(t, "a.go", "square")); err != nil {
		t.Fatal(err)
	}
	q := all[1].at(t, "a.go", "square")
	place := func(p Place) result {
		return result{Answer: &Answer{Hash: q.Hash, Source: "gopls\x1b[2J", Readiness: "finished", Places: []Place{p}}}
	}
	for name, tt := range map[string]struct {
		answer any
		want   string
	}{
		"words":           {"words", "what this one does not know"},
		"other members":   {map[string]any{"command": "rm"}, "what this one does not know"},
		"nothing":         {result{}, "answers another question"},
		"of another text": {result{Answer: &Answer{Hash: "0"}}, "answers another question"},
		"elsewhere":       {place(Place{Path: "/etc/passwd", End: 1}), "has changed"},
		"another hash":    {place(Place{Path: q.Path, End: 1, Hash: "0"}), "has changed"},
		"behind the end":  {place(Place{Path: q.Path, End: 1 << 40, Hash: q.Hash}), "has changed"},
		"before it":       {place(Place{Path: q.Path, Start: -1, Hash: q.Hash}), "has changed"},
		"backwards":       {place(Place{Path: q.Path, Start: 2, End: 1, Hash: q.Hash}), "has changed"},
		"an escape":       {result{Problem: "no\x1b[2J\n" + strings.Repeat("x", 1<<20)}, `no\x1b[2J`},
		"a refusal":       {failure(errors.Join(ErrRefused, errors.New("no build"))), "refused"},
		"well":            {place(Place{Path: q.Path, End: 7, Hash: q.Hash}), ""},
	} {
		n.mu.Lock()
		n.lie = func([]byte) ([]byte, error) { return json.Marshal(tt.answer) }
		n.mu.Unlock()
		answer, err := all[1].References(t.Context(), q)
		switch {
		case err != nil:
			if tt.want == "" || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\x1b\n") || len(err.Error()) > 2000 {
				t.Errorf("%s: the error is %.2000q, want %q", name, err, tt.want)
			}
			if name == "a refusal" && !errors.Is(err, ErrRefused) {
				t.Errorf("%v is not known as a refusal", err)
			}
		case tt.want != "" || strings.Contains(answer.Source, "\x1b") || answer.Readiness != Unknown:
			t.Errorf("%s: %+v, want %q", name, answer, tt.want)
		}
	}
}

// TestHostileQuestions asks the process that runs a server what it must not answer. It goes on working.
func TestHostileQuestions(t *testing.T) {
	t.Parallel()
	all := shareFolder(t, &neighbors{}, liars(""), map[string]string{"a.go": source, ".gitignore": "secret.go\n", "secret.go": source}, nil)
	f := all[0]
	q := f.at(t, "a.go", "square")
	if _, err := f.References(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	good := request{Command: liars(""), Kind: references, Path: q.Path, Offset: q.Offset, Hash: q.Hash}
	for name, change := range map[string]func(r *request){
		"another command":       func(r *request) { r.Command = []string{"sh", "-c", "false"} },
		"no command":            func(r *request) { r.Command = nil },
		"another kind":          func(r *request) { r.Kind = "executeCommand" },
		"no kind":               func(r *request) { r.Kind = "" },
		"a file elsewhere":      func(r *request) { r.Path = "/etc/passwd" },
		"a file above":          func(r *request) { r.Path = f.root + "/../" + filepath.Base(f.root) + "/a.go" },
		"no file":               func(r *request) { r.Path = "" },
		"an ignored file":       func(r *request) { r.Path = filepath.Join(f.root, "secret.go") },
		"behind the end":        func(r *request) { r.Offset = 1 << 40 },
		"before the beginning":  func(r *request) { r.Offset = -1 },
		"another text":          func(r *request) { r.Hash = "0" },
		"a text elsewhere":      func(r *request) { r.Unsaved = []Text{{"/etc/passwd", nil}} },
		"a text that is none":   func(r *request) { r.Unsaved = []Text{{q.Path, []byte("\xff")}} },
		"problems elsewhere":    func(r *request) { r.Kind, r.Files = problems, []string{"/etc/passwd"} },
		"laid over a file else": func(r *request) { r.Kind, r.Files, r.Laid = problems, []string{q.Path}, []Text{{"/etc/passwd", nil}} },
	} {
		r := good
		change(&r)
		question, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.Answer(t.Context(), f.root, question)
		var given result
		if err == nil {
			err = decode(data, &given)
		}
		if err == nil && given.Problem == "" {
			t.Errorf("%s: the answer is %s", name, data)
		}
	}
	for _, garbage := range []string{"", "{", "null", "[]", `{"kind":1}`, `{"more":1}`, strings.Repeat("[", 1<<20)} {
		if data, err := f.Answer(t.Context(), f.root, []byte(garbage)); err == nil {
			t.Errorf("%.20q: the answer is %s", garbage, data)
		}
	}
	if _, err := f.Answer(t.Context(), "/elsewhere", []byte("{}")); !errors.Is(err, errNotHere) {
		t.Errorf("another folder: %v", err)
	}
	question, _ := json.Marshal(good)
	if data, err := f.Answer(t.Context(), f.root, question); err != nil || !strings.Contains(string(data), `"answer"`) {
		t.Errorf("afterwards: %s, %v", data, err)
	}
}

// TestTurns has those with the same texts run side by side, others wait, and none of them for ever.
func TestTurns(t *testing.T) {
	t.Parallel()
	var turns turns
	enter := func(key string) <-chan error {
		done := make(chan error, 1)
		go func() { done <- turns.enter(t.Context(), key) }()
		return done
	}
	waiting := func(want int) {
		t.Helper()
		testbed.Eventually(t, func() bool {
			turns.mu.Lock()
			defer turns.mu.Unlock()
			return len(turns.waiting) == want
		}, func() string { return "they do not wait" })
	}
	for range 2 {
		if err := testbed.Receive(t, enter("a"), "a turn"); err != nil {
			t.Fatal(err)
		}
	}
	other := enter("b")
	waiting(1)
	late := enter("a") // it must not pass the one that waits
	waiting(2)
	single := enter(alone)
	waiting(3)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := turns.enter(ctx, "c"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that gives up: %v", err)
	}
	waiting(3)
	turns.leave()
	waiting(3)
	for _, next := range []<-chan error{other, late, single} {
		turns.leave()
		if err := testbed.Receive(t, next, "the next turn"); err != nil {
			t.Fatal(err)
		}
	}
	after := enter(alone)
	waiting(1)
	turns.leave()
	if err := testbed.Receive(t, after, "the last turn"); err != nil {
		t.Fatal(err)
	}
}
