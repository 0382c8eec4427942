package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// writeQueueLimit is the number of queued bytes from which waitForCapacity waits. It
// bounds the memory that a client that stops reading costs.
const writeQueueLimit = 1 << 20

// A writeQueue frames messages and writes them in the order of enqueue, on a goroutine
// that ends when the queue is closed or a write fails.
type writeQueue struct {
	mu      sync.Mutex
	changed *sync.Cond // queue, queued, err or closed has changed
	queue   [][]byte
	queued  int   // bytes in queue
	err     error // of a failed write
	closed  bool
	apart   time.Duration // see Stream.SetResponsesApart
	done    chan struct{}
}

// newWriteQueue returns a queue that writes to w. It calls failed when a write fails.
func newWriteQueue(w io.Writer, failed func()) *writeQueue {
	q := &writeQueue{done: make(chan struct{})}
	q.changed = sync.NewCond(&q.mu)
	go q.run(w, failed)
	return q
}

// waitForCapacity waits until fewer than writeQueueLimit bytes are queued, or nothing
// will be written any more.
func (q *writeQueue) waitForCapacity() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.queued >= writeQueueLimit && q.err == nil && !q.closed {
		q.changed.Wait()
	}
}

// size is how many bytes are queued.
func (q *writeQueue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.queued
}

// flush waits until the queue is empty, nothing will be written any more, or ctx ends.
func (q *writeQueue) flush(ctx context.Context) {
	defer context.AfterFunc(ctx, q.wake)()
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) > 0 && q.err == nil && !q.closed && ctx.Err() == nil {
		q.changed.Wait()
	}
}

// wake makes what waits look again. It holds the lock, so that none that is about to wait misses it.
func (q *writeQueue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// enqueue appends a message's body. It never blocks. After close it returns
// io.ErrClosedPipe, which the library treats as an orderly end.
func (q *writeQueue) enqueue(body []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.err != nil:
		return q.err
	case q.closed:
		return io.ErrClosedPipe
	}
	frame := fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body)
	q.queue = append(q.queue, frame)
	q.queued += len(frame)
	q.changed.Broadcast()
	return nil
}

func (q *writeQueue) run(w io.Writer, failed func()) {
	defer close(q.done)
	var next time.Time
	for {
		frame, ok := q.next(next)
		if !ok {
			return
		}
		if _, err := w.Write(frame); err != nil {
			q.fail(err)
			failed()
			return
		}
		next = q.written()
	}
}

// next waits for a message and for a time, and returns the frame of the message, which stays in the queue until written
// is called. ok is false if the queue is closed.
func (q *writeQueue) next(from time.Time) (frame []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if wait := time.Until(from); wait > 0 {
		defer time.AfterFunc(wait, q.wake).Stop()
	}
	for (len(q.queue) == 0 || time.Until(from) > 0) && !q.closed {
		q.changed.Wait()
	}
	if q.closed {
		return nil, false
	}
	return q.queue[0], true
}

// written removes the first message, and returns when the next one may be written.
func (q *writeQueue) written() (next time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, body, _ := bytes.Cut(q.queue[0], []byte("\r\n\r\n")); q.apart > 0 && isResponse(body) {
		next = time.Now().Add(q.apart)
	}
	q.queued -= len(q.queue[0])
	q.queue = q.queue[1:]
	q.changed.Broadcast()
	return next
}

func (q *writeQueue) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.err = err
	q.queue, q.queued = nil, 0
	q.changed.Broadcast()
}

// close drops the queued messages. Closing the transport ends a pending write.
func (q *writeQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}

// wait returns when the writing goroutine has ended.
func (q *writeQueue) wait() { <-q.done }
