package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// accept serves the processes that connect to an address, until that is closed.
func (m *Member) accept(ctx context.Context, l net.Listener) {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			m.options.Log.Warn("another process could not be let in", "error", err)
			if !sleep(ctx, time.Second) { // such as without free file descriptors
				return
			}
			continue
		}
		m.admit(ctx, conn)
	}
}

// sleep waits for d, and reports whether ctx has not ended meanwhile.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// admit serves a process that has connected, on a goroutine of its own.
func (m *Member) admit(ctx context.Context, conn net.Conn) {
	if !m.enter() {
		conn.Close()
		return
	}
	m.running.serving.Go(func() {
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		err := m.serve(ctx, conn)
		stop()
		conn.Close()
		m.leave()
		if isRefusal(err) {
			m.options.Log.Warn("another process that has this folder open is not told what changes", "error", err)
		}
	})
}

// enter counts a connection, unless there are as many as may be.
func (m *Member) enter() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.connections == maxConnections {
		return false
	}
	m.connections++
	return true
}

func (m *Member) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.connections--
}

// serve answers a question, or says what changes until the connection ends. It returns nil if the
// other end has left.
func (m *Member) serve(ctx context.Context, conn net.Conn) error {
	if err := checkClient(conn, m.user); err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Now().Add(helloTimeout)); err != nil {
		return err
	}
	first, text, err := readFrame(conn)
	if err != nil {
		return err
	}
	if first.Type == typeAsk {
		return m.answerQuestion(ctx, conn, first, text)
	}
	texts, err := m.answerHello(conn, first)
	if err != nil {
		return err
	}
	signal(m.rescan) // it may be new
	l := m.published.listen()
	defer m.published.forget(l)
	left := make(chan error, 1)
	m.running.serving.Go(func() { left <- awaitEnd(conn) })
	sent := map[string]int{}
	for first := true; ; first = false {
		select {
		case <-l.wake:
		case err := <-left:
			return err
		}
		all, last := m.published.news(l, sent, texts)
		if first {
			all = append(all, message{header: header{Type: typeListed}})
		}
		for _, one := range all {
			if err := one.write(conn); err != nil {
				conn.Close() // awaitEnd knows why
				return <-left
			}
		}
		if last {
			return nil
		}
	}
}

func (one *message) write(conn net.Conn) error {
	var text []byte
	if one.content != nil {
		text = one.content.Bytes()
	}
	return writeFrame(conn, &one.header, text)
}

// awaitEnd waits until the other end leaves. It is an error if it speaks.
func awaitEnd(conn net.Conn) error {
	if n, _ := conn.Read(make([]byte, 1)); n > 0 {
		conn.Close()
		return fmt.Errorf("%w: it spoke after hello", errProtocol)
	}
	return nil
}

// answerHello answers the first message. It fails unless the other end is to be
// served, and reports whether it wants texts.
func (m *Member) answerHello(conn net.Conn, hello *header) (texts bool, err error) {
	if hello.Type != typeHello {
		return false, fmt.Errorf("%w: it did not begin with hello", errProtocol)
	}
	answer := header{Type: typeHello, Version: version, Program: m.options.Program, State: m.options.State}
	if hello.Version != version {
		answer.Refused = refusal(m.options.Program, hello)
	}
	if err := writeFrame(conn, &answer, nil); err != nil {
		return false, err
	}
	if answer.Refused != "" {
		return false, fmt.Errorf("%w: %s", errRefused, answer.Refused)
	}
	return hello.Texts, conn.SetDeadline(time.Time{})
}

// refusal says why a hello of another version is refused.
func refusal(program string, hello *header) string {
	return fmt.Sprintf("ploke-lsp %s and ploke-lsp %s have the same folder open, and don't see each other's unsaved "+
		"text: they speak version %d and version %d of the protocol between processes; update the older one",
		program, hello.Program, version, hello.Version)
}
