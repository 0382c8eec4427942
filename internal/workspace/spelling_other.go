//go:build !windows

package workspace

import (
	"os"
	"path/filepath"
)

// spelling returns the name of an entry of dir as the disk has it. A name that is not there is
// returned as it is.
func (s *spellings) spelling(rules NameRules, dir, name string) string {
	if spelled, ok := s.listed(rules, dir, name); ok {
		return spelled
	}
	// The disk may take more names for one than we do.
	info, err := os.Lstat(filepath.Join(dir, name))
	if err != nil {
		return name
	}
	for _, other := range namesIn(dir) {
		if there, err := os.Lstat(filepath.Join(dir, other)); err == nil && os.SameFile(info, there) {
			return other
		}
	}
	return name
}
