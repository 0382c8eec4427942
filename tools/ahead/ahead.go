// Package ahead asks a compiler before its answer is needed, while places are looked for by name. It knows no tool and
// no place.
package ahead

import "context"

// A Compiler knows what is at a place P; an answer is an A.
type Compiler[P comparable, A any] interface {
	Uses(ctx context.Context, at P, byName func(context.Context) []P) (A, error)
	Implementers(ctx context.Context, at P) (A, error)
	Rename(ctx context.Context, at P, byName func(context.Context) []P, to string) (A, error)
}

// asked is a compiler that was asked about a place. Whoever asks it about that gets the answer, once; it is used by one
// goroutine.
type asked[P comparable, A any] struct {
	Compiler[P, A]
	at     P
	used   bool
	byName func(context.Context) []P
	named  chan struct{} // closed once byName is set
	done   chan struct{} // closed once there is the answer
	answer A
	err    error
}

// Ask asks a compiler for the uses of what is at a place, or for its implementers. What it returns gives that answer
// to the first who asks for it, and asks the compiler about all else. Once end is called, or the context ends, the
// compiler is not asked any more.
func Ask[P comparable, A any](ctx context.Context, c Compiler[P, A], at P,
	implementers bool) (_ Compiler[P, A], end func()) {
	ctx, end = context.WithCancel(ctx)
	a := &asked[P, A]{Compiler: c, at: at, named: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(a.done)
		if implementers {
			a.answer, a.err = c.Implementers(ctx, at)
		} else {
			a.answer, a.err = c.Uses(ctx, at, a.placesByName)
		}
	}()
	return a, end
}

// placesByName waits until it is known what was found by name.
func (a *asked[P, A]) placesByName(ctx context.Context) []P {
	select {
	case <-a.named:
		return a.byName(ctx)
	case <-ctx.Done():
		return nil
	}
}

// Uses implements [Compiler].
func (a *asked[P, A]) Uses(ctx context.Context, at P, byName func(context.Context) []P) (A, error) {
	if a.used || at != a.at {
		return a.Compiler.Uses(ctx, at, byName)
	}
	a.used, a.byName = true, byName
	close(a.named)
	return a.await(ctx)
}

// Implementers implements [Compiler].
func (a *asked[P, A]) Implementers(ctx context.Context, at P) (A, error) {
	if a.used || at != a.at {
		return a.Compiler.Implementers(ctx, at)
	}
	a.used = true
	return a.await(ctx)
}

func (a *asked[P, A]) await(ctx context.Context) (answer A, err error) {
	select {
	case <-a.done:
		return a.answer, a.err
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}
