package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// slowEmbedder returns query vectors after a delay, or an error.
type slowEmbedder struct {
	mu      sync.Mutex // guards the fields below
	queries []string
	delay   time.Duration
	err     error
}

// setAnswer sets the delay and the error of the following queries.
func (a *slowEmbedder) setAnswer(takes time.Duration, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.delay, a.err = takes, err
}

// received returns the queries so far.
func (a *slowEmbedder) received() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.queries)
}

func (a *slowEmbedder) Space() string { return "a space" }

func (a *slowEmbedder) Embed(context.Context, []Passage) ([][]float32, error) {
	return nil, errors.New("no passages are asked for")
}

func (a *slowEmbedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	a.mu.Lock()
	a.queries = append(a.queries, text)
	takes, err := a.delay, a.err
	a.mu.Unlock()
	select {
	case <-time.After(takes):
		return []float32{float32(len(text))}, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestQueryVectors checks when queries are sent to the embedder, and how long a search
// waits.
func TestQueryVectors(t *testing.T) {
	for name, test := range map[string]func(t *testing.T, a *slowEmbedder, ask func(string) error){
		"each once": func(t *testing.T, a *slowEmbedder, ask func(string) error) {
			for range 3 {
				if err := ask("one"); err != nil {
					t.Error(err)
				}
			}
			for i := range maxQueryVectors {
				ask(fmt.Sprint("other ", i))
			}
			ask("other 0")
			ask("one")
			if asked := a.received(); len(asked) != maxQueryVectors+2 || asked[maxQueryVectors+1] != "one" {
				t.Errorf("asked: %q", asked)
			}
		},
		"a failure, then a rest": func(t *testing.T, a *slowEmbedder, ask func(string) error) {
			broken := errors.New("broken")
			a.setAnswer(0, broken)
			if err := ask("one"); !errors.Is(err, broken) {
				t.Errorf("a failure is told as %v", err)
			}
			a.setAnswer(0, nil)
			for range 2 {
				if err := ask("one"); !errors.Is(err, errBackingOff) {
					t.Errorf("it does not rest: %v", err)
				}
			}
			time.Sleep(queryBackoff)
			if err := ask("one"); err != nil || len(a.received()) != 2 {
				t.Errorf("after the rest: %v, asked %q", err, a.received())
			}
		},
		"a slow answer is used when it is there": func(t *testing.T, a *slowEmbedder, ask func(string) error) {
			a.setAnswer(queryTimeout+time.Second, nil)
			began := time.Now()
			if err := ask("one"); err == nil || time.Since(began) != queryTimeout {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
			if err := ask("two"); !errors.Is(err, errBackingOff) {
				t.Errorf("it does not rest: %v", err)
			}
			time.Sleep(2 * time.Second)
			a.setAnswer(0, nil)
			if err := errors.Join(ask("one"), ask("two")); err != nil || !slices.Equal(a.received(), []string{"one", "two"}) {
				t.Errorf("then: %v, asked %q", err, a.received())
			}
		},
		"no answer at all": func(t *testing.T, a *slowEmbedder, ask func(string) error) {
			a.setAnswer(time.Hour, nil)
			ask("one")
			time.Sleep(embedTimeout + queryBackoff)
			a.setAnswer(0, nil)
			if err := ask("one"); err != nil || len(a.received()) != 2 {
				t.Errorf("it is not asked again: %v, %q", err, a.received())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x, a := &Index{lifetime: t.Context()}, &slowEmbedder{}
				x.queryVectors.setEmbedder(a, nil)
				test(t, a, func(text string) error {
					v, err := x.queryVector(t.Context(), a, text)
					if err == nil && v[0] != float32(len(text)) {
						t.Errorf("%q has the vector of another", text)
					}
					return err
				})
				x.background.Wait()
			})
		})
	}
}
