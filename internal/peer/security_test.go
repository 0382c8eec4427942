package peer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net"
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
	conn, err := (&address{paths: slices.Sorted(maps.Keys(m.listeners))[:1]}).await(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	return conn
}

// TestAProcessOfAnotherUserIsToldNothing connects to a process, and asks one, that is taken for another user's.
func TestAProcessOfAnotherUserIsToldNothing(t *testing.T) {
	dir, heard := place(t), make(chan int)
	listenAs(t, dir, "0", func(c net.Conn) {
		n, _ := c.Read(make([]byte, 1))
		c.Close()
		heard <- n
	})
	there, err := addressesIn([]string{dir})
	if err != nil || len(there) != 1 {
		t.Fatalf("the addresses are %v, %v", there, err)
	}
	const other = "another user"
	for name, speak := range map[string]func() error{
		"who follows": func() error {
			conn, err := there[0].await(t.Context())
			if err != nil {
				return err
			}
			defer conn.Close()
			return newMember(Options{Texts: true, Listener: newEars()}, other).relay(conn, "0", func() {})
		},
		"who asks": func() error {
			_, err := (&asker{user: other, question: []byte("why")}).askOne(t.Context(), &there[0])
			return err
		},
	} {
		if err := speak(); !errors.Is(err, errForeign) {
			t.Errorf("%s: %v", name, err)
		}
		if <-heard > 0 {
			t.Errorf("%s speaks", name)
		}
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
		"no hello":                frame(&header{Type: typeOpen, Path: []byte(at + "/a")}),
		"no JSON":                 append([]byte{0, 0, 0, 2, 0, 0, 0, 0}, "{]"...),
		"lengths without end":     append(huge, huge...),
		"a type that is not":      append(hello, frame(&header{Type: "accept", Path: []byte(at + "/a")})...),
		"a path that is relative": append(hello, frame(&header{Type: typeOpen, Path: []byte("../a")})...),
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t)
			if err := makePrivate(dir); err != nil {
				t.Fatal(err)
			}
			l := listenOn(t, filepath.Join(dir, "1"))
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
				other.Set(at+"/other", 1, text("open"))
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
	m.Set(at+"/a", 1, text("still there"))
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
		editor.Set(at+"/a", int32(i), text(long+string(rune('a'+i%26))))
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
	path := func(i int) string { return at + "/" + string(rune('a'+i)) }
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
		if err := h.open(Document{Path: at + "/" + strings.Repeat("x", i)}); err != nil {
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
	writeFrame(&b, &header{Type: typeOpen, Path: []byte(at + "/a"), Version: 3}, []byte("text"))
	f.Add(b.Bytes())
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, text, err := readFrame(bytes.NewReader(data))
		if err == nil && len(text) > len(data) {
			t.Errorf("%d bytes of text in %d bytes: %+v", len(text), len(data), h)
		}
	})
}
