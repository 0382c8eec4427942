package postings

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// ErrDamaged is the error for a segment that is incomplete or damaged. A [Damage] is an
// ErrDamaged.
var ErrDamaged = errors.New("damaged segment")

// Damage says that a segment was found to be damaged while it was read.
type Damage struct {
	segment *Segment
	address uintptr // that could not be read, in a mapping that was longer than its file
}

func (d *Damage) Error() string {
	if d.segment == nil {
		return fmt.Sprintf("%v: its file has become shorter", ErrDamaged)
	}
	return fmt.Sprintf("%v: a checksum is wrong", ErrDamaged)
}

func (d *Damage) Unwrap() error { return ErrDamaged }

// In reports whether the damage is in a segment.
func (d *Damage) In(s *Segment) bool {
	if d.segment != nil || len(s.mapped) == 0 {
		return d.segment == s
	}
	start := uintptr(unsafe.Pointer(&s.mapped[0]))
	return start <= d.address && d.address < start+uintptr(len(s.mapped))
}

// Read runs fn, which reads segments on its own goroutine, and returns its error. When fn
// comes upon damage, Read ends fn and returns a [Damage]. All reading takes place within
// Read: elsewhere, damage panics, or ends the program if a file has become shorter.
func Read(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Damage:
			err = p
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			err = &Damage{address: p.Addr()}
		default:
			panic(p)
		}
	}()
	return fn()
}

// Damage returns the damage to panic with when something that the segment holds for its caller
// turns out to be damaged.
func (s *Segment) Damage() *Damage { return &Damage{segment: s} }
