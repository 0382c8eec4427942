package indexing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/workspace"
)

// gitPositions returns where the repositories of folders stand, by folder.
func gitPositions(roots []string) map[string]string {
	all := make(map[string]string, len(roots))
	for _, root := range roots {
		all[root] = gitPosition(root)
	}
	return all
}

// gitPosition returns a text that is another one after a checkout, a commit or any other
// change of HEAD, of the branch that it names, or of git's index. It is "" without a
// repository. It runs no program and reads at most a few kilobytes.
func gitPosition(root string) string {
	dir := gitDir(root)
	if dir == "" {
		return ""
	}
	common := dir
	if linked := readLine(filepath.Join(dir, "commondir")); linked != "" { // a worktree of another repository
		common = within(dir, linked)
	}
	head := readLine(filepath.Join(dir, "HEAD"))
	marks := []string{head, fileMark(filepath.Join(dir, "index"))}
	if ref, named := strings.CutPrefix(head, "ref: "); named && filepath.IsLocal(ref) {
		marks = append(marks, readLine(filepath.Join(common, ref)),
			fileMark(filepath.Join(common, "packed-refs")), fileMark(filepath.Join(common, "reftable", "tables.list")))
	}
	return strings.Join(marks, "\n")
}

// gitDir returns the folder that holds the data of the repository around a folder, or "".
// In a worktree, .git is a file that names it.
func gitDir(root string) string {
	for dir := root; ; dir = filepath.Dir(dir) {
		entry := filepath.Join(dir, ".git")
		info, err := os.Stat(entry)
		switch {
		case err == nil && info.IsDir():
			return entry
		case err == nil:
			if named, ok := strings.CutPrefix(readLine(entry), "gitdir: "); ok {
				return within(dir, named)
			}
			return ""
		case dir == filepath.Dir(dir):
			return ""
		}
	}
}

// within returns a path that may be relative to dir.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// fileMark returns the size and the time of a file, or "".
func fileMark(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
}

// maxLine is the size in bytes of the largest file of git that is read.
const maxLine = 4 << 10

// readLine returns the first line of a file, or "".
func readLine(path string) string {
	data, err := workspace.ReadRegular(path, maxLine)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}
