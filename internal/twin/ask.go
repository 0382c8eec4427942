package twin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"
)

// takeTimeout is how long a process has to say that it takes a question. It is short, since an
// editor may have been suspended in the same terminal.
const takeTimeout = 500 * time.Millisecond

// ErrNobody says that no process answers a question.
var ErrNobody = errors.New("no other process that has the folder open answers")

// Ask asks the processes that meet in dirs, see [Dirs], a question, one after the other, until one answers. The
// question and the answer are in a form that both ends know if they are the same version of the
// program; others refuse. It returns an error that wraps ErrNobody if none answers, such as one that
// ends meanwhile. ctx bounds the wait.
func Ask(ctx context.Context, dirs []string, program string, question []byte) (answer []byte, err error) {
	if err := supported(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNobody, err)
	}
	reasons := []error{ErrNobody}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			reasons = append(reasons, err)
		}
		for _, e := range entries {
			if e.Type() != fs.ModeSocket || filepath.Ext(e.Name()) == newSuffix {
				continue
			}
			answer, err := askOne(ctx, filepath.Join(dir, e.Name()), program, question)
			if err == nil || ctx.Err() != nil {
				return answer, ctx.Err()
			}
			reasons = append(reasons, err)
		}
	}
	return nil, errors.Join(reasons...)
}

// askOne asks the process that listens on a socket.
func askOne(ctx context.Context, socket, program string, question []byte) ([]byte, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, err // a dead process's socket is removed by the next that joins
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := checkPeer(conn, os.Geteuid()); err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(takeTimeout)); err != nil {
		return nil, err
	}
	if err := writeFrame(conn, &header{Type: typeAsk, Version: version, Program: program}, question); err != nil {
		return nil, err
	}
	if _, err := readAnswer(conn, typeTaken); err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	return readAnswer(conn, typeAnswer)
}

// readAnswer reads a message of a type. It fails if the other end refuses.
func readAnswer(conn net.Conn, kind string) ([]byte, error) {
	h, text, err := readFrame(conn)
	switch {
	case err != nil:
		return nil, err
	case h.Refused != "":
		return nil, fmt.Errorf("%w: %s", errRefused, h.Refused)
	case h.Type != kind:
		return nil, fmt.Errorf("%w: a message of the type %q", errProtocol, h.Type)
	}
	return text, nil
}

// answerQuestion answers the one question of a connection. The other end says nothing more; if it leaves,
// the work on the answer ends.
func (m *Member) answerQuestion(ctx context.Context, conn net.Conn, asked *header, question []byte) error {
	if why := m.refusedQuestion(asked); why != "" {
		return writeFrame(conn, &header{Type: typeTaken, Refused: why}, nil)
	}
	if err := writeFrame(conn, &header{Type: typeTaken}, nil); err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.talks.Go(func() {
		awaitEnd(conn) // nothing that it says now matters
		stop()
	})
	answer, err := m.options.Answer(ctx, question)
	if err == nil && len(answer) > maxText {
		err = errors.New("the answer is too large")
	}
	if err != nil {
		return writeFrame(conn, &header{Type: typeAnswer, Refused: err.Error()}, nil)
	}
	return writeFrame(conn, &header{Type: typeAnswer}, answer)
}

// refusedQuestion says why a question is not taken, "" if it is.
func (m *Member) refusedQuestion(asked *header) string {
	switch {
	case m.options.Answer == nil:
		return "this process answers no questions"
	case asked.Version != version || asked.Program != m.options.Program:
		return fmt.Sprintf("this process is ploke-lsp %s", m.options.Program)
	}
	return ""
}
