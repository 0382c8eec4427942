package proof

import (
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
	by                counting // of the lines and columns
	message, code     string
	warning           bool
}

// report is what the output of a command says.
type report struct {
	problems []found // each once
	tests    evidence.Tests
	text     string // the output as people read it
	failed   bool   // something was found, whatever the status of the command
	nothing  bool   // the command has looked at nothing
}

// reader reads the output of a command.
type reader func(output string) (report, error)

// lines returns what reads problems in lines, as Vim's errorformat has them, and the usual summaries of tests.
func lines(f formats) reader {
	return func(output string) (report, error) {
		problems, err := problemsIn(output, f)
		return report{problems: problems, tests: countTests(output), text: output}, err
	}
}

// problemsIn returns the problems in an output, each once.
func problemsIn(output string, f formats) (problems []found, err error) {
	known, err := errorformat.NewErrorformat(f.lines)
	if err != nil {
		return nil, err
	}
	text := shortLines(output)
	all := newPrinted(text)
	scanner := known.NewScanner(strings.NewReader(text))
	for scanner.Scan() {
		e := scanner.Entry()
		one := found{file: strings.TrimSpace(e.Filename), line: e.Lnum, column: e.Col, message: strings.TrimSpace(e.Text),
			warning: e.Type == 'w' || e.Type == 'W', by: f.by}
		if e.Nr > 0 {
			one.code, one.by = fmt.Sprint(e.Nr), tscFormats.by
		} else if e.Type > 0 && f.by == anyFormats.by {
			one.by = compiler
		}
		if !e.Valid || one.message == "" {
			continue
		}
		if f.below != nil {
			f.below(&one, all.below(e.Lines[0]))
		}
		problems = append(problems, one)
	}
	return once(problems), nil
}

// once returns each problem once.
func once(all []found) (different []found) {
	seen := map[found]bool{}
	for _, p := range all {
		if !seen[p] {
			seen[p] = true
			different = append(different, p)
		}
	}
	return different
}

// maxLines is how many lines of output problems are looked for in: each is compared with each format.
const maxLines = 100_000

// shortLines cuts the lines of a text, and takes out what colors it, blank lines, and lines before the last [maxLines].
func shortLines(text string) string { return cutLines(text, false) }

// cutLines is shortLines, which keeps blank lines if they say where something ends.
func cutLines(text string, blank bool) string {
	var out strings.Builder
	var starts []int // of the lines in out
	for line := range strings.Lines(colors.ReplaceAllString(text, "")) {
		if line = strings.TrimRight(line, " \t\r\n"); line == "" && !blank {
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
	out := evidence.Problem{Message: p.message, Code: p.code, Warning: p.warning}
	if rel, ok := f.fileOf(p.file, s.Dir); ok {
		out.Path = filepath.Join(f.root, filepath.FromSlash(rel))
		text := f.raw(rel)
		out.Line, out.Column = p.by.place(text, p.line, p.column)
		if out.EndLine, out.EndColumn = p.by.place(text, p.endLine, p.endColum); out.Column == 0 || out.EndColumn == 0 {
			out.EndLine, out.EndColumn = 0, 0
		}
	} else if p.file != "" {
		out.Message = fmt.Sprintf("%s:%d: %s", p.file, p.line, p.message)
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
