package shards

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
	return nil, errors.New("unexpected passages")
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
	for name, test := range map[string]func(t *testing.T, a *slowEmbedder, request func(string) error){
		"each query is sent once": func(t *testing.T, a *slowEmbedder, request func(string) error) {
			for range 3 {
				if err := request("one"); err != nil {
					t.Error(err)
				}
			}
			for i := range maxQueryVectors {
				request(fmt.Sprint("other ", i))
			}
			request("other 0")
			request("one")
			if queries := a.received(); len(queries) != maxQueryVectors+2 || queries[maxQueryVectors+1] != "one" {
				t.Errorf("queries: %q", queries)
			}
		},
		"a failure, then a backoff": func(t *testing.T, a *slowEmbedder, request func(string) error) {
			broken := errors.New("broken")
			a.setAnswer(0, broken)
			if err := request("one"); !errors.Is(err, broken) {
				t.Errorf("error is %v, want that of the embedder", err)
			}
			a.setAnswer(0, nil)
			for range 2 {
				if err := request("one"); !errors.Is(err, errBackingOff) {
					t.Errorf("error is %v, want errBackingOff", err)
				}
			}
			time.Sleep(queryBackoff)
			if err := request("one"); err != nil || len(a.received()) != 2 {
				t.Errorf("after the backoff: %v, queries %q", err, a.received())
			}
		},
		"a slow answer is used later": func(t *testing.T, a *slowEmbedder, request func(string) error) {
			a.setAnswer(queryTimeout+time.Second, nil)
			began := time.Now()
			if err := request("one"); err == nil || time.Since(began) != queryTimeout {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
			if err := request("two"); !errors.Is(err, errBackingOff) {
				t.Errorf("error is %v, want errBackingOff", err)
			}
			time.Sleep(2 * time.Second)
			a.setAnswer(0, nil)
			if err := errors.Join(request("one"), request("two")); err != nil || !slices.Equal(a.received(), []string{"one", "two"}) {
				t.Errorf("after the answer: %v, queries %q", err, a.received())
			}
		},
		"no answer at all": func(t *testing.T, a *slowEmbedder, request func(string) error) {
			a.setAnswer(time.Hour, nil)
			request("one")
			time.Sleep(embedTimeout + queryBackoff)
			a.setAnswer(0, nil)
			if err := request("one"); err != nil || len(a.received()) != 2 {
				t.Errorf("the query is not sent again: %v, %q", err, a.received())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v, a := &vectorSearch{work: &background{lifetime: t.Context()}}, &slowEmbedder{}
				v.queryVectors.setEmbedder(a, nil)
				test(t, a, func(text string) error {
					vector, err := v.queryVector(t.Context(), a, text)
					if err == nil && vector[0] != float32(len(text)) {
						t.Errorf("%q has the vector of another query", text)
					}
					return err
				})
				v.work.Wait()
			})
		})
	}
}
