//go:build unix

package syntax

import (
	"fmt"
	"syscall"
)

// mapMemory allocates zeroed memory outside of the heap that the garbage collector manages.
func mapMemory(size int) ([]byte, error) {
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("no memory for a syntax tree of %d bytes: %w", size, err)
	}
	return memory, nil
}

func unmapMemory(memory []byte) {
	if err := syscall.Munmap(memory); err != nil {
		panic(err) // not from mapMemory
	}
}
