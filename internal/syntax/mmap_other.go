//go:build !unix

package syntax

// mapMemory allocates zeroed memory.
func mapMemory(size int) ([]byte, error) { return make([]byte, size), nil }

func unmapMemory([]byte) {}
