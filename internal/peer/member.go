package peer

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// version is the version of the protocol.
const version = 1

const (
	// maxConnections is how many connections a process accepts at most, how many peers it follows, and how many it waits
	// for at a time when it asks.
	maxConnections = 128
	// helloTimeout is how long a process that connects has to say hello.
	helloTimeout = 5 * time.Second
	// scanPause is how long a process waits at least between two scans of the folder for others.
	scanPause = 20 * time.Millisecond
)

// ErrUnsupported says that peers can't meet on this system.
var ErrUnsupported = errors.New("processes that have the same folder open can't meet on this system, because it does " +
	"not tell whose process is at the other end of a socket")

// Document is a document that is open in a peer's editor.
type Document struct {
	Path    string // absolute
	Version int32
	Text    []byte // UTF-8, with its byte order mark; the callee owns it
	Hidden  string // why there is no text; "" if there is one, or texts were not asked for
}

// A Listener is told what the peers say. Calls about one peer come one at a time, those about
// several at once. After Gone, none about that peer come.
type Listener interface {
	// PeerOpened takes a document that was opened, or its new text.
	PeerOpened(peer string, d Document)
	// PeerClosed takes the path of a document that was closed.
	PeerClosed(peer, path string)
	// PeerChangedProposals takes the ids of proposals that have changed, and of turns whose
	// proposals are ready for the person.
	PeerChangedProposals(peer string, proposals, turns []string)
	// PeerGone is told that nothing is known of a peer any more.
	PeerGone(peer string)
}

// Options are those of a member. Dirs and Listener are required.
type Options struct {
	Dirs     []string // where the peers meet; see [Dirs]
	Program  string   // the version of the program, for the messages of the other end
	State    string   // names the state folder, for the same; see [StateID]
	Texts    bool     // the Listener wants the texts of documents
	Listener Listener
	// Answer answers the questions of [Ask]. An error refuses a question; the process that asked finds the answer
	// itself then. nil refuses all. It is called from several goroutines at once.
	Answer func(ctx context.Context, question []byte) (answer []byte, err error)
	Log    *slog.Logger // nil discards
}

// A Member is this process among its peers. It is safe for concurrent use.
type Member struct {
	options   Options
	name      string                  // of its addresses
	user      string                  // whom the processes belong to that it connects to
	listeners map[string]net.Listener // by address: one in each place in which it can listen
	published *published
	stop      context.CancelFunc
	rescan    chan struct{} // holds a token if there may be others to follow
	listed    chan struct{} // closed when all that were found at first have listed their documents
	running   running

	mu          sync.Mutex
	following   map[string]bool // names of the peers; false if they are not listened to any more
	connections int             // of others to this process
	peers       map[string]Peer // those that are listened to, by name
}

// running is what a member waits for when it closes.
type running struct {
	accepting sync.WaitGroup // new connections
	serving   sync.WaitGroup // the processes that have connected
	others    sync.WaitGroup // all other goroutines
}

// Join makes this process known to the others, and listens to them.
func Join(o Options) (*Member, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	user, err := currentUser()
	if err != nil {
		return nil, err
	}
	m := newMember(o, user)
	return m, m.start()
}

func newMember(o Options, user string) *Member {
	var random [nameBytes]byte
	rand.Read(random[:])
	return &Member{options: o, user: user, name: hex.EncodeToString(random[:]), listeners: map[string]net.Listener{},
		published: newPublished(), rescan: make(chan struct{}, 1), listed: make(chan struct{}), following: map[string]bool{}}
}

func (m *Member) start() (err error) {
	if err := m.listen(); err != nil {
		return fmt.Errorf("meeting other processes of this folder: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	for _, l := range m.listeners {
		m.running.accepting.Go(func() { m.accept(ctx, l) })
	}
	m.running.others.Go(func() { m.discover(ctx) })
	m.running.others.Go(func() { sweep(ctx, m.options.Dirs) })
	return nil
}

// listen listens in each place in which that is possible. It fails if there is none. Another process may be able to
// listen in fewer of them, such as one to which a disk is read-only.
func (m *Member) listen() error {
	var failed []error
	for _, dir := range m.options.Dirs {
		path := filepath.Join(dir, m.name)
		l, err := listen(path, m.user)
		if err != nil {
			failed = append(failed, err)
			m.options.Log.Debug("other processes are not met in a place", "error", err)
			continue
		}
		m.listeners[path] = l
	}
	if len(m.listeners) == 0 {
		return errors.Join(failed...)
	}
	return nil
}

// attempts is how often a process tries to create its address, as others remove the empty folder.
const attempts = 20

// listen creates an address of a user, and the folder that it is in.
func listen(path, user string) (l net.Listener, err error) {
	for range attempts {
		if err = makePrivate(filepath.Dir(path)); err == nil {
			l, err = listenAt(path, user)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return l, err
}

const (
	// nameBytes is the length of the name of an address, which is in hexadecimal digits.
	nameBytes = 4
	// newSuffix ends the name of an address at which no process listens yet.
	newSuffix = ".new"
)

// flushTime is how long Close waits for peers that are slow to read what was said before.
const flushTime = 250 * time.Millisecond

// Close leaves the others, after they were told what was said before. It waits for the calls of
// the Listener that run.
func (m *Member) Close() {
	for _, l := range m.listeners {
		l.Close()
	}
	m.running.accepting.Wait()
	m.published.leave()
	flushed := make(chan struct{})
	go func() {
		m.running.serving.Wait()
		close(flushed)
	}()
	select {
	case <-flushed:
	case <-time.After(flushTime):
	}
	m.stop()
	<-flushed
	m.running.others.Wait()
	for path := range m.listeners {
		os.Remove(path)
		os.Remove(filepath.Dir(path)) // fails if others are there
	}
}

// Set publishes the text of a document that is open, until Remove. The path is absolute.
func (m *Member) Set(path string, version int32, text Content) {
	m.published.set(path, publishedDocument{version: version, text: text})
}

// Hide publishes that a document is open, but not its text; why says the reason.
func (m *Member) Hide(path, why string) { m.published.set(path, publishedDocument{hidden: why}) }

// Remove ends what Set or Hide has published of a document.
func (m *Member) Remove(path string) { m.published.remove(path) }

// Announce tells the peers that there are now proposals that have changed, and turns whose proposals are ready
// for the person. A peer that comes before the next call is told that the proposals in waiting have changed.
func (m *Member) Announce(proposals, turns, waiting []string) {
	m.published.announce(proposals, turns, waiting)
}

// Peers returns the processes that are listened to, in the order of their ids.
func (m *Member) Peers() []Peer {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Values(m.peers),
		func(a, b Peer) int { return cmp.Or(cmp.Compare(a.PID, b.PID), cmp.Compare(a.Program, b.Program)) })
}

// Peer returns the process that is listened to under a name, as the Listener gets it.
func (m *Member) Peer(name string) (p Peer, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok = m.peers[name]
	return p, ok
}

// setPeer notes which peer is listened to under a name; nil means none any more.
func (m *Member) setPeer(name string, p *Peer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p == nil {
		delete(m.peers, name)
		return
	}
	if m.peers == nil {
		m.peers = map[string]Peer{}
	}
	m.peers[name] = *p
}

// AwaitListed waits until the peers that were there at first have told all documents that they
// have open, or until ctx ends.
func (m *Member) AwaitListed(ctx context.Context) {
	select {
	case <-m.listed:
	case <-ctx.Done():
	}
}
