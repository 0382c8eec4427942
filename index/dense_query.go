package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// queryPatience is how long a search waits for the vector of its question.
	queryTimeout = time.Second
	// queryLimit is how long the embedder may take for it all the same, so that the next
	// such search has it.
	embedTimeout = 30 * time.Second
	// queryRest is for how long searches go without vectors after the embedder has
	// failed, or kept one waiting in vain.
	queryBackoff = 10 * time.Second
	// keptQueries is how many vectors of questions are kept: a turn asks the same
	// question more than once.
	maxQueryVectors = 32
)

// questions asks the embedder for the vectors of what is searched for, each once.
type queryVectors struct {
	mu       sync.Mutex // guards what follows
	embedder Embedder
	other    func(space string) Embedder
	requests []*vectorRequest // the oldest first
	retryAt  time.Time
}

// asked is a question whose vector has been asked for.
type vectorRequest struct {
	space, text string
	done        chan struct{}
	vector      []float32 // once done
	err         error
}

func (q *queryVectors) setEmbedder(e Embedder, other func(space string) Embedder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.embedder, q.other, q.requests, q.retryAt = e, other, nil, time.Time{}
}

func (q *queryVectors) embedders() (Embedder, func(space string) Embedder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.embedder, q.other
}

// errResting says that the embedder has just failed.
var errBackingOff = errors.New("the embeddings endpoint did not answer just now")

// vector is that of a text, if it is there soon.
func (x *Index) queryVector(ctx context.Context, e Embedder, text string) ([]float32, error) {
	request, err := x.requestQueryVector(e, text)
	if err != nil {
		return nil, err
	}
	timeout := time.NewTimer(queryTimeout)
	defer timeout.Stop()
	select {
	case <-request.done:
		return request.vector, request.err
	case <-timeout.C:
		x.queryVectors.backOff()
		return nil, fmt.Errorf("the embeddings endpoint took longer than %v", queryTimeout)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask asks for the vector of a text, unless somebody has.
func (x *Index) requestQueryVector(e Embedder, text string) (*vectorRequest, error) {
	q := &x.queryVectors
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, request := range q.requests {
		if request.space == e.Space() && request.text == text {
			return request, nil
		}
	}
	if time.Now().Before(q.retryAt) {
		return nil, errBackingOff
	}
	request := &vectorRequest{space: e.Space(), text: text, done: make(chan struct{})}
	q.requests = append(q.requests[max(0, len(q.requests)-maxQueryVectors+1):], request)
	x.background.Go(func() {
		ctx, cancel := context.WithTimeout(x.lifetime, embedTimeout)
		defer cancel()
		request.vector, request.err = e.EmbedQuery(ctx, text)
		q.finish(request)
		close(request.done)
	})
	return request, nil
}

// answered notes how it went. A question that has failed may be asked again.
func (q *queryVectors) finish(request *vectorRequest) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if request.err == nil {
		q.retryAt = time.Time{}
		return
	}
	q.retryAt = time.Now().Add(queryBackoff)
	q.requests = slices.DeleteFunc(q.requests, func(other *vectorRequest) bool { return other == request })
}

// fail has searches go without for a while.
func (q *queryVectors) backOff() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.retryAt = time.Now().Add(queryBackoff)
}
