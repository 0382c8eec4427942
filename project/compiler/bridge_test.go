package compiler

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/workspace"
)

// bridged is an editor with one file open, and a server that knows one use in it.
type bridged struct {
	mu       sync.Mutex
	versions map[string]int32
	server   EditorServer
	asked    int
	// answer returns the answer to the nth request.
	answer func(ctx context.Context, n int, r EditorRequest) (*EditorAnswer, error)
}

func (b *bridged) Name() string { return "Editor 1.0" }

func (b *bridged) Versions() map[string]int32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[string]int32{}
	for path, version := range b.versions {
		all[path] = version
	}
	return all
}

func (b *bridged) Servers(context.Context, string) ([]EditorServer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return []EditorServer{b.server}, nil
}

func (b *bridged) Ask(ctx context.Context, r EditorRequest) (*EditorAnswer, error) {
	b.mu.Lock()
	b.asked++
	n := b.asked
	b.mu.Unlock()
	return b.answer(ctx, n, r)
}

// bridgeTo returns a bridge to the editor, the question about f, and what the person was told.
func bridgeTo(t *testing.T, editor *bridged) (*Bridge, Question, *[]string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, text := filepath.Join(root, "a.go"), "package a\n\nfunc f() { f() }\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	editor.versions = map[string]int32{path: 1}
	if editor.server.ID == "" {
		editor.server = EditorServer{ID: "1", Name: "gopls", Methods: []string{lspclient.MethodReferences}, Ended: []string{"Loading"}}
	}
	told := new([]string)
	bridge := NewBridge(BridgeOptions{Editor: editor, Workspace: ws, Notice: func(text string) { *told = append(*told, text) }})
	return bridge, Question{Path: path, Offset: strings.Index(text, "f()"), Hash: workspace.Hash([]byte(text))}, told
}

// one is an answer with the use, and with the declaration, which does not count.
func one(r EditorRequest) *EditorAnswer {
	at := func(start, end string) string {
		return `{"uri":"file://` + r.Path + `","range":{"start":{"line":2,"character":` + start + `},"end":{"line":2,"character":` + end + `}}}`
	}
	return &EditorAnswer{Result: []byte("[" + at("11", "12") + "," + at("5", "6") + "]")}
}

// TestABridgeIsBounded asks an editor that never answers: it is not asked again for a while, longer each time, and the
// person is told once.
func TestABridgeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		editor := &bridged{answer: func(ctx context.Context, _ int, _ EditorRequest) (*EditorAnswer, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		bridge, q, told := bridgeTo(t, editor)
		for _, pause := range []time.Duration{callPause, 2 * callPause, 4 * callPause} {
			began := time.Now()
			if _, err := bridge.References(t.Context(), q); err == nil || err.Error() != "Editor 1.0 has not answered within 14s" ||
				time.Since(began) != callTime {
				t.Errorf("%v after %v", err, time.Since(began))
			}
			time.Sleep(pause - time.Second)
			if _, err := bridge.References(t.Context(), q); !errors.Is(err, ErrNone) {
				t.Errorf("asked again: %v", err)
			}
			time.Sleep(time.Second)
		}
		if editor.asked != 3 || len(*told) != 1 || !strings.Contains((*told)[0], "searched by name instead") {
			t.Errorf("asked %d times, told %q", editor.asked, *told)
		}
		editor.answer = func(_ context.Context, _ int, r EditorRequest) (*EditorAnswer, error) { return one(r), nil }
		if a, err := bridge.References(t.Context(), q); err != nil || len(a.Places) != 1 {
			t.Errorf("%v, %v", a, err)
		}
	})
}

// TestABridgeLeavesAServerAlone that has needed long for nothing, without a word.
func TestABridgeLeavesAServerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		editor := &bridged{answer: func(context.Context, int, EditorRequest) (*EditorAnswer, error) {
			time.Sleep(12 * time.Second)
			return nil, errors.New("it has not answered")
		}}
		bridge, q, told := bridgeTo(t, editor)
		if _, err := bridge.References(t.Context(), q); err == nil || errors.Is(err, ErrNone) {
			t.Error(err)
		}
		if _, err := bridge.References(t.Context(), q); !errors.Is(err, ErrNone) {
			t.Errorf("asked again at once: %v", err)
		}
		time.Sleep(callTime)
		if _, err := bridge.References(t.Context(), q); errors.Is(err, ErrNone) || editor.asked != 2 || len(*told) != 0 {
			t.Errorf("%v, asked %d times, told %q", err, editor.asked, *told)
		}
	})
}

// TestABridgeAsksOnceMore if a text has changed meanwhile or the server has read the project by then.
func TestABridgeAsksOnceMore(t *testing.T) {
	read := EditorServer{ID: "1", Name: "gopls", Methods: []string{lspclient.MethodReferences}, Ended: []string{"Loading"}}
	loading := read
	loading.Running = []string{"Loading"}
	for name, tt := range map[string]struct {
		server    EditorServer
		answer    func(b *bridged, n int, r EditorRequest) (*EditorAnswer, error)
		asked     int
		readiness Readiness
		err       error
	}{
		"nothing changes": {asked: 1, readiness: Complete},
		"no version":      {answer: func(_ *bridged, n int, r EditorRequest) (*EditorAnswer, error) { return nil, ErrChanged }, asked: 2, err: ErrChanged},
		"typed once": {answer: func(b *bridged, n int, r EditorRequest) (*EditorAnswer, error) {
			if n == 1 {
				b.versions[r.Path]++
			}
			return one(r), nil
		}, asked: 2, readiness: Complete},
		"typed each time": {answer: func(b *bridged, n int, r EditorRequest) (*EditorAnswer, error) {
			b.versions[r.Path]++
			return one(r), nil
		}, asked: 2, err: ErrChanged},
		"another text": {answer: func(_ *bridged, _ int, r EditorRequest) (*EditorAnswer, error) {
			a := one(r)
			a.Result = []byte(strings.NewReplacer(":11", ":1", ":12", ":4").Replace(string(a.Result))) // within func
			return a, nil
		}, asked: 2, err: ErrChanged},
		"read by then": {server: loading, answer: func(b *bridged, n int, r EditorRequest) (*EditorAnswer, error) {
			a := one(r)
			b.server = read
			a.Server = &read
			return a, nil
		}, asked: 2, readiness: Complete},
		"still reads": {server: loading, asked: 1, readiness: Loading},
		"begins to read": {server: EditorServer{ID: "1", Methods: read.Methods}, answer: func(_ *bridged, _ int, r EditorRequest) (*EditorAnswer, error) {
			a := one(r)
			a.Server = &EditorServer{Running: []string{"Loading"}}
			return a, nil
		}, asked: 1, readiness: Loading},
	} {
		t.Run(name, func(t *testing.T) {
			editor := &bridged{server: tt.server}
			editor.answer = func(_ context.Context, n int, r EditorRequest) (*EditorAnswer, error) {
				if tt.answer == nil {
					return one(r), nil
				}
				editor.mu.Lock()
				defer editor.mu.Unlock()
				return tt.answer(editor, n, r)
			}
			bridge, q, _ := bridgeTo(t, editor)
			a, err := bridge.References(t.Context(), q)
			if !errors.Is(err, tt.err) || editor.asked != tt.asked || err == nil && (a.Readiness != tt.readiness || len(a.Places) != 1) {
				t.Errorf("%v, %+v, asked %d times", err, a, editor.asked)
			}
		})
	}
}

// TestABridgeMindsOtherEditors has a place in a file of which another editor has unsaved text.
func TestABridgeMindsOtherEditors(t *testing.T) {
	editor := &bridged{answer: func(_ context.Context, _ int, r EditorRequest) (*EditorAnswer, error) { return one(r), nil }}
	bridge, q, _ := bridgeTo(t, editor)
	text, err := os.ReadFile(q.Path)
	if err != nil {
		t.Fatal(err)
	}
	bridge.options.Workspace.SetBuffer(q.Path, 1, text)
	if _, err := bridge.References(t.Context(), q); err != nil {
		t.Errorf("the editor's own text: %v", err)
	}
	editor.versions = nil // it is not this editor's
	if _, err := bridge.References(t.Context(), q); !errors.Is(err, errElsewhere) {
		t.Errorf("another editor's text: %v", err)
	}
	other := filepath.Join(filepath.Dir(q.Path), "b.go")
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	q.Path = other // which is in doubt because of the place in a.go
	editor.answer = func(_ context.Context, _ int, r EditorRequest) (*EditorAnswer, error) {
		r.Path = filepath.Join(filepath.Dir(other), "a.go")
		return one(r), nil
	}
	if _, err := bridge.References(t.Context(), q); !errors.Is(err, errElsewhere) {
		t.Errorf("a place in another editor's text: %v", err)
	}
}

// TestTheServersOfAnEditorAreListed once they have answered, each once, as they were then.
func TestTheServersOfAnEditorAreListed(t *testing.T) {
	editor := &bridged{answer: func(_ context.Context, _ int, r EditorRequest) (*EditorAnswer, error) { return one(r), nil }}
	bridge, q, _ := bridgeTo(t, editor)
	if lines := bridge.States(); len(lines) != 0 {
		t.Errorf("before a question: %q", lines)
	}
	for _, tt := range []struct {
		running, ended []string
		want           string
	}{
		{[]string{"Loading"}, nil, "gopls in Editor 1.0: it is reading the project"},
		{nil, []string{"Loading"}, "gopls in Editor 1.0: it has read the project"},
	} {
		editor.server.Running, editor.server.Ended = tt.running, tt.ended
		if _, err := bridge.References(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if lines := bridge.States(); len(lines) != 1 || lines[0] != tt.want {
			t.Errorf("the servers are %q, want %q", lines, tt.want)
		}
	}
}
