package proof

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/process"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
	"ploke-lsp/project/trials"
)

const (
	stepTimeout = 10 * time.Minute // default time limit of a step
	maxOutput   = 4 << 20          // bytes of output in which problems are looked for

	exitNoProgram = 127 // of a shell that has not found a program
	exitNoTests   = 5   // of pytest
)

// output keeps the beginning and the end of what a command prints. It may be written by several goroutines.
type output struct {
	mu   sync.Mutex
	text []byte
	cut  int64
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p...)
	if more := len(o.text) - maxOutput; more > maxOutput/4 { // not on every write
		o.cut += int64(more)
		o.text = append(o.text[:0], o.text[more:]...)
	}
	return len(p), nil
}

// kept returns what is kept as valid UTF-8, without the sequences that color it, and how many bytes come before that.
// It begins with a whole line: a part of one would be another problem than the line.
func (o *output) kept() (text string, cut int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	start := 0
	if o.cut > 0 {
		start = bytes.IndexByte(o.text, '\n') + 1
	}
	return display.Plain(string(o.text[start:])), o.cut + int64(start)
}

// ran is what came of a command.
type ran struct {
	trials.Result
	output string
	cut    int64
	why    string // why the result says nothing; "" if it says something

	started time.Time
}

// inPart is what runs a command in a part of the tree, whatever the system's env can do. The shell's status says that
// there is no such program.
const inPart = `cd "$1" && shift && exec "$@"`

// run runs a step on a folder with texts laid over it.
func (c *Checker) run(ctx context.Context, s *Step, at place, texts []trial.Text) (r ran, err error) {
	limit := s.Timeout
	if limit == 0 {
		limit = stepTimeout
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out := &output{}
	env := slices.Concat(process.Environment(at.root, s.Env), process.Readable(), []string{"CI=1", "GOTOOLCHAIN=local"})
	r.Result, err = c.deps.Run(limited, trials.Command{Turn: at.turn, Variant: at.variant, Folder: at.root, Texts: texts,
		Args: append([]string{"sh", "-c", inPart, "sh", s.Dir}, s.Command...), Env: env, Output: out,
		Skip: c.deps.Skip(at.root)})
	r.output, r.cut = out.kept()
	var refused *sandbox.LaunchError
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.As(err, &refused):
		r.why = refused.Error()
	case limited.Err() != nil:
		r.why = fmt.Sprintf("it was stopped after %v, its time limit", limit)
	case err != nil:
		return r, err
	default:
		if program := missing(r.Status, r.output, s.Command[0]); program != "" {
			r.why = program + " is not installed, or not where the sandbox can see it"
		}
	}
	return r, nil
}

var (
	notFound = lazyregexp.New(
		`(?m)^[^:\n]+: (?:(?:line )?(?:\d+: )?(?:exec: )?([^\s:]+): (?:command )?not found|command not found: (\S+))$`)
	noGem    = lazyregexp.New(`^(?:bundler: failed to load command: .*\n.*: )?Could not find (?:gem ')?([\w.-]+).* in `)
	noModule = lazyregexp.New(`^\S*python[\d.]*: No module named (\w+)\n*$`)
)

// missing returns the program that a command has not found, "" if it has found all.
func missing(status int, output, program string) string {
	if groups := noModule.FindStringSubmatch(output); groups != nil {
		return groups[1]
	}
	if groups := noGem.FindStringSubmatch(output); groups != nil && status != 0 && program == "bundle" {
		return "the gem " + groups[1]
	}
	if status != exitNoProgram {
		return ""
	}
	if all := notFound.FindAllStringSubmatch(output, -1); all != nil {
		last := all[len(all)-1]
		return last[1] + last[2]
	}
	return program
}

// place is where a step runs: a folder as a turn leaves it, or as it is.
type place struct{ root, turn, variant string }

// judge returns what a step says of a proposal. base runs it without the proposal.
func (f *folder) judge(s *Step, r ran, base func() (ran, error)) (evidence.Evidence, error) {
	e := s.evidence(f, evidence.Passed, "")
	e.Cut, e.Took = r.cut, r.Took
	unknown := func(why string) (evidence.Evidence, error) {
		e.State, e.Reason = evidence.Unknown, why
		return e, nil
	}
	says, err := s.read(r.output)
	if err != nil {
		return e, err
	}
	if e.Output = says.text; s.Tests {
		e.Tests = says.tests
	}
	switch {
	case r.why != "":
		return unknown(r.why)
	case r.Moved:
		e.State, e.Reason = evidence.Stale, "the files changed while it ran"
		return e, nil
	case s.Tests && e.Tests == evidence.Tests{} && (r.Status == 0 || r.Status == exitNoTests || says.noTests()):
		return unknown("no tests ran")
	case says.nothing || says.noFiles():
		return unknown("it found no files to look at")
	case r.Status == 0 && !says.failed:
		return e, nil
	}
	return f.compare(e, s, r, says, base)
}

// compare finishes the evidence of a step that has failed by what it says without the proposal.
func (f *folder) compare(e evidence.Evidence, s *Step, r ran, says report,
	base func() (ran, error)) (evidence.Evidence, error) {
	without, err := base()
	if err != nil {
		return e, err
	}
	before, err := s.read(without.output)
	if err != nil {
		return e, err
	}
	if without.why != "" {
		e.State, e.Reason = evidence.Unknown, "what it says without the proposal is not known: "+without.why
		return e, nil
	}
	fresh, old := newProblems(errorsOf(says.problems), before.problems)
	e.Before = old
	switch {
	case len(fresh) > 0:
	case without.Status != 0 || without.Moved || before.failed:
		e.State, e.Reason = evidence.Unknown, "it fails without the proposal, too"
		return e, nil
	default:
		fresh = []found{{message: lastLine(r.Status, says.text)}}
	}
	e.State = evidence.Failed
	for _, p := range fresh[:min(len(fresh), evidence.MaxProblems)] {
		e.Problems = append(e.Problems, p.evidence(f, s))
	}
	e.Omitted = len(fresh) - len(e.Problems)
	return e, nil
}

// errorsOf returns the errors among problems; all of them if there are none.
func errorsOf(all []found) []found {
	if hard := errorsIn(all); len(hard) > 0 {
		return hard
	}
	return all
}

// noFiles reports whether a tool says that nothing matched what it was to look at.
func (r *report) noFiles() bool { return r.empty() && contains(r.text, saysNoFiles) }

// noTests reports whether a runner says that there are no tests, as some do by failing.
func (r *report) noTests() bool { return r.empty() && contains(r.text, saysNoTests) }

func (r *report) empty() bool { return len(r.problems) == 0 && r.tests == evidence.Tests{} }

func contains(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

var (
	saysNoFiles = []string{"matched no packages", "No files matching", "No Python files found", "no packages to test",
		"No files to process"}
	saysNoTests = []string{"No tests found", "No test files found", "No tests executed", "No tests were found",
		"No tests to run", "No test is available"}
)

// lastLine says how a command ended that prints no problem.
func lastLine(status int, text string) string {
	last := ""
	for line := range strings.Lines(shortLines(text)) {
		if line = strings.TrimSpace(line); line != "" {
			last = line
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("it ends with status %d: %s", status, last), ": ")
}

// nameOf names texts that are laid over a folder.
func nameOf(texts []trial.Text) string {
	sum := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(sum, "%d:%s%t%d:", len(t.Path), t.Path, t.Gone, len(t.Data))
		sum.Write(t.Data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
