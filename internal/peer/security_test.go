//go:build linux || darwin

package peer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// dial connects to a member without saying anything.
func dial(t testing.TB, m *Member) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", slices.Sorted(maps.Keys(m.listeners))[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	return conn
}

// TestOtherUsersAreRefused has members that take another user for theirs.
func TestOtherUsersAreRefused(t *testing.T) {
	dir := place(t)
	var log bytes.Buffer
	e := newEars()
	stranger := newMember(Options{Dirs: []string{dir}, Texts: true, Listener: e, Log: slog.New(slog.NewTextHandler(&log, nil))},
		os.Geteuid()+1)
	editor, _ := join(t, dir)
	editor.Set("/a.go", 1, text("secret"))
	if err := stranger.start(); err != nil {
		t.Fatal(err)
	}
	stranger.AwaitListed(t.Context())
	conn := dial(t, stranger)
	writeFrame(conn, &header{Type: typeHello, Version: version, Texts: true}, nil)
	if got, err := io.ReadAll(conn); len(got) > 0 {
		t.Errorf("it answers %q, %v", got, err)
	}
	stranger.Close()
	if e.calls > 0 || !strings.Contains(log.String(), "belongs to another user") {
		t.Errorf("%d calls; the log: %s", e.calls, &log)
	}
}

// TestAnotherVersionIsRefused speaks another version, from both ends.
func TestAnotherVersionIsRefused(t *testing.T) {
	const want = "they speak version 1 and version 7 of the protocol between processes; update the older one"
	dir := place(t)
	m, _ := join(t, dir)
	conn := dial(t, m)
	if err := writeFrame(conn, &header{Type: typeHello, Version: 7, Program: "9.9", Texts: true}, nil); err != nil {
		t.Fatal(err)
	}
	answer, _, err := readFrame(conn)
	if err != nil || !strings.Contains(answer.Refused, "ploke-lsp test and ploke-lsp 9.9 have the same folder open") ||
		!strings.Contains(answer.Refused, want) {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection goes on: %v", err)
	}
}

// TestWhoRefusesIsNotAskedAgain connects to a socket that refuses, or answers with garbage, and
// has many others join meanwhile.
func TestWhoRefusesIsNotAskedAgain(t *testing.T) {
	frame := func(h *header) []byte {
		var b bytes.Buffer
		if err := writeFrame(&b, h, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	hello := frame(&header{Type: typeHello, Version: version})
	huge := binary.BigEndian.AppendUint32(nil, 1<<31)
	for name, answer := range map[string][]byte{
		"a refusal":               frame(&header{Type: typeHello, Version: 7, Refused: "update"}),
		"no hello":                frame(&header{Type: typeOpen, Path: []byte("/a")}),
		"no JSON":                 append([]byte{0, 0, 0, 2, 0, 0, 0, 0}, "{]"...),
		"lengths without end":     append(huge, huge...),
		"a type that is not":      append(hello, frame(&header{Type: "accept", Path: []byte("/a")})...),
		"a path that is relative": append(hello, frame(&header{Type: typeOpen, Path: []byte("../a")})...),
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t)
			if err := makePrivate(dir); err != nil {
				t.Fatal(err)
			}
			l, err := listenAt(filepath.Join(dir, "1"))
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			asked := make(chan struct{}, 100)
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					asked <- struct{}{}
					conn.Write(answer)
					io.Copy(io.Discard, conn)
					conn.Close()
				}
			}()
			m, e := join(t, dir)
			m.AwaitListed(t.Context())
			for range 3 {
				other, _ := join(t, dir)
				other.Set("/other", 1, text("open"))
				e.await(t, "/other=open")
				other.Close()
				e.await(t)
			}
			if n := len(asked); n > 4 { // once by each of the four
				t.Errorf("%d processes asked %d times", 4, n)
			}
		})
	}
}

// TestGarbageEndsAConnection sends what is not in the protocol to a member. Others go on.
func TestGarbageEndsAConnection(t *testing.T) {
	dir := place(t)
	m, _ := join(t, dir)
	var hello bytes.Buffer
	if err := writeFrame(&hello, &header{Type: typeHello, Version: version}, nil); err != nil {
		t.Fatal(err)
	}
	for name, garbage := range map[string]string{
		"HTTP":                   "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"lengths without end":    "\xff\xff\xff\xff\xff\xff\xff\xff",
		"no JSON":                "\x00\x00\x00\x02\x00\x00\x00\x00{]",
		"speaking after hello":   hello.String() + "x",
		"a flood after hello":    hello.String() + strings.Repeat("x", 1<<20),
		"another type than that": "\x00\x00\x00\x0f\x00\x00\x00\x00{\"type\":\"open\"}",
	} {
		conn := dial(t, m)
		go io.WriteString(conn, garbage)
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: %v", name, err)
		}
	}
	m.Set("/a", 1, text("still there"))
	_, e := join(t, dir)
	e.await(t, "/a=still there")
}

// TestWhoHangsCostsNothing connects to a member as often as it lets, without reading, or without
// saying hello. Its memory stays bounded while it types, and others see the text.
func TestWhoHangsCostsNothing(t *testing.T) {
	dir := place(t)
	editor, _ := join(t, dir)
	_, e := join(t, dir)
	for range 4 {
		conn := dial(t, editor)
		if err := writeFrame(conn, &header{Type: typeHello, Version: version, Texts: true}, nil); err != nil {
			t.Fatal(err)
		}
		dial(t, editor)
	}
	long := strings.Repeat("x", 1<<20)
	var before, after runtime.MemStats
	for i := range 200 {
		if i == 100 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		editor.Set("/a", int32(i), text(long+string(rune('a'+i%26))))
	}
	e.await(t, "/a="+long+string(rune('a'+199%26)))
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
}

// TestAFullProcessRefusesMore connects more often than a member allows.
func TestAFullProcessRefusesMore(t *testing.T) {
	m, _ := join(t, place(t))
	var conns []net.Conn
	for range maxConnections {
		conns = append(conns, dial(t, m))
	}
	if _, err := dial(t, m).Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("one too many is let in: %v", err)
	}
	for _, c := range conns {
		c.Close()
	}
}

// TestAPlaceThatOthersCanEnterIsRefused prepares the folder before the first peer.
func TestAPlaceThatOthersCanEnterIsRefused(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"its mode is open": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o755)) },
		"the folder around it": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Dir(dir), 0o700), os.Chmod(filepath.Dir(dir), 0o777))
		},
		"a link":    func(dir string) error { return os.Symlink(filepath.Dir(filepath.Dir(dir)), dir) },
		"a file":    func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"another's": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 65534, -1)) },
	} {
		if name == "another's" && os.Geteuid() != 0 {
			continue // only root can give a folder away
		}
		t.Run(name, func(t *testing.T) {
			dir := place(t)
			if name != "the folder around it" {
				if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := Join(Options{Dirs: []string{dir}, Listener: newEars()}); err == nil ||
				!strings.Contains(err.Error(), "not a folder that only you can enter") {
				t.Errorf("joining: %v", err)
			}
		})
	}
}

// hidden remembers which documents are hidden, and no text.
type hidden struct {
	*ears
	why map[string]string
}

func (h *hidden) PeerOpened(_ string, d Document) { h.why[d.Path] = d.Hidden }

// TestTheKeptTextsAreBounded says more than a peer may.
func TestTheKeptTextsAreBounded(t *testing.T) {
	e := &hidden{ears: newEars(), why: map[string]string{}}
	h := received{listener: e, peer: "t", texts: true, sizes: map[string]int{}}
	large := make([]byte, maxText)
	path := func(i int) string { return "/" + string(rune('a'+i)) }
	for i := range maxTexts/maxText + 1 {
		if err := h.open(Document{Path: path(i), Text: large}); err != nil {
			t.Fatal(err)
		}
	}
	last := path(maxTexts / maxText)
	if e.why[last] == "" || e.why[path(0)] != "" {
		t.Errorf("hidden are %v, want the last one", e.why)
	}
	if err := h.take(&header{Type: typeClosed, Path: []byte(path(0))}, nil); err != nil {
		t.Fatal(err)
	}
	if err := h.open(Document{Path: last, Text: large}); err != nil || e.why[last] != "" {
		t.Errorf("the text is not kept after another was closed: %v", err)
	}
	for i := range maxDocuments + 1 {
		if err := h.open(Document{Path: "/" + strings.Repeat("x", i)}); err != nil {
			if !errors.Is(err, errProtocol) {
				t.Error(err)
			}
			return
		}
	}
	t.Error("one may have more documents open than are allowed")
}

// FuzzReadFrame reads any bytes.
func FuzzReadFrame(f *testing.F) {
	var b bytes.Buffer
	writeFrame(&b, &header{Type: typeOpen, Path: []byte("/a"), Version: 3}, []byte("text"))
	f.Add(b.Bytes())
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, text, err := readFrame(bytes.NewReader(data))
		if err == nil && len(text) > len(data) {
			t.Errorf("%d bytes of text in %d bytes: %+v", len(text), len(data), h)
		}
	})
}
