package peer

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// strictEars fail if they are told what no peer may say.
type strictEars struct {
	t testing.TB

	mu   sync.Mutex
	open map[string]bool
	gone bool
}

func (e *strictEars) hear(path string, open bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gone || !filepath.IsAbs(path) {
		e.t.Errorf("%q is received; gone: %v", path, e.gone)
	}
	if e.open[path] = open; !open {
		delete(e.open, path)
	}
	if len(e.open) > maxDocuments {
		e.t.Errorf("%d documents are open", len(e.open))
	}
}

func (e *strictEars) PeerOpened(_ string, d Document) {
	e.hear(d.Path, true)
	if d.Hidden != "" && d.Text != nil || len(d.Text) > maxText {
		e.t.Errorf("%d bytes of a text, hidden for %q", len(d.Text), d.Hidden)
	}
}

func (e *strictEars) PeerClosed(_, path string)                       { e.hear(path, false) }
func (e *strictEars) PeerChangedProposals(string, []string, []string) { e.hear(at+"/", false) }

func (e *strictEars) PeerGone(string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone = true
}

// FuzzPeer has another process of the folder send any bytes: to who it connects to, to who connects to it, and to who has
// asked it. Each is done when it leaves, keeps nothing, and makes room only for what has come.
func FuzzPeer(f *testing.F) {
	frames := func(messages ...any) []byte {
		var b bytes.Buffer
		for i := 0; i < len(messages); i += 2 {
			if err := writeFrame(&b, messages[i].(*header), []byte(messages[i+1].(string))); err != nil {
				f.Fatal(err)
			}
		}
		return b.Bytes()
	}
	hello := &header{Type: typeHello, Version: version, Program: "1", Texts: true}
	f.Add(frames(hello, ""))
	f.Add(frames(hello, "", &header{Type: typeOpen, Path: []byte(at + "/a"), Version: 3}, "text", &header{Type: typeListed}, "",
		&header{Type: typeClosed, Path: []byte(at + "/a")}, "", &header{Type: typeProposals, Proposals: []string{"p"}, Turns: []string{"t"}}, ""))
	f.Add(frames(hello, "", &header{Type: typeOpen, Path: []byte("a")}, ""))
	f.Add(frames(&header{Type: typeHello, Version: 7, Refused: "no"}, ""))
	f.Add(frames(&header{Type: typeAsk, Version: version, Program: "1"}, "why"))
	f.Add(frames(&header{Type: typeAsk, Version: version, Program: "2"}, ""))
	f.Add(frames(&header{Type: typeTaken}, "", &header{Type: typeTaken}, "", &header{Type: typeAnswer}, "because"))
	f.Add(frames(&header{Type: typeAnswer, Refused: "no"}, ""))
	f.Add([]byte("\x00\x0f\xff\xff\x00\xff\xff\xff{\"type\":\"open\""))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	user := ownUser(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for role, play := range map[string]func(*Member, net.Conn) []byte{
			"it connects":      func(m *Member, conn net.Conn) []byte { _ = m.serve(t.Context(), conn); return nil },
			"it is received":   func(m *Member, conn net.Conn) []byte { _ = m.relay(conn, "peer", func() {}); return nil },
			"it takes, answer": func(_ *Member, conn net.Conn) []byte { answer, _ := awaitAnswer(conn); return answer },
		} {
			ears := &strictEars{t: t, open: map[string]bool{}}
			m := &Member{user: user, published: newPublished(), rescan: make(chan struct{}, 1), following: map[string]bool{},
				options: Options{
					Program: "1", Texts: true, Listener: ears, Log: slog.New(slog.DiscardHandler),
					Answer: func(_ context.Context, question []byte) ([]byte, error) { return slices.Clone(question), nil },
				}}
			m.Set(at+"/own", 1, text("typed"))
			ours, theirs := connected(t)
			var speaking sync.WaitGroup
			speaking.Go(func() {
				theirs.Write(data)
				if half, ok := theirs.(interface{ CloseWrite() error }); ok {
					half.CloseWrite()
				} else { // a pipe has no halves, and keeps what was written
					theirs.Close()
				}
				buffer := make([]byte, 1<<10)
				for {
					if _, err := theirs.Read(buffer); err != nil {
						return
					}
				}
			})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			answer := play(m, ours)
			runtime.ReadMemStats(&after)
			ours.Close()
			m.running.serving.Wait()
			speaking.Wait()
			theirs.Close()
			if made := after.TotalAlloc - before.TotalAlloc; made > 1<<20+100*uint64(len(data)) {
				t.Errorf("%s: %d bytes of memory for %d", role, made, len(data))
			}
			if len(answer) > len(data) || len(m.published.listeners) > 0 {
				t.Errorf("%s: an answer of %d bytes, %d listeners", role, len(answer), len(m.published.listeners))
			}
		}
	})
}
