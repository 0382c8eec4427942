// Package evidence keeps what is known of a proposal besides its changes: whether it builds, and what its tests say.
//
// Its promises:
//   - Evidence is of one version of a proposal, and of one state of the files below it. Of anything else it reads as
//     stale.
//   - What a process did not end, because it has ended itself, reads as unknown.
//   - Only what has found something to look at, and has looked, has passed.
//   - Each evidence has at most [MaxProblems] problems and [MaxOutput] bytes of output.
package evidence

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Kind is what a piece of evidence comes from.
type Kind string

// The kinds.
const (
	Syntax   Kind = "syntax"   // the parser
	Problems Kind = "problems" // a command that checks or builds, or a language server
	Command  Kind = "command"  // any other command, such as tests
)

// State is what is known.
type State string

// The states.
const (
	Running State = "running"
	Passed  State = "passed"  // it has looked, and found nothing new
	Failed  State = "failed"  // it has found new problems
	Unknown State = "unknown" // it did not run, or its result says nothing of the change
	Stale   State = "stale"   // the proposal or the files below it have changed since
)

// Bounds of one piece of evidence.
const (
	MaxProblems = 100
	MaxOutput   = 32 << 10 // bytes
)

// Problem is a problem that was not there without the proposal.
type Problem struct {
	Path      string `json:"path,omitempty"`      // absolute, as the proposal leaves it; "" if it is of no file
	Rel       string `json:"-"`                   // Path relative to its workspace folder; not stored
	Line      int    `json:"line,omitempty"`      // 1-based; 0 if it is of no line
	Column    int    `json:"column,omitempty"`    // 1-based, in bytes; 0 if it is of the line
	EndLine   int    `json:"endLine,omitempty"`   // 0 if unknown
	EndColumn int    `json:"endColumn,omitempty"` // exclusive; 0 if unknown
	Message   string `json:"message"`
	Code      string `json:"code,omitempty"` // that the source gives it
	Warning   bool   `json:"warning,omitempty"`
}

// String returns the problem as compilers print one.
func (p Problem) String() string {
	switch {
	case p.Rel == "":
		return p.Message
	case p.Line == 0:
		return p.Rel + ": " + p.Message
	case p.Column == 0:
		return fmt.Sprintf("%s:%d: %s", p.Rel, p.Line, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Rel, p.Line, p.Column, p.Message)
}

// Evidence is what one source says of a version of a proposal.
type Evidence struct {
	Source   string        `json:"-"` // names it among those of the proposal, such as "go vet"
	Kind     Kind          `json:"kind"`
	Command  []string      `json:"command,omitempty"` // program and arguments
	Folder   string        `json:"folder,omitempty"`  // absolute, in which it ran
	State    State         `json:"state"`
	Reason   string        `json:"reason,omitempty"`   // why it is unknown or stale
	Problems []Problem     `json:"problems,omitempty"` // the new ones
	Omitted  int           `json:"omitted,omitempty"`  // how many more new problems there are
	Before   int           `json:"before,omitempty"`   // how many problems are there without the proposal, too
	Tests    Tests         `json:"tests,omitzero"`
	Output   string        `json:"output,omitempty"` // the end of what the command has printed
	Cut      int64         `json:"cut,omitempty"`    // how many bytes of output come before that
	Started  int64         `json:"started"`          // Unix milliseconds
	Took     time.Duration `json:"took,omitempty"`
	Base     string        `json:"base,omitempty"` // names the unsaved and proposed texts that it has seen
}

// Tests counts the tests that have run.
type Tests struct {
	Passed int `json:"passed,omitempty"`
	Failed int `json:"failed,omitempty"`
}

// Bound cuts what is longer than it may be.
func (e *Evidence) Bound() {
	if more := len(e.Problems) - MaxProblems; more > 0 {
		e.Problems, e.Omitted = slices.Clone(e.Problems[:MaxProblems]), e.Omitted+more
	}
	if more := len(e.Output) - MaxOutput; more > 0 {
		for more < len(e.Output) && !utf8.RuneStart(e.Output[more]) {
			more++
		}
		e.Output, e.Cut = e.Output[more:], e.Cut+int64(more)
	}
}

// New returns how many new problems there are.
func (e *Evidence) New() int { return len(e.Problems) + e.Omitted }

// Line says in one line what is known, without the source.
func (e *Evidence) Line() string {
	line := string(e.State)
	switch e.State {
	case Failed:
		line = plural(e.New(), "new problem")
		if e.Tests.Failed > 0 {
			line += fmt.Sprintf("; %d of %s failed", e.Tests.Failed, plural(e.Tests.Failed+e.Tests.Passed, "test"))
		}
	case Passed:
		if e.Tests.Passed > 0 {
			line = plural(e.Tests.Passed, "test") + " passed"
		}
	}
	if e.Reason != "" {
		line += ": " + e.Reason
	}
	if e.Took > 0 && (e.State == Passed || e.State == Failed) {
		line += fmt.Sprintf(" (%.1f s)", e.Took.Seconds())
	}
	return line
}

// Summary says in one line what is known of a proposal; "" if nothing is.
func Summary(all []Evidence) string {
	var lines []string
	for _, e := range all {
		lines = append(lines, e.Source+": "+e.Line())
	}
	return strings.Join(lines, "; ")
}

// problemsForModel is how many problems a model gets of each source.
const problemsForModel = 20

// ForModel describes the new problems to a model; "" if there are none.
func ForModel(all []Evidence) string {
	var lines []string
	for _, e := range all {
		if e.State != Failed {
			continue
		}
		for i, p := range e.Problems {
			if i == problemsForModel {
				lines = append(lines, fmt.Sprintf("and %d more of %s", e.New()-i, e.Source))
				break
			}
			lines = append(lines, p.String())
		}
	}
	return strings.Join(lines, "\n")
}

// stale makes e stale, unless there is no result that could be.
func (e *Evidence) stale(reason string) {
	if e.State != Unknown || len(e.Output) > 0 {
		e.State, e.Reason = Stale, reason
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
