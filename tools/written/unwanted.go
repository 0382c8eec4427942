package written

import (
	"crypto/sha256"
	"slices"
	"sync"
)

// maxUnwanted is how many files are remembered.
const maxUnwanted = 100_000

// Unwanted is what commands have written that the user did not want to see proposed, so that nobody is asked again for
// it: the copy still has it. The zero value is empty. It is safe for concurrent use.
type Unwanted struct {
	mu    sync.Mutex
	files map[unwanted]bool
}

// unwanted is a result of commands of a turn.
type unwanted struct {
	turn, file, what, renamedTo string
	text                        [sha256.Size]byte
}

func (f *File) unwanted(turn string) unwanted {
	return unwanted{turn, f.File, f.What, f.RenamedTo, sha256.Sum256(f.data)}
}

// Add notes that the user did not want files of a turn.
func (u *Unwanted) Add(turn string, files []*File) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil || len(u.files)+len(files) > maxUnwanted {
		u.files = map[unwanted]bool{}
	}
	for _, f := range files {
		u.files[f.unwanted(turn)] = true
	}
}

// Without returns files but those that the user did not want as they are.
func (u *Unwanted) Without(turn string, files []*File) []*File {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.DeleteFunc(files, func(f *File) bool { return u.files[f.unwanted(turn)] })
}
