//go:build unix

package syntax

import (
	"fmt"
	"syscall"
)

// mapRoom is zeroed memory that the garbage collector doesn't know of.
func mapRoom(size int) ([]byte, error) {
	room, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("no memory for a syntax tree of %d bytes: %w", size, err)
	}
	return room, nil
}

func unmapRoom(room []byte) {
	if err := syscall.Munmap(room); err != nil {
		panic(err) // it wasn't mapRoom's
	}
}
