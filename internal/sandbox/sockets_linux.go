package sandbox

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sockets returns the files of sockets at which something listens, without links. A folder that can
// only be read does not keep a command from connecting to a socket in it, so each one is hidden by
// itself. Those that are made later are not; the folders in which services have theirs are hidden
// as a whole.
func sockets() (files []string) {
	f, err := os.Open("/proc/net/unix")
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), " ", 8)
		name := fields[len(fields)-1]
		if i := strings.IndexByte(name, '/'); i >= 0 {
			name = name[i:]
		}
		if file, err := filepath.EvalSymlinks(name); err == nil && filepath.IsAbs(name) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// sees reports whether the command would see a file of the machine under its own name.
func (c Command) sees(file, home string) bool {
	info, err := os.Lstat(file)
	if err != nil || info.Mode().Type() != os.ModeSocket {
		return false
	}
	seen := true
	for _, dir := range slices.Concat(c.hidden(home), []string{"/tmp", "/var/tmp", "/dev", home}) {
		seen = seen && (dir == "" || !below(dir, file))
	}
	for _, m := range c.Mounts {
		if below(m.At, file) {
			seen = m.From == m.At && m.Upper == ""
		}
	}
	return seen
}
