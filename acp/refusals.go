package acp

import "sync"

// refusals are the answers to lines that are no messages. They are written one after the other, on one goroutine that
// runs only while there are some. The zero value is ready.
type refusals struct {
	mu      sync.Mutex
	waiting [][]byte
	writing bool
}

// add has write write an answer. If too many wait, it drops it.
func (r *refusals) add(answer []byte, write func([]byte) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) >= maxRefusals {
		return
	}
	r.waiting = append(r.waiting, answer)
	if !r.writing {
		r.writing = true
		go r.write(write)
	}
}

func (r *refusals) write(write func([]byte) error) {
	for answer := r.next(); answer != nil; answer = r.next() {
		_ = write(answer) // an error shows when the next message is written
	}
}

// next takes the next answer, nil if there is none.
func (r *refusals) next() (answer []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		r.writing = false
		return nil
	}
	answer = r.waiting[0]
	r.waiting = r.waiting[1:]
	return answer
}
