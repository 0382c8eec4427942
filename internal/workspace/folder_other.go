//go:build !unix

package workspace

import "os"

func openDir(path string) (*os.File, error) { return os.Open(path) }

// statIn returns the attributes of an entry of an open folder. It does not follow symbolic
// links.
func statIn(dir *os.File, name string) (stat, error) {
	info, err := os.Lstat(joinName(dir.Name(), name))
	if err != nil {
		return stat{}, err
	}
	return newStat(info), nil
}
