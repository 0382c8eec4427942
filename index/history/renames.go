package history

import "strings"

// renameWeight is the weight of what commits from before a rename say about the file. Some
// of it is about content that was later moved out of the file.
const renameWeight = 0.5

// touchedFile is a file that a commit touched, under its path today. The weight is
// renameWeight for each rename since the commit.
type touchedFile struct {
	path   string
	weight float64
}

// earlierNames holds the files that had another path at some point of the history, by that path.
// It goes back in time with each commit whose renames it gets.
type earlierNames map[string]touchedFile

// of returns the file that has a path at this point.
func (n earlierNames) of(path string) touchedFile {
	if f, ok := n[path]; ok {
		return f
	}
	return touchedFile{path, 1}
}

// files returns the files that a commit touched and that are in the folder today.
func (n earlierNames) files(c Commit) (all []touchedFile) {
	for _, path := range c.Files {
		if f := n.of(path); !strings.HasPrefix(f.path, outside) {
			all = append(all, f)
		}
	}
	return all
}

// rename goes back to the point before the renames of a commit.
func (n earlierNames) rename(renames []Rename) {
	before := make([]touchedFile, len(renames))
	for i, r := range renames {
		before[i] = n.of(r.To)
		before[i].weight *= renameWeight
	}
	for _, r := range renames {
		delete(n, r.To) // an older commit that touched this path means another file
	}
	for i, r := range renames {
		n[r.From] = before[i]
	}
}
