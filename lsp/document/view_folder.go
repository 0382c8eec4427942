package document

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// viewsInWorkspace is the folder of the server's documents within a workspace folder.
const viewsInWorkspace = ".ploke"

// IsView reports whether a path is one of the documents that a server with a state folder writes, in any workspace.
func IsView(stateDir, path string) bool {
	dir := filepath.Dir(path)
	inState, err := filepath.Rel(stateDir, dir)
	return filepath.Base(dir) == viewsInWorkspace || err == nil && filepath.IsLocal(inState)
}

// maxViewBytes is the size of the largest file that is read there. Whoever made the workspace may have put it there.
const maxViewBytes = 64 << 20

// A folder is the folder of the documents that the server writes for the person. Only
// the person's account can read it.
type folder struct {
	workspace string // the workspace folder that holds it; empty if it is not in one
	path      string
}

// open opens the folder, which is created if needed.
func (f folder) open() (folder *os.Root, created bool, err error) {
	if f.workspace != "" {
		return f.openInWorkspace()
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, false, err
	}
	folder, err = os.OpenRoot(f.path)
	return folder, false, err
}

// openInWorkspace opens the folder in the workspace. It refuses a link, which a stranger's
// repository may hold, and which would lead the server to write elsewhere.
func (f folder) openInWorkspace() (folder *os.Root, created bool, err error) {
	workspace, err := os.OpenRoot(f.workspace)
	if err != nil {
		return nil, false, err
	}
	defer workspace.Close()
	err = workspace.Mkdir(viewsInWorkspace, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, false, err
	}
	created = err == nil
	entry, err := workspace.Lstat(viewsInWorkspace)
	if err != nil {
		return nil, false, err
	}
	if !entry.IsDir() {
		return nil, false, fmt.Errorf("%s is not a folder, or is a link: remove it, so that answers can be written there",
			viewsInWorkspace)
	}
	folder, err = workspace.OpenRoot(viewsInWorkspace)
	if err != nil {
		return nil, false, err
	}
	if err := checkFolder(folder, entry); err != nil {
		folder.Close()
		return nil, false, err
	}
	return folder, created, nil
}

// checkFolder makes sure that an opened folder is the one that was looked at, and that git
// ignores it.
func checkFolder(folder *os.Root, entry fs.FileInfo) error {
	opened, err := folder.Stat(".")
	if err != nil {
		return err
	}
	if !os.SameFile(opened, entry) {
		return fmt.Errorf("%s was replaced while it was opened", viewsInWorkspace)
	}
	err = writeNew(folder, ".gitignore", []byte("*\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// create writes a new file under name or, if that exists, under a name with a number. It
// returns the name.
func (f folder) create(name, text string) (used string, created bool, err error) {
	folder, created, err := f.open()
	if err != nil {
		return "", false, err
	}
	defer folder.Close()
	extension := path.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	used = name
	for n := 2; ; n++ {
		err := writeNew(folder, used, []byte(text))
		if !errors.Is(err, fs.ErrExist) {
			return used, created, err
		}
		used = fmt.Sprintf("%s-%d%s", stem, n, extension)
	}
}

// write writes a file, which may exist. A link is replaced, not followed.
func (f folder) write(name, text string) (created bool, err error) {
	folder, created, err := f.open()
	if err != nil {
		return false, err
	}
	defer folder.Close()
	temporary := name + ".new"
	if err := folder.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := writeNew(folder, temporary, []byte(text)); err != nil {
		return false, err
	}
	return created, folder.Rename(temporary, name)
}

// read returns the text of a file, which must not be a link.
func (f folder) read(name string) (string, error) {
	folder, _, err := f.open()
	if err != nil {
		return "", err
	}
	defer folder.Close()
	if entry, err := folder.Lstat(name); err != nil {
		return "", err
	} else if !entry.Mode().IsRegular() || entry.Size() > maxViewBytes {
		return "", fmt.Errorf("%s is not a regular file of at most %d MB", filepath.Join(f.path, name), maxViewBytes>>20)
	}
	file, err := folder.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxViewBytes))
	return string(text), err
}

// fill writes the text of a file that exists and is empty.
func (f folder) fill(name, text string) error {
	folder, _, err := f.open()
	if err != nil {
		return err
	}
	defer folder.Close()
	if entry, err := folder.Lstat(name); err != nil || !entry.Mode().IsRegular() || entry.Size() > 0 {
		return err
	}
	file, err := folder.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// writeNew writes a file that does not exist yet.
func writeNew(folder *os.Root, name string, text []byte) error {
	file, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// fromHome shortens a path in the home folder to one that begins with "~/", which means the same wherever it is typed.
func fromHome(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(home, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return "~/" + filepath.ToSlash(rel)
}
