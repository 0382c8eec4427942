package packing

// Async starts fn, and returns a function that waits for its result. The caller must call it.
// If fn panics, wait panics.
func Async[T any](fn func() (T, error)) (wait func() (T, error)) {
	var (
		value    T
		err      error
		panicked any
	)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		value, err = fn()
	}()
	return func() (T, error) {
		<-done
		if panicked != nil {
			panic(panicked)
		}
		return value, err
	}
}
