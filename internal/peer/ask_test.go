package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// answering joins a member that answers questions.
func answering(t *testing.T, dir, program string, answer func(ctx context.Context, question []byte) ([]byte, error)) *Member {
	t.Helper()
	m, err := Join(Options{Dirs: []string{dir}, Program: program, Listener: newEars(), Answer: answer})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func echo(_ context.Context, question []byte) ([]byte, error) {
	return append([]byte("you asked "), question...), nil
}

func TestAsk(t *testing.T) {
	dir := place(t)
	ask := func(want string) {
		t.Helper()
		answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why"))
		if got := string(answer); got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrUnanswered) {
			t.Errorf("the answer is %q, %v, want %q", got, err, want)
		}
	}
	ask("")
	silent, _ := join(t, dir)
	ask("")
	other := answering(t, dir, "2", echo)
	ask("")
	refusing := answering(t, dir, "1", func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no") })
	ask("")
	large := answering(t, dir, "1", func(context.Context, []byte) ([]byte, error) { return make([]byte, maxText+1), nil })
	ask("")
	right := answering(t, dir, "1", echo)
	ask("you asked why")
	right.Close()
	ask("")
	for _, m := range []*Member{silent, other, refusing, large} {
		m.Close()
	}
	ask("")
}

// TestAskWhoDoesNotAnswer has a process that is suspended, one that is dead, one that talks nonsense,
// and one that leaves while it looks for the answer. The last of the folder answers.
func TestAskWhoDoesNotAnswer(t *testing.T) {
	dir := place(t)
	leaving := answering(t, dir, "1", func(ctx context.Context, _ []byte) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	for name, talk := range map[string]func(net.Conn){
		"0": func(net.Conn) {}, // suspended
		"1": func(c net.Conn) { fmt.Fprint(c, strings.Repeat("x", 100)) },
		"2": func(c net.Conn) { c.Close() },
		"3": func(c net.Conn) { writeFrame(c, &header{Type: typeAnswer}, []byte("wrong order")) },
	} {
		listenAs(t, dir, name, talk)
	}
	listenOn(t, filepath.Join(dir, "4")).Close() // dead
	asked := make(chan error)
	go func() {
		_, err := Ask(t.Context(), []string{dir}, "1", nil)
		asked <- err
	}()
	leaving.Close()
	if err := <-asked; !errors.Is(err, ErrUnanswered) {
		t.Errorf("the error is %v", err)
	}
	defer answering(t, dir, "1", echo).Close()
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("who")); string(answer) != "you asked who" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

// listenOn makes an address, at which nobody listens any more once the listener is closed.
func listenOn(t testing.TB, path string) net.Listener {
	t.Helper()
	l, err := listenAt(path, ownUser(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func ownUser(t testing.TB) string {
	t.Helper()
	user, err := currentUser()
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// listenAs listens where peers meet, and has talk speak on each connection.
func listenAs(t *testing.T, dir, name string, talk func(net.Conn)) {
	t.Helper()
	if err := makePrivate(dir); err != nil {
		t.Fatal(err)
	}
	l := listenOn(t, filepath.Join(dir, name))
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			talk(c)
		}
	}()
}

// TestWhoIsSuspendedAfterItTookTheQuestion says that it takes the question, and no more. The other one answers.
func TestWhoIsSuspendedAfterItTookTheQuestion(t *testing.T) {
	t.Parallel()
	testbed.Watch(t)
	dir := place(t)
	listenAs(t, dir, "0", func(c net.Conn) { writeFrame(c, &header{Type: typeTaken}, nil) })
	other := answering(t, dir, "1", echo)
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); string(answer) != "you asked why" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
	other.Close()
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); !errors.Is(err, ErrUnanswered) {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

// TestWhoWorksForLongIsWaitedFor takes longer for an answer than a process may be silent.
func TestWhoWorksForLongIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir := place(t)
	defer answering(t, dir, "1", func(ctx context.Context, _ []byte) ([]byte, error) {
		if !sleep(ctx, workTimeout+workPause) {
			return nil, ctx.Err()
		}
		return []byte("at last"), nil
	}).Close()
	if answer, err := Ask(t.Context(), []string{dir}, "1", nil); string(answer) != "at last" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

// TestManyWhoAreSilentCostLittle has more of them than a person opens windows, before the one that answers, and alone.
func TestManyWhoAreSilentCostLittle(t *testing.T) {
	t.Parallel()
	testbed.Watch(t)
	dir := place(t)
	for n := range 60 {
		listenAs(t, dir, fmt.Sprintf("%02d", n), func(net.Conn) {})
	}
	began := time.Now()
	if _, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); !errors.Is(err, ErrUnanswered) {
		t.Errorf("the error is %v", err)
	}
	listenAs(t, dir, "zz", func(c net.Conn) {
		writeFrame(c, &header{Type: typeTaken}, nil)
		writeFrame(c, &header{Type: typeAnswer}, []byte("yes"))
	})
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); string(answer) != "yes" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
	if took := time.Since(began); took > 10*takeTimeout { // one after the other they would take 60
		t.Errorf("two questions took %v", took)
	}
}

// TestManyWhoTakeTheQuestionCostLittle has many that take the question and then do not answer, before the one that answers, and
// alone: they are silent, say a part of a message in each moment, say that they work for ever, or say garbage.
func TestManyWhoTakeTheQuestionCostLittle(t *testing.T) {
	t.Parallel()
	taken := func(c net.Conn) error { return writeFrame(c, &header{Type: typeTaken}, nil) }
	for name, tt := range map[string]struct {
		then  func(c net.Conn)
		alone time.Duration // how long a question takes that nobody answers
	}{
		"they are silent": {func(net.Conn) {}, takeTimeout + workTimeout},
		"they drip": {func(c net.Conn) {
			c.Write([]byte{0, 0x0f, 0xff, 0xff, 0, 0, 0, 0}) // the lengths of a message
			for range 100 {
				if _, err := c.Write([]byte{' '}); err != nil || !sleep(t.Context(), workTimeout/8) {
					return
				}
			}
		}, takeTimeout + workTimeout},
		"they work for ever": {func(c net.Conn) {
			for taken(c) == nil && sleep(t.Context(), workPause) {
			}
		}, workTimeout},
		"they say garbage": {func(c net.Conn) { io.WriteString(c, strings.Repeat("x", 1<<10)) }, takeTimeout},
		"they promise more than comes": {func(c net.Conn) {
			c.Write([]byte{0, 0, 0, 2, 0, 0xff, 0xff, 0xff, '{', '}'})
		}, takeTimeout + workTimeout},
		"they leave": {func(c net.Conn) { c.Close() }, takeTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := place(t)
			for n := range 60 {
				listenAs(t, dir, fmt.Sprintf("%02d", n), func(c net.Conn) {
					if taken(c) == nil {
						go tt.then(c)
					}
				})
			}
			limit := answerTimeout
			if name == "they work for ever" {
				limit = tt.alone
			}
			began := time.Now()
			if _, err := askWithin(t.Context(), limit, []string{dir}, "1", []byte("why")); !errors.Is(err, ErrUnanswered) {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took > 2*tt.alone+time.Second {
				t.Errorf("a question that nobody answers took %v", took)
			}
			listenAs(t, dir, "zz", func(c net.Conn) {
				taken(c)
				writeFrame(c, &header{Type: typeAnswer}, []byte("yes"))
			})
			began = time.Now()
			if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); string(answer) != "yes" {
				t.Errorf("the answer is %q, %v", answer, err)
			}
			if took := time.Since(began); took > 4*takeTimeout {
				t.Errorf("the answer took %v", took)
			}
		})
	}
}

// TestAskUntilItIsCancelled cancels a question. The process that works on the answer is told.
func TestAskUntilItIsCancelled(t *testing.T) {
	dir := place(t)
	begun, told := make(chan struct{}), make(chan struct{})
	defer answering(t, dir, "1", func(ctx context.Context, _ []byte) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		close(told)
		return nil, ctx.Err()
	}).Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	if _, err := Ask(ctx, []string{dir}, "1", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	<-told
}

// TestKilledWhileItAnswers kills the process that works on an answer.
func TestKilledWhileItAnswers(t *testing.T) {
	dir := place(t)
	_, e := join(t, dir)
	other := startOther(t, dir)
	e.await(t, "/a.go=typed")
	asked := make(chan error)
	go func() {
		_, err := Ask(t.Context(), []string{dir}, "", []byte("wait"))
		asked <- err
	}()
	e.await(t, "/a.go=asked")
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-asked; !errors.Is(err, ErrUnanswered) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}
