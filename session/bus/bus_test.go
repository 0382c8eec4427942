package bus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
)

// bubble runs a test where it is seen at once that all wait for each other.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	testbed.Watch(t)
	synctest.Test(t, test)
}

// next reads the next event, and does not wait for ever if there is none: the error is that of a context then.
func next(t *testing.T, s *Subscription) (Event, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testbed.Soon)
	defer cancel()
	return s.Next(ctx)
}

// drain reads s to its end.
func drain(t *testing.T, s *Subscription) ([]Event, error) {
	t.Helper()
	var got []Event
	for {
		e, err := next(t, s)
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%s has read %d events, and then waits for an event or its end", s.Name(), len(got))
		}
		if err != nil {
			return got, err
		}
		got = append(got, e)
	}
}

func notice(text string) Notice { return Notice{Text: text} }

func delta(message, text string) MessageDelta { return MessageDelta{MessageID: message, Text: text} }

func TestSubscribersSeeOneOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		subs := []*Subscription{b.Participant("a"), b.Participant("b"), b.Observer("c", 1000)}
		var publishers sync.WaitGroup
		for p := range 4 {
			publishers.Go(func() {
				for i := range 100 {
					b.Publish(notice(fmt.Sprint(p, " ", i)))
				}
			})
		}
		publishers.Wait()
		go b.Close()
		var first []Event
		for i, s := range subs {
			got, err := drain(t, s)
			if err != io.EOF || len(got) != 400 {
				t.Fatalf("%s read %d events, then %v", s.Name(), len(got), err)
			}
			if i == 0 {
				first = got
			} else if d := cmp.Diff(first, got); d != "" {
				t.Errorf("%s saw another order: %s", s.Name(), d)
			}
		}
	})
}

// TestEventsPublishedTogetherStayTogether publishes another event while several are published together, each of which takes
// long enough for the other to be the next in line.
func TestEventsPublishedTogetherStayTogether(t *testing.T) {
	testbed.Watch(t)
	b := New()
	sub := b.Participant("a")
	var other sync.WaitGroup
	first := true
	b.ParticipantOf("slow", func(e Event) bool {
		if first {
			first = false
			other.Go(func() { b.Publish(notice("other")) })
		}
		time.Sleep(2 * time.Millisecond) // on purpose: in this time the other gets in line
		return false
	})
	together := make([]Event, 20)
	for i := range together {
		together[i] = notice("together")
	}
	b.Publish(together...)
	testbed.Returns(t, other.Wait, "the other event to be published")
	go b.Close()
	got, err := drain(t, sub)
	if want := append(together, notice("other")); err != io.EOF || cmp.Diff(want, got) != "" {
		t.Errorf("then %v: (-want +got)\n%s", err, cmp.Diff(want, got))
	}
}

func TestAdjacentDeltasMerge(t *testing.T) {
	thought := func(message, text string) MessageDelta { return MessageDelta{MessageID: message, Thought: text} }
	tests := []struct {
		name            string
		published, want []Event
	}{
		{"one", []Event{delta("m", "a")}, []Event{delta("m", "a")}},
		{"run", []Event{delta("m", "a"), delta("m", "b"), delta("m", "c")}, []Event{delta("m", "abc")}},
		{"other event between", []Event{delta("m", "a"), notice("x"), delta("m", "b")}, []Event{delta("m", "a"), notice("x"), delta("m", "b")}},
		{"other message between", []Event{delta("m", "a"), delta("n", "b"), delta("m", "c")}, []Event{delta("m", "a"), delta("n", "b"), delta("m", "c")}},
		{"thought and text stay apart", []Event{thought("m", "a"), thought("m", "b"), delta("m", "c"), thought("m", "d")},
			[]Event{thought("m", "ab"), delta("m", "c"), thought("m", "d")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				b := New()
				reader, other := b.Participant("reader"), b.Participant("other")
				for _, e := range tt.published {
					b.Publish(e)
					if e2, err := next(t, other); err != nil || !cmp.Equal(e, e2) {
						t.Fatalf("a subscriber that keeps up read %v, %v; want %v", e2, err, e)
					}
				}
				other.Close()
				go b.Close()
				got, err := drain(t, reader)
				if d := cmp.Diff(tt.want, got); d != "" || err != io.EOF {
					t.Errorf("err %v, diff %s", err, d)
				}
			})
		})
	}
}

func TestParticipantThatStopsCostsTheTextOnly(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		s := b.Participant("stopped")
		const n = 200_000
		for range n {
			b.Publish(delta("m", "word "))
		}
		if len(s.queue) != 1 {
			t.Errorf("queue holds %d events; want 1", len(s.queue))
		}
		e, err := next(t, s)
		if d, ok := e.(MessageDelta); !ok || err != nil || len(d.Text) != n*len("word ") {
			t.Errorf("read %d bytes of a %T, %v", len(d.Text), e, err)
		}
	})
}

func TestObserverThatLagsIsCutOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		s := b.Observer("slow", 2)
		for i := range 5 {
			b.Publish(notice(fmt.Sprint(i)))
		}
		got, err := drain(t, s)
		if !errors.Is(err, ErrFellBehind) {
			t.Errorf("err = %v; want ErrFellBehind", err)
		}
		if d := cmp.Diff([]Event{notice("0"), notice("1")}, got); d != "" {
			t.Errorf("it should read what came before the gap: %s", d)
		}
		testbed.Returns(t, b.Close, "the bus to close, with a subscriber that was cut off")
	})
}

func TestNextWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		s := b.Participant("waiter")
		time.AfterFunc(time.Second, func() { b.Publish(notice("late")) })
		if e, err := next(t, s); e != notice("late") || err != nil {
			t.Errorf("got %v, %v", e, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := s.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v; want the context's", err)
		}
	})
}

func TestCloseWaitsForReaders(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		reads, closes := b.Participant("reads"), b.Participant("closes")
		b.Publish(notice("1"))
		closed := false
		go func() { b.Close(); closed = true }()
		synctest.Wait()
		b.Publish(notice("after close"))
		got, _ := drain(t, reads)
		if d := cmp.Diff([]Event{notice("1")}, got); d != "" {
			t.Error(d)
		}
		synctest.Wait()
		if closed {
			t.Error("Close returned before every subscription had ended")
		}
		closes.Close()
		synctest.Wait()
		if !closed {
			t.Error("Close did not return")
		}
		if _, err := next(t, b.Participant("late")); err != io.EOF {
			t.Errorf("a subscription to a closed bus reads %v; want io.EOF", err)
		}
	})
}

func TestSubscriptionClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		s := b.Participant("s")
		var err error
		go func() { _, err = s.Next(t.Context()) }()
		synctest.Wait()
		s.Close()
		s.Close()
		synctest.Wait()
		if err != io.EOF {
			t.Errorf("waiting Next returned %v; want io.EOF", err)
		}
		if len(b.subs) != 0 {
			t.Error("the bus keeps a closed subscription until the next event")
		}
		b.Publish(notice(strings.Repeat("x", 10)))
		if len(b.subs) != 0 || len(s.queue) != 0 {
			t.Error("a closed subscription still queues events")
		}
		b.Close()
	})
}

// TestLaterProgressReplacesEarlier: a reader who stops does not collect reports of
// the same work.
func TestLaterProgressReplacesEarlier(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		sub := b.Participant("test")
		for n := range 1000 {
			b.Publish(IndexingProgress{Root: "/a", Files: n})
		}
		b.Publish(IndexingProgress{Root: "/b", Files: 1})
		b.Publish(EmbeddingProgress{Model: "m", State: "making", Passages: 1})
		b.Publish(EmbeddingProgress{Model: "m", State: "making", Passages: 2})
		b.Publish(EmbeddingProgress{Model: "m", State: "ready", Passages: 2})
		b.Publish(Notice{Text: "between"})
		b.Publish(EmbeddingProgress{Model: "m", State: "ready", Passages: 2})
		want := []Event{
			IndexingProgress{Root: "/a", Files: 999}, IndexingProgress{Root: "/b", Files: 1},
			EmbeddingProgress{Model: "m", State: "making", Passages: 2}, EmbeddingProgress{Model: "m", State: "ready", Passages: 2},
			Notice{Text: "between"}, EmbeddingProgress{Model: "m", State: "ready", Passages: 2},
		}
		for _, w := range want {
			got, err := next(t, sub)
			if err != nil || got != w {
				t.Fatalf("got %+v, %v; want %+v", got, err, w)
			}
		}
		sub.Close()
		testbed.Returns(t, b.Close, "the bus to close, without subscribers")
	})
}

// TestAParticipantGetsWhatItWants and nothing else wakes it.
func TestAParticipantGetsWhatItWants(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := New()
		some, all := b.ParticipantOf("some", Is[Notice]), b.Participant("all")
		b.Publish(delta("m", "a"))
		if len(some.wake) != 0 || len(all.wake) != 1 {
			t.Errorf("an event wakes %d that don't want it, and %d that do", len(some.wake), len(all.wake))
		}
		b.Publish(notice("x"))
		b.Publish(delta("m", "b"))
		b.Publish(notice("y"))
		go b.Close()
		for s, want := range map[*Subscription][]Event{
			some: {notice("x"), notice("y")},
			all:  {delta("m", "a"), notice("x"), delta("m", "b"), notice("y")},
		} {
			got, err := drain(t, s)
			if d := cmp.Diff(want, got); d != "" || err != io.EOF {
				t.Errorf("%s: err %v, diff %s", s.Name(), err, d)
			}
		}
		if some.push(notice("late")) || some.push(delta("m", "late")) {
			t.Error("a closed subscription takes events")
		}
	})
}
