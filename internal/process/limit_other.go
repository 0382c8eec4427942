//go:build !linux

package process

// limit does nothing: this system can't bound the memory of another process.
func (b Bounds) limit(int) {}
