package lsp

import (
	"fmt"
	"io"
	"sync"
)

// writeQueueLimit is how much may wait to be written before whoever streams has to
// wait too: it bounds what a client that stops reading costs.
const writeQueueLimit = 1 << 20

// An writeQueue writes framed messages in the order in which they were put, on a
// goroutine that ends when it is closed or a write fails.
type writeQueue struct {
	mu      sync.Mutex
	changed *sync.Cond // queue, queued, err or closed has changed
	queue   [][]byte
	queued  int   // bytes in queue
	err     error // of the write that failed
	closed  bool
	done    chan struct{}
}

func newWriteQueue(w io.Writer) *writeQueue {
	o := &writeQueue{done: make(chan struct{})}
	o.changed = sync.NewCond(&o.mu)
	go o.run(w)
	return o
}

// room waits until the client has read most of what waits, or never will.
func (o *writeQueue) waitForCapacity() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.queued >= writeQueueLimit && o.err == nil && !o.closed {
		o.changed.Wait()
	}
}

// enqueue queues a message's body. It does not wait. After the end it returns
// io.ErrClosedPipe, which the connection knows for an orderly one.
func (o *writeQueue) enqueue(body []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return o.err
	case o.closed:
		return io.ErrClosedPipe
	}
	frame := fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body)
	o.queue = append(o.queue, frame)
	o.queued += len(frame)
	o.changed.Broadcast()
	return nil
}

func (o *writeQueue) run(w io.Writer) {
	defer close(o.done)
	for {
		frame, ok := o.next()
		if !ok {
			return
		}
		if _, err := w.Write(frame); err != nil {
			o.fail(err)
			return
		}
		o.written()
	}
}

// next waits for a message, which stays in the queue until it is written; ok is
// false once the writeQueue is closed.
func (o *writeQueue) next() (frame []byte, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed {
		o.changed.Wait()
	}
	if o.closed {
		return nil, false
	}
	return o.queue[0], true
}

func (o *writeQueue) written() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queued -= len(o.queue[0])
	o.queue = o.queue[1:]
	o.changed.Broadcast()
}

func (o *writeQueue) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = err
	o.queue, o.queued = nil, 0
	o.changed.Broadcast()
}

// close drops what is queued. The write under way ends with the transport.
func (o *writeQueue) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.changed.Broadcast()
}

// wait returns when the writing goroutine has ended.
func (o *writeQueue) wait() { <-o.done }
