package peer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
)

// discover follows the others that are there, and looks again when one of them may be new,
// until ctx ends.
func (m *Member) discover(ctx context.Context) {
	var listing sync.WaitGroup
	m.followNew(ctx, &listing)
	m.running.others.Go(func() {
		listing.Wait()
		close(m.listed)
	})
	for sleep(ctx, scanPause) {
		select {
		case <-m.rescan:
		case <-ctx.Done():
			return
		}
		m.followNew(ctx, &sync.WaitGroup{})
	}
}

// followNew follows the others that are not followed yet, on goroutines of their own. listing
// waits until each of them has listed its documents or is not followed any more.
func (m *Member) followNew(ctx context.Context, listing *sync.WaitGroup) {
	there, err := addressesIn(m.options.Dirs)
	if err != nil {
		m.options.Log.Debug("a place is left out in which others may be", "error", err)
	}
	m.forget(there)
	for _, one := range there {
		if one.name == m.name || !m.begin(one.name) {
			continue
		}
		conn, err := one.dial()
		if err != nil && !errors.Is(err, errBusy) { // its process is dead, or leaves
			m.end(one.name, true)
			continue
		}
		listing.Add(1)
		m.running.others.Go(func() {
			listed := sync.OnceFunc(listing.Done)
			defer listed()
			m.follow(ctx, conn, &one, listed)
		})
	}
}

// forget forgets those that are not there any more and that were not to be followed again.
func (m *Member) forget(there []address) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.following, func(name string, followed bool) bool {
		return !followed && !slices.ContainsFunc(there, func(a address) bool { return a.name == name })
	})
}

// begin reports whether a peer is to be followed from now on.
func (m *Member) begin(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.following[name]; known || len(m.following) >= maxConnections {
		return false
	}
	m.following[name] = true
	return true
}

// end notes that a peer is not followed any more, and whether it is to be followed if it turns up
// again.
func (m *Member) end(name string, again bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if again {
		delete(m.following, name)
	} else {
		m.following[name] = false
	}
}

// follow listens to a peer until the connection ends. conn is nil if the peer is busy.
func (m *Member) follow(ctx context.Context, conn net.Conn, to *address, listed func()) {
	if conn == nil {
		var err error
		if conn, err = to.await(ctx); err != nil {
			m.end(to.name, true)
			return
		}
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()
	err := m.relay(conn, to.name, listed)
	refused := isRefusal(err)
	if refused {
		m.options.Log.Warn("another process that has this folder open is not listened to", "error", err)
	}
	m.end(to.name, !refused)
}

// errRefused says that one of the ends refuses the version of the other.
var errRefused = errors.New("refused")

// isRefusal reports whether one of the ends does not want the other, rather than that it has left.
func isRefusal(err error) bool {
	return errors.Is(err, errProtocol) || errors.Is(err, errRefused) || errors.Is(err, errForeign)
}

// relay passes what a peer says on to the Listener until the connection ends.
func (m *Member) relay(conn net.Conn, name string, listed func()) error {
	pid, err := checkServer(conn, m.user)
	if err != nil {
		return err
	}
	hello := header{Type: typeHello, Version: version, Program: m.options.Program, Texts: m.options.Texts}
	if err := writeFrame(conn, &hello, nil); err != nil {
		return err
	}
	in := bufio.NewReader(conn)
	answer, _, err := readFrame(in)
	switch {
	case err != nil:
		return err
	case answer.Type != typeHello:
		return fmt.Errorf("%w: it did not answer hello", errProtocol)
	case answer.Refused != "":
		return fmt.Errorf("%w: %s", errRefused, answer.Refused)
	case answer.Version != version:
		return fmt.Errorf("%w: %s", errRefused, refusal(m.options.Program, answer))
	}
	m.setPeer(name, &Peer{PID: pid, Program: answer.Program, State: answer.State})
	defer m.setPeer(name, nil)
	defer m.options.Listener.PeerGone(name)
	h := received{listener: m.options.Listener, peer: name, texts: m.options.Texts, sizes: map[string]int{}}
	for {
		message, text, err := readFrame(in)
		if err != nil {
			return err
		}
		if message.Type == typeListed {
			listed()
			continue
		}
		if err := h.take(message, text); err != nil {
			return err
		}
	}
}
