package history

import "strings"

// header begins the record of a commit.
const header = "\x01commit "

// parser parses the output that Read requests. The record of a commit is the header with
// the ID, the subject, and for each file a status and its path, or for a renamed file its
// old and its new path. A NUL ends each of them. A line end precedes the first status and
// the header of the next commit.
type parser struct {
	parts  []string // not parsed yet
	folder string   // its path in the repository with a slash after it, or empty
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
		if len(c.Files) > maxFiles {
			c.Files = nil
		}
		if len(c.Renames) > maxRenames {
			c.Renames = nil
		}
		all = append(all, c)
	}
}

// files adds the files of a commit.
func (p *parser) files(c *Commit) {
	for len(p.parts) > 0 && !strings.HasPrefix(strings.TrimPrefix(p.parts[0], "\n"), header) {
		switch status := strings.TrimPrefix(p.next(), "\n"); {
		case status == "":
		case status[0] == 'R':
			r := Rename{From: p.path(), To: p.path()}
			c.Renames = append(c.Renames, r)
			c.Files = append(c.Files, r.To)
		default:
			c.Files = append(c.Files, p.path())
		}
	}
}

// next returns the next part, or an empty one at the end.
func (p *parser) next() string {
	if len(p.parts) == 0 {
		return ""
	}
	part := p.parts[0]
	p.parts = p.parts[1:]
	return part
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
