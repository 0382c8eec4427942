package peer

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen.
const patience = 60 * time.Second

// at begins the absolute paths of documents.
var at = filepath.VolumeName(os.TempDir())

// text is a Content.
type text string

func (t text) Len() int      { return len(t) }
func (t text) Bytes() []byte { return []byte(t) }

// ears remember what the peers say.
type ears struct {
	mu        sync.Mutex
	changed   chan struct{}
	texts     map[string]map[string]string // by peer and path; "hidden: why" if hidden
	proposals []string
	turns     []string
	calls     int
}

func newEars() *ears {
	return &ears{changed: make(chan struct{}), texts: map[string]map[string]string{}}
}

func (e *ears) note(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
	e.calls++
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *ears) PeerOpened(peer string, d Document) {
	e.note(func() {
		if e.texts[peer] == nil {
			e.texts[peer] = map[string]string{}
		}
		e.texts[peer][d.Path] = string(d.Text)
		if d.Hidden != "" {
			e.texts[peer][d.Path] = "hidden: " + d.Hidden
		}
	})
}

func (e *ears) PeerClosed(peer, path string) { e.note(func() { delete(e.texts[peer], path) }) }

func (e *ears) PeerChangedProposals(_ string, proposals, turns []string) {
	e.note(func() { e.proposals, e.turns = append(e.proposals, proposals...), append(e.turns, turns...) })
}

func (e *ears) PeerGone(peer string) { e.note(func() { delete(e.texts, peer) }) }

// received lists what is open in all peers, as "path=text", sorted.
func (e *ears) received() (all []string) {
	for peer := range maps.Values(e.texts) {
		for path, text := range peer {
			all = append(all, strings.TrimPrefix(path, at)+"="+text)
		}
	}
	slices.Sort(all)
	return all
}

// await waits until the ears have received exactly this.
func (e *ears) await(t testing.TB, want ...string) {
	t.Helper()
	e.awaitThat(t, fmt.Sprintf("%.500q", want), func() bool { return slices.Equal(e.received(), want) })
}

func (e *ears) awaitThat(t testing.TB, what string, holds func() bool) {
	t.Helper()
	limit := time.After(patience)
	for {
		e.mu.Lock()
		ok, changed := holds(), e.changed
		received := e.received()
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("received %.500q, want %s", received, what)
		}
	}
}

// place returns a folder where peers can meet, with a short path.
func place(t testing.TB) string {
	t.Helper()
	base, err := os.MkdirTemp("", "peer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	return Dirs(base, "key")[0]
}

// join adds a member that wants texts.
func join(t testing.TB, dir string) (*Member, *ears) {
	t.Helper()
	e := newEars()
	return joinAs(t, Options{Dirs: []string{dir}, Program: "test", Texts: true, Listener: e}), e
}

func joinAs(t testing.TB, o Options) *Member {
	t.Helper()
	m, err := Join(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// TestPeersSeeWhatIsOpen has one peer that came before the editor and one that came after it.
func TestPeersSeeWhatIsOpen(t *testing.T) {
	dir := place(t)
	_, before := join(t, dir)
	editor, _ := join(t, dir)
	editor.Set(at+"/a.go", 1, text("one"))
	editor.Hide(at+"/b.go", "it is secret")
	_, after := join(t, dir)
	for _, e := range []*ears{before, after} {
		e.await(t, "/a.go=one", "/b.go=hidden: it is secret")
	}
	editor.Set(at+"/a.go", 2, text("two"))
	editor.Set(at+"/b.go", 1, text(""))
	editor.Set(at+"/c\xff.go", 1, text("\xffnot UTF-8\n"))
	for _, e := range []*ears{before, after} {
		e.await(t, "/a.go=two", "/b.go=", "/c\xff.go=\xffnot UTF-8\n")
	}
	editor.Remove(at + "/a.go")
	editor.Remove(at + "/b.go")
	for _, e := range []*ears{before, after} {
		e.await(t, "/c\xff.go=\xffnot UTF-8\n")
	}
	editor.Close()
	for _, e := range []*ears{before, after} {
		e.await(t)
	}
}

// TestTheLastChangeArrives makes changes faster than they can be read.
func TestTheLastChangeArrives(t *testing.T) {
	dir := place(t)
	editor, _ := join(t, dir)
	_, e := join(t, dir)
	long := strings.Repeat("x", 100_000)
	for i := range 1000 {
		editor.Set(at+"/a.go", int32(i), text(fmt.Sprint(i, long)))
	}
	e.await(t, "/a.go=999"+long)
}

// TestPeersWithoutTextsSeeNames listens without asking for texts.
func TestPeersWithoutTextsSeeNames(t *testing.T) {
	dir := place(t)
	editor, _ := join(t, dir)
	editor.Set(at+"/a.go", 1, text("secret"))
	e := newEars()
	joinAs(t, Options{Dirs: []string{dir}, Listener: e})
	e.await(t, "/a.go=")
	editor.Set(at+"/a.go", 2, text("secret too"))
	editor.Set(at+"/b.go", 1, text("secret"))
	e.await(t, "/a.go=", "/b.go=")
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.calls != 2 {
		t.Errorf("%d calls for two documents that were opened", e.calls)
	}
}

// TestChangedProposalsAreTold tells more ids than one message holds.
func TestChangedProposalsAreTold(t *testing.T) {
	dir := place(t)
	one, own := join(t, dir)
	_, e := join(t, dir)
	one.Set(at+"/a", 1, text(""))
	e.await(t, "/a=") // it listens from here on
	var ids []string
	for i := range 2*idsInMessage + 1 {
		ids = append(ids, fmt.Sprintf("%06d", i))
	}
	one.Announce(ids, []string{"turn"}, nil)
	e.awaitThat(t, "all ids", func() bool { return slices.Equal(e.proposals, ids) && slices.Equal(e.turns, []string{"turn"}) })
	own.mu.Lock()
	defer own.mu.Unlock()
	if len(own.proposals) > 0 {
		t.Error("the speaker is told, too")
	}
}

// TestWaitingProposalsAreToldToWhoComesLater joins after proposals have changed.
func TestWaitingProposalsAreToldToWhoComesLater(t *testing.T) {
	dir := place(t)
	one, _ := join(t, dir)
	one.Announce([]string{"1", "2"}, nil, []string{"1", "2"})
	one.Announce(nil, []string{"turn"}, []string{"2"})
	_, e := join(t, dir)
	e.awaitThat(t, "what waits", func() bool { return slices.Equal(e.proposals, []string{"2"}) && len(e.turns) == 0 })
}

// TestWhatWasSaidBeforeLeavingArrives leaves right after speaking.
func TestWhatWasSaidBeforeLeavingArrives(t *testing.T) {
	dir := place(t)
	_, e := join(t, dir)
	for i := range 20 {
		one, _ := join(t, dir)
		one.Set(at+"/a", 1, text(""))
		e.await(t, "/a=") // it listens from here on
		id := fmt.Sprint(i)
		one.Announce([]string{id}, nil, nil)
		one.Close()
		e.awaitThat(t, "the proposal", func() bool { return slices.Contains(e.proposals, id) && len(e.received()) == 0 })
	}
}

// TestManyPeers has each of 20 peers see the documents of all others.
func TestManyPeers(t *testing.T) {
	dir := place(t)
	const count = 20
	var members [count]*Member
	var all [count]*ears
	var joining sync.WaitGroup
	for i := range members {
		joining.Go(func() {
			all[i] = newEars()
			m, err := Join(Options{Dirs: []string{dir}, Texts: true, Listener: all[i]})
			if err != nil {
				t.Error(err)
				return
			}
			members[i] = m
			m.Set(fmt.Sprintf(at+"/%02d", i), 1, text("open"))
		})
	}
	joining.Wait()
	for _, m := range members {
		if m == nil {
			t.Fatal("not all have joined")
		}
		t.Cleanup(m.Close)
	}
	for i, e := range all {
		var want []string
		for j := range all {
			if j != i {
				want = append(want, fmt.Sprintf("/%02d=open", j))
			}
		}
		e.await(t, want...)
	}
}

// TestNothingIsLeftBehind looks for files after all have left.
func TestNothingIsLeftBehind(t *testing.T) {
	dir := place(t)
	one, _ := join(t, dir)
	two, _ := join(t, dir)
	one.Close()
	two.Close()
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// TestTheFirstListIsAwaited reads what is open right after joining.
func TestTheFirstListIsAwaited(t *testing.T) {
	dir := place(t)
	editor, _ := join(t, dir)
	editor.Set(at+"/a.go", 1, text("one"))
	m, e := join(t, dir)
	m.AwaitListed(t.Context())
	e.mu.Lock()
	defer e.mu.Unlock()
	if got := e.received(); len(got) != 1 {
		t.Errorf("received %q before the end of the list", got)
	}
}
