package workspace

import (
	"os"
	"slices"
	"sync"
	"time"
)

// racyAge is the age below which the time of a folder may stay the same although its names
// change: the longest unit of time of a disk, which is FAT's.
const racyAge = 2 * time.Second

// spellings finds out how the disk spells names where it takes several spellings for one. It
// keeps the names of folders that have not changed. The zero value is ready to use.
type spellings struct {
	mu      sync.Mutex
	folders map[string]*spelledNames
}

// spelledNames are the names in a folder.
type spelledNames struct {
	modTime time.Time // of the folder
	exact   []string  // sorted
	byKey   map[string]string
}

// maxSpelledFolders bounds the memory for the names of folders.
const maxSpelledFolders = 2000

// listed returns the name in dir that the disk takes for this one: the same if there is one,
// else another spelling of it. ok is false if there is none.
func (s *spellings) listed(rules NameRules, dir, name string) (spelled string, ok bool) {
	names := s.namesIn(rules, dir)
	if _, found := slices.BinarySearch(names.exact, name); found {
		return name, true
	}
	spelled, ok = names.byKey[rules.key(name)]
	return spelled, ok
}

func (s *spellings) namesIn(rules NameRules, dir string) *spelledNames {
	info, err := os.Stat(dir)
	if err != nil {
		return &spelledNames{}
	}
	s.mu.Lock()
	known := s.folders[dir]
	s.mu.Unlock()
	if known != nil && known.modTime.Equal(info.ModTime()) {
		return known
	}
	looked := time.Now()
	names := &spelledNames{modTime: info.ModTime(), exact: namesIn(dir), byKey: map[string]string{}}
	slices.Sort(names.exact)
	for _, name := range names.exact {
		names.byKey[rules.key(name)] = name
	}
	if looked.Sub(names.modTime) > racyAge {
		s.keep(dir, names)
	}
	return names
}

func (s *spellings) keep(dir string, names *spelledNames) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folders == nil || len(s.folders) >= maxSpelledFolders {
		s.folders = map[string]*spelledNames{}
	}
	s.folders[dir] = names
}
