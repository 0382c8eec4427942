package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// tree is a measured folder of code.
type tree struct {
	name, dir string
	list      string // path of the list of its files
	surveyResult
	state   string    // the state folder of its index; "" before there is one
	indexed usage     // what the index took
	queries *querySet // nil before they are made
}

// surveyResult is the result of the worker "survey".
type surveyResult struct {
	Files    int    // files in the index
	Parsed   int    // files that are parsed
	Bytes    int64  // total size of the indexed texts
	Language string // the most frequent language
	EditFile string // the file in that language whose length comes closest to 1,000 lines
	LongFile string // the same for 10,000 lines
}

// listedFile is an entry of a list of files. Its language is "" if it is not parsed.
type listedFile struct{ language, path string }

// survey examines a folder, without the files that match the patterns in exclude.
func (b *bench) survey(ctx context.Context, name, dir string, exclude []string) (*tree, error) {
	t := &tree{name: name, dir: dir}
	f, err := os.CreateTemp(b.temp, "files-*")
	if err != nil {
		return nil, err
	}
	t.list = f.Name()
	if err := f.Close(); err != nil {
		return nil, err
	}
	t.surveyResult, _, err = runWorker[surveyResult](ctx, "survey",
		surveyRequest{Dir: dir, Exclude: exclude, List: t.list})
	if err == nil && t.Files == 0 {
		err = fmt.Errorf("there are no files in %s", dir)
	}
	return t, err
}

// report adds the tree to the header of the table.
func (b *bench) report(t *tree) {
	b.table.trees = append(b.table.trees, treeReport{t.name, t.dir, t.Files, t.Parsed, t.Bytes, t.Language})
}

type surveyRequest struct {
	Dir     string
	Exclude []string
	List    string // the file to write
}

// editFileLines and longFileLines are the preferred lengths of the files for edits, in lines.
const (
	editFileLines = 1000
	longFileLines = 10_000
)

// closest finds the file of each language whose number of lines is the closest to lines.
type closest struct {
	lines    int
	path     map[string]string
	distance map[string]int
}

func newClosest(lines int) *closest { return &closest{lines, map[string]string{}, map[string]int{}} }

func (c *closest) note(language, path string, lines int) {
	distance := max(lines-c.lines, c.lines-lines)
	if c.path[language] == "" || distance < c.distance[language] {
		c.path[language], c.distance[language] = path, distance
	}
}

func surveyTree(ctx context.Context, r surveyRequest) (s surveyResult, err error) {
	ws, err := workspace.New([]string{r.Dir}, workspace.Options{Exclude: r.Exclude})
	if err != nil {
		return s, err
	}
	out, err := os.Create(r.List)
	if err != nil {
		return s, err
	}
	defer out.Close()
	list := bufio.NewWriter(out)
	count, edited, long := map[string]int{}, newClosest(editFileLines), newClosest(longFileLines)
	err = ws.Walk(ctx, ws.Roots()[0], func(e workspace.Entry) error {
		if e.Skip != "" {
			return nil
		}
		text, err := os.ReadFile(e.Path)
		if err != nil {
			return err
		}
		s.Files++
		language := ""
		if workspace.Classify(text) == "" {
			s.Bytes += int64(len(text))
			language = syntax.Detect(e.Path, text)
		}
		if language != "" {
			s.Parsed++
			count[language]++
			lines := strings.Count(string(text), "\n")
			edited.note(language, e.Path, lines)
			long.note(language, e.Path, lines)
			if count[language] > count[s.Language] {
				s.Language = language
			}
		}
		_, err = fmt.Fprintf(list, "%s\t%s\n", language, e.Path)
		return err
	})
	s.EditFile, s.LongFile = edited.path[s.Language], long.path[s.Language]
	return s, errors.Join(err, list.Flush())
}

// readList reads a list that surveyTree has written.
func readList(path string) ([]listedFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []listedFile
	for line := range strings.Lines(string(data)) {
		language, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, listedFile{language, path})
	}
	return all, nil
}

// replicate creates a folder with copies of the tree, or of about limit evenly selected files if
// limit is not 0.
func (b *bench) replicate(ctx context.Context, t *tree, copies, limit int) (*tree, error) {
	files, err := readList(t.list)
	if err != nil {
		return nil, err
	}
	step := 1
	if limit > 0 {
		step = max(1, len(files)/limit)
	}
	dir, err := os.MkdirTemp(b.temp, "tree-*")
	if err != nil {
		return nil, err
	}
	for i := range copies {
		for n := 0; n < len(files); n += step {
			if err := t.linkInto(filepath.Join(dir, "copy-"+strconv.Itoa(i+1)), files[n].path); err != nil {
				return nil, err
			}
		}
	}
	return b.survey(ctx, t.name+" x "+strconv.Itoa(copies), dir, nil)
}

// linkInto makes a file of the tree appear in a copy of it.
func (t *tree) linkInto(folder, path string) error {
	rel, err := filepath.Rel(t.dir, path)
	if err != nil {
		return err
	}
	return link(path, filepath.Join(folder, rel))
}

// link makes a file appear in another place: as a hard link, or as a copy if the file system has
// none.
func link(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// sizeOnDisk returns the size of a file, or of all files in a folder except those whose names begin
// with one of the prefixes in but.
func sizeOnDisk(path string, but ...string) (total int64, err error) {
	err = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		other := slices.ContainsFunc(but, func(prefix string) bool { return strings.HasPrefix(d.Name(), prefix) })
		if err != nil || d.IsDir() || other {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
