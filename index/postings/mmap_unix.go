//go:build unix

package postings

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapping is a file that is mapped into memory, read-only.
type mapping []byte

func mapFile(f *os.File) (mapping, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
}

func (m mapping) close() error {
	if m == nil {
		return nil
	}
	return unix.Munmap(m)
}

// evict removes the first end bytes, rounded down to whole pages, from the process's
// memory. Later reads load them from the file again. It returns how many bytes it removed.
func (m mapping) evict(end int) (int, error) {
	end -= end % os.Getpagesize()
	if end <= 0 {
		return 0, nil
	}
	return end, unix.Madvise(m[:end], unix.MADV_DONTNEED)
}
