package proof

import (
	"path"
	"slices"
	"strings"
	"time"

	"ploke-lsp/edits/evidence"
)

// Step is a command that checks a part of a folder.
type Step struct {
	Source  string // names it among those of a proposal
	Dir     string // where it runs, relative to the folder, with slashes; "." is the folder
	Command []string
	Env     []string      // names of variables that it gets besides the usual ones
	Timeout time.Duration // 0: ten minutes
	Tests   bool          // it runs tests, and has looked at nothing if it has run none

	read reader // of its output
	kind evidence.Kind
}

// Check is a command of the user's settings.
type Check struct {
	Name    string
	Command []string
	Files   []string // patterns of names; none: any file
	Env     []string
	Timeout time.Duration
}

// evidence returns evidence of the step that has no result.
func (s *Step) evidence(f *folder, state evidence.State, reason string) evidence.Evidence {
	return evidence.Evidence{Source: s.Source, Kind: s.kind, Command: s.Command, Folder: f.root, State: state,
		Reason: reason}
}

// one returns a step that builds or checks.
func (p *part) one(source string, read reader, command []string) []Step {
	return []Step{{Source: p.named(source), Dir: p.dir, Command: command, read: read, kind: evidence.Problems}}
}

// tests returns a step that runs tests.
func (p *part) tests(source string, read reader, command []string) []Step {
	return []Step{{Source: p.named(source), Dir: p.dir, Command: command, Tests: true, read: read, kind: evidence.Command}}
}

// named returns the name of a source in the part.
func (p *part) named(source string) string {
	if p.dir == "." {
		return source
	}
	return source + " in " + p.dir
}

// steps returns what checks a folder: the user's commands, then what the manifests suggest.
func (f *folder) steps(checks []Check, tests bool) (steps []Step) {
	for _, c := range checks {
		if len(c.Files) == 0 || slices.ContainsFunc(f.changed, func(file string) bool { return matches(c.Files, file) }) {
			steps = append(steps, Step{Source: c.Name, Dir: ".", Command: c.Command, Env: c.Env, Timeout: c.Timeout,
				read: lines(anyFormats), kind: evidence.Command})
		}
	}
	for _, r := range table {
		for _, p := range f.parts(r) {
			steps = append(steps, r.stepsOf(p, tests)...)
		}
	}
	return steps
}

func (r rule) stepsOf(p *part, tests bool) (steps []Step) {
	if r.compile != nil {
		steps = r.compile(p)
	}
	if tests && r.test != nil {
		steps = append(steps, r.test(p)...)
	}
	return steps
}

// parts returns the parts of a folder that a rule has something to check in, by their folders.
func (f *folder) parts(r rule) (parts []*part) {
	byDir := map[string]*part{}
	for _, file := range f.changed {
		isManifest := matches(r.manifests, file)
		if !isManifest && !matches(r.files, file) {
			continue
		}
		dir, name, ok := f.manifestOf(file, r.manifests, r.outermost)
		if !ok {
			continue
		}
		p := byDir[dir]
		if p == nil {
			p = &part{folder: f, dir: dir, manifest: name}
			byDir[dir], parts = p, append(parts, p)
		}
		if rel, _ := p.relative(file); f.has(file) {
			p.files = append(p.files, rel)
		} else {
			p.gone = true
		}
		p.gone = p.gone || isManifest || strings.HasSuffix(file, ".sum") || strings.HasSuffix(file, ".lock")
	}
	slices.SortFunc(parts, func(a, b *part) int { return strings.Compare(a.dir, b.dir) })
	return parts
}

// matches reports whether the name of a file, or its path, matches one of the patterns.
func matches(patterns []string, file string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		name := path.Base(file)
		if strings.Contains(pattern, "/") {
			name = file
		}
		ok, _ := path.Match(pattern, name)
		return ok
	})
}
