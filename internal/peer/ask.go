package peer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"
)

const (
	// takeTimeout is how long a process has to say that it takes a question. It is short, since an
	// editor may have been suspended in the same terminal.
	takeTimeout = 500 * time.Millisecond
	// workTimeout is how long a process that looks for the answer may be silent, for the same reason.
	workTimeout = 2 * time.Second
	// workPause is how often it says that it still does.
	workPause = workTimeout / 8
	// answerTimeout is how long all of them together may take. The longest wait is for the first indexing; who asks can
	// wait for that itself, too.
	answerTimeout = 15 * time.Second
)

// ErrUnanswered says that no process answers a question.
var ErrUnanswered = errors.New("no other process that has the folder open answers")

// Ask asks the processes that meet in dirs, see [Dirs], a question until one answers. One that does not answer at once
// holds up the next one only so long that all are asked within half a second, or 128 at a time if there are more;
// their answers are awaited side by side, for 15 seconds at most. The question and the answer are in a form that both
// ends know if they are the same version of the program; others refuse. It returns an error that wraps ErrUnanswered
// if none answers, such as one that ends or is suspended meanwhile. ctx bounds the wait.
func Ask(ctx context.Context, dirs []string, program string, question []byte) (answer []byte, err error) {
	return askWithin(ctx, answerTimeout, dirs, program, question)
}

func askWithin(ctx context.Context, limit time.Duration, dirs []string, program string,
	question []byte) ([]byte, error) {
	user, err := currentUser()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	a := asker{user: user, program: program, question: question, reasons: []error{ErrUnanswered}}
	if a.addresses, err = addressesIn(dirs); err != nil {
		a.reasons = append(a.reasons, err)
	}
	limited, leave := context.WithTimeout(ctx, limit)
	defer leave()
	if answer, ok := a.ask(limited); ok {
		return answer, nil
	}
	return nil, cmp.Or(ctx.Err(), errors.Join(append(a.reasons, limited.Err())...))
}

// asker asks a question.
type asker struct {
	user      string // whom the processes belong to
	program   string
	question  []byte
	addresses []address // of the processes that are not asked yet
	waiting   int       // how many are asked that have neither answered nor failed
	reasons   []error   // why there is no answer
}

// outcome is what has become of a question to one process.
type outcome struct {
	answer []byte
	err    error
}

// ask asks until one answers, or ctx ends. The processes that are asked when it returns are left once ctx ends.
func (a *asker) ask(ctx context.Context) (answer []byte, ok bool) {
	outcomes := make(chan outcome, len(a.addresses))
	patience := time.NewTicker(takeTimeout / time.Duration(len(a.addresses)+1))
	defer patience.Stop()
	for len(a.addresses)+a.waiting > 0 {
		if a.waiting == 0 {
			a.askNext(ctx, outcomes)
		}
		select {
		case o := <-outcomes:
			a.waiting--
			if o.err == nil {
				return o.answer, true
			}
			a.reasons = append(a.reasons, o.err)
		case <-patience.C:
			if len(a.addresses) > 0 && a.waiting < maxConnections {
				a.askNext(ctx, outcomes)
			}
		case <-ctx.Done():
			return nil, false
		}
	}
	return nil, false
}

// askNext asks the next one, on a goroutine of its own.
func (a *asker) askNext(ctx context.Context, outcomes chan<- outcome) {
	next := a.addresses[0]
	a.addresses = a.addresses[1:]
	a.waiting++
	go func() {
		conn, err := a.askOne(ctx, &next)
		var answer []byte
		if err == nil {
			answer, err = awaitAnswer(conn)
		}
		outcomes <- outcome{answer, err}
	}()
}

// askOne asks a process, and returns the connection once it has taken the question. The
// connection is closed when ctx ends.
func (a *asker) askOne(ctx context.Context, to *address) (net.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, takeTimeout)
	defer cancel()
	conn, err := to.await(limited)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	_, err = checkServer(conn, a.user)
	if err == nil {
		err = conn.SetDeadline(time.Now().Add(takeTimeout))
	}
	if err == nil {
		err = writeFrame(conn, &header{Type: typeAsk, Version: version, Program: a.program}, a.question)
	}
	if err == nil {
		_, err = readAnswer(conn, typeTaken)
	}
	if err != nil {
		conn.Close()
	}
	return conn, err
}

// awaitAnswer returns the answer of a process that has taken the question. It fails if the process is silent for too
// long, or once the connection is closed.
func awaitAnswer(conn net.Conn) ([]byte, error) {
	defer conn.Close()
	for {
		if err := conn.SetDeadline(time.Now().Add(workTimeout)); err != nil {
			return nil, err
		}
		switch answer, err := readAnswer(conn, typeAnswer, typeTaken); {
		case err != nil:
			return nil, err
		case answer != nil:
			return answer, nil
		}
	}
}

// readAnswer reads a message of one of some types. It fails if the other end refuses. The text is
// nil unless the message is the answer.
func readAnswer(conn net.Conn, kinds ...string) ([]byte, error) {
	h, text, err := readFrame(conn)
	switch {
	case err != nil:
		return nil, err
	case h.Refused != "":
		return nil, fmt.Errorf("%w: %s", errRefused, h.Refused)
	case !slices.Contains(kinds, h.Type):
		return nil, fmt.Errorf("%w: a message of the type %q", errProtocol, h.Type)
	case h.Type != typeAnswer:
		return nil, nil
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
	m.running.serving.Go(func() {
		awaitEnd(conn) // nothing that it says now matters
		stop()
	})
	done := make(chan header, 1)
	var answer []byte
	m.running.serving.Go(func() {
		var h header
		answer, h = m.findAnswer(ctx, question)
		done <- h
	})
	for {
		select {
		case h := <-done:
			return writeFrame(conn, &h, answer)
		case <-time.After(workPause):
			if err := writeFrame(conn, &header{Type: typeTaken}, nil); err != nil {
				stop()
				<-done
				return err
			}
		}
	}
}

// findAnswer returns the answer to a question, and the header of the message with it.
func (m *Member) findAnswer(ctx context.Context, question []byte) ([]byte, header) {
	answer, err := m.options.Answer(ctx, question)
	if err == nil && len(answer) > maxText {
		err = errors.New("the answer is too large")
	}
	if err != nil {
		return nil, header{Type: typeAnswer, Refused: err.Error()}
	}
	return answer, header{Type: typeAnswer}
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
