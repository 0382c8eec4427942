package history

import (
	"bufio"
	"io"
	"strings"
)

const (
	// maxPart is how many bytes of a subject or a path are kept.
	maxPart = 4 << 10
	// maxKept is how many bytes of paths are kept of all commits. Further commits have no files.
	maxKept = 32 << 20
)

// header begins the record of a commit.
const header = "\x01commit "

// parser parses the output that Read requests. The record of a commit is the header with
// the ID, the subject, and for each file a status and its path, or for a renamed file its
// old and its new path. A NUL ends each of them. A line end precedes the first status and
// the header of the next commit.
//
// What is kept is bounded, whatever git writes.
type parser struct {
	in     *bufio.Reader
	folder string // its path in the repository with a slash after it, or empty
	left   int    // for further paths, in bytes

	part  string // the next one
	ended bool   // there is none
	err   error  // why there is none, if it is not the end
}

func newParser(in io.Reader, folder string) *parser {
	p := &parser{in: bufio.NewReaderSize(in, maxPart), folder: folder, left: maxKept}
	p.advance()
	return p
}

// commits returns the commits up to the first part that belongs to none.
func (p *parser) commits() (all []Commit) {
	for {
		id, ok := strings.CutPrefix(strings.TrimPrefix(p.next(), "\n"), header)
		if !ok {
			return all
		}
		c := Commit{ID: id, Subject: p.next()}
		p.files(&c)
		all = append(all, c)
	}
}

// files adds the files of a commit, or none if there are too many.
func (p *parser) files(c *Commit) {
	files, renames := 0, 0
	for !p.ended && !strings.HasPrefix(strings.TrimPrefix(p.part, "\n"), header) {
		status := strings.TrimPrefix(p.next(), "\n")
		if status == "" {
			continue
		}
		path := p.path()
		if status[0] == 'R' {
			to := p.path()
			if renames++; renames <= maxRenames && p.keep(path, to) {
				c.Renames = append(c.Renames, Rename{From: path, To: to})
			}
			path = to
		}
		if files++; files <= maxFiles && p.keep(path) {
			c.Files = append(c.Files, path)
		}
	}
	if files > maxFiles || p.left < 0 {
		c.Files = nil
	}
	if renames > maxRenames || p.left < 0 {
		c.Renames = nil
	}
}

// keep reports whether there is room for paths.
func (p *parser) keep(paths ...string) bool {
	for _, path := range paths {
		p.left -= len(path)
	}
	return p.left >= 0
}

// next returns the next part, or an empty one at the end.
func (p *parser) next() string {
	part := p.part
	p.advance()
	return part
}

// advance reads the part after the next one. Of one that is too long, only the beginning counts.
func (p *parser) advance() {
	p.part = ""
	if p.ended {
		return
	}
	piece, err := p.in.ReadSlice(0)
	p.part = strings.TrimSuffix(string(piece), "\x00")
	for err == bufio.ErrBufferFull {
		_, err = p.in.ReadSlice(0)
	}
	if err != nil && p.part == "" {
		p.ended = true
	}
	if err != nil && err != io.EOF {
		p.ended, p.err = true, err
	}
}

// outside begins the path of a file that is not in the folder.
const outside = "../"

// path returns the next path, relative to the folder.
func (p *parser) path() string {
	path := p.next()
	if inside, ok := strings.CutPrefix(path, p.folder); ok {
		return inside
	}
	return strings.Repeat(outside, strings.Count(p.folder, "/")) + path
}
