package proof

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewdog/errorformat"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/lazyregexp"
)

// maxLine is how many bytes of a line of output are read as a problem.
const maxLine = 4 << 10

// found is a problem as a command prints it.
type found struct {
	file              string // as the command names it
	line, column      int    // 1-based; 0 if unknown
	endLine, endColum int
	message, code     string
	warning           bool
}

// problemsIn returns the problems in the output of a step, each once.
func (s *Step) problemsIn(output string) (all []found, err error) {
	if s.parse != nil {
		return s.parse(output)
	}
	formats, err := errorformat.NewErrorformat(s.formats)
	if err != nil {
		return nil, err
	}
	scanner := formats.NewScanner(strings.NewReader(shortLines(output)))
	seen := map[found]bool{}
	for scanner.Scan() {
		e := scanner.Entry()
		one := found{file: strings.TrimSpace(e.Filename), line: e.Lnum, column: e.Col, message: strings.TrimSpace(e.Text),
			warning: e.Type == 'w' || e.Type == 'W'}
		if e.Nr > 0 {
			one.code = fmt.Sprint(e.Nr)
		}
		if e.Valid && one.message != "" && !seen[one] {
			seen[one] = true
			all = append(all, one)
		}
	}
	return all, nil
}

// maxLines is how many lines of output problems are looked for in: each is compared with each format.
const maxLines = 100_000

// shortLines cuts the lines of a text, and takes out what colors it, blank lines, and lines before the last [maxLines].
func shortLines(text string) string {
	var out strings.Builder
	var starts []int // of the lines in out
	for line := range strings.Lines(colors.ReplaceAllString(text, "")) {
		if line = strings.TrimRight(line, " \t\r\n"); line == "" {
			continue
		}
		starts = append(starts, out.Len())
		out.WriteString(strings.ToValidUTF8(line[:min(len(line), maxLine)], "") + "\n")
	}
	if len(starts) <= maxLines {
		return out.String()
	}
	return out.String()[starts[len(starts)-maxLines]:]
}

var (
	colors  = lazyregexp.New(`\x1b\[[0-9;]*[A-Za-z]`)
	numbers = lazyregexp.New(`\d+`)
)

// key names a problem wherever it is in its file.
func (p found) key() string {
	return p.file + "\x00" + p.code + "\x00" + numbers.ReplaceAllString(p.message, "0")
}

// newProblems returns those of now that were not there before, and how many were.
func newProblems(now, before []found) (fresh []found, old int) {
	count := map[string]int{}
	for _, p := range before {
		count[p.key()]++
	}
	for _, p := range now {
		if k := p.key(); count[k] > 0 {
			count[k]--
			old++
		} else {
			fresh = append(fresh, p)
		}
	}
	return fresh, old
}

// errorsIn returns the problems that are no warnings.
func errorsIn(all []found) []found {
	return slices.DeleteFunc(slices.Clone(all), func(p found) bool { return p.warning })
}

// evidence returns a problem of a step in a folder. Of a file that is not in the folder, the message says so.
func (p found) evidence(f *folder, s *Step) evidence.Problem {
	out := evidence.Problem{Line: p.line, Column: p.column, EndLine: p.endLine, EndColumn: p.endColum, Message: p.message,
		Code: p.code, Warning: p.warning}
	if rel, ok := f.fileOf(p.file, s.Dir); ok {
		out.Path = filepath.Join(f.root, filepath.FromSlash(rel))
	} else if p.file != "" {
		out.Message = fmt.Sprintf("%s:%d: %s", p.file, p.line, p.message)
		out.Line, out.Column, out.EndLine, out.EndColumn = 0, 0, 0, 0
	}
	return out
}

// fileOf returns the file of the folder that a command means which runs in dir.
func (f *folder) fileOf(name, dir string) (rel string, ok bool) {
	name = filepath.ToSlash(name)
	if rest, inside := strings.CutPrefix(name, filepath.ToSlash(f.root)+"/"); inside {
		rel = path.Clean(rest)
	} else if path.IsAbs(name) || name == "" {
		return "", false
	} else {
		rel = path.Join(dir, name)
	}
	if rel == ".." || strings.HasPrefix(rel, "../") || !f.has(rel) {
		return "", false
	}
	return rel, true
}

// ruffProblems reads the output of ruff in its own format.
func ruffProblems(output string) (all []found, err error) {
	var list []struct {
		Code, Message, Filename string
		Location                struct{ Row, Column int }
		End                     struct{ Row, Column int } `json:"end_location"`
	}
	from := strings.IndexByte(output, '[')
	if from < 0 {
		return nil, nil
	}
	if err := json.NewDecoder(strings.NewReader(output[from:])).Decode(&list); err != nil {
		return nil, fmt.Errorf("its output can't be read: %w", err)
	}
	for _, p := range list {
		all = append(all, found{file: p.Filename, line: p.Location.Row, column: p.Location.Column, endLine: p.End.Row,
			endColum: p.End.Column, message: p.Message, code: p.Code})
	}
	return all, nil
}
