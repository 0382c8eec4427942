package workspace

import (
	"io/fs"
	"os"
	"time"
)

// stat holds the attributes of a file that matter here.
type stat struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
}

func newStat(info fs.FileInfo) stat { return stat{info.Mode(), info.Size(), info.ModTime()} }

// entry returns the Entry for d, which is in dir. The file's attributes may add a reason
// to skip it.
func (w *Workspace) entry(dir *os.File, d fs.DirEntry, path, rel string, skip Skip) Entry {
	e := Entry{Path: path, Rel: rel, Skip: skip, Dir: d.IsDir()}
	st, err := statIn(dir, d.Name())
	if err != nil {
		e.Skip = Unreadable
		return e
	}
	e.Size, e.ModTime = st.size, st.modified
	if byStat := st.skip(w.maxFileBytes.Load()); byStat == Symlink || skip == "" && !e.Dir {
		e.Skip = byStat
	}
	return e
}

// skip returns the reason to skip a file with this mode and size. A mode without read
// permission for anybody counts even for the superuser, who could read the file.
func (s stat) skip(limit int64) Skip {
	switch {
	case s.mode&fs.ModeSymlink != 0:
		return Symlink
	case !s.mode.IsRegular(), s.mode.Perm()&0o444 == 0:
		return Unreadable
	case s.size > limit:
		return TooLarge
	}
	return ""
}
