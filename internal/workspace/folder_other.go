//go:build !unix

package workspace

import "os"

func openDir(path string) (*os.File, error) { return os.Open(path) }

// statIn looks at an entry of a folder that is open, a symbolic link itself.
func statIn(dir *os.File, name string) (stat, error) {
	info, err := os.Lstat(under(dir.Name(), name))
	if err != nil {
		return stat{}, err
	}
	return newStat(info), nil
}
