package proof

import (
	"fmt"
	"testing"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/trial"
)

// TestJudge says what a step says of a proposal, by what its command does with it and without it.
func TestJudge(t *testing.T) {
	const wrong, other, warning = "a.go:1:2: wrong\n", "a.go:3:4: other\n", "a.py:1: warning: slow\n"
	ends := func(status int, output string) ran {
		r := ran{output: output}
		r.Status = status
		return r
	}
	moved := func(r ran) ran { r.Moved = true; return r }
	silent := func(r ran) ran { r.why = "it was stopped"; return r }
	vet := `{"m":{"printf":[{"posn":"a.go:1:2","message":"wrong"}]}}` + "\n"
	ignored := `[{"filePath":"a.js","messages":[{"message":"File ignored because of a matching ignore pattern."}]}]` + "\n"
	files := []trial.Text{{Path: "a.go"}, {Path: "a.py"}, {Path: "a.js"}}
	never := ran{why: "the command does not run without the proposal"}
	for name, tt := range map[string]struct {
		step     Step
		read     reader
		with     ran
		without  ran
		want     string // the line, and the new problems
		baseRuns bool
	}{
		"passes":                     {with: ends(0, "fine\n"), without: never, want: "passed"},
		"passes with a warning":      {with: ends(0, wrong), without: never, want: "passed"},
		"says nothing":               {with: silent(ends(0, "")), without: never, want: "unknown: it was stopped"},
		"the files move":             {with: moved(ends(1, wrong)), without: never, want: "stale: the files changed while it ran"},
		"the files move, passes":     {with: moved(ends(0, "")), without: never, want: "stale: the files changed while it ran"},
		"one new":                    {with: ends(1, wrong), without: ends(0, ""), want: "1 new problem: wrong", baseRuns: true},
		"two new":                    {with: ends(1, wrong+other), without: ends(0, ""), want: "2 new problems: wrong: other", baseRuns: true},
		"one new, one old":           {with: ends(1, wrong+other), without: ends(1, wrong), want: "1 new problem: other", baseRuns: true},
		"none new":                   {with: ends(1, wrong), without: ends(1, wrong+other), want: "unknown: it fails without the proposal, too", baseRuns: true},
		"an error, not its warnings": {with: ends(1, warning+"a.py:2: error: bad\n"), without: ends(0, ""), want: "1 new problem: bad", baseRuns: true},
		"warnings alone":             {with: ends(1, warning), without: ends(0, ""), want: "1 new problem: slow", baseRuns: true},
		"fails in silence":           {with: ends(3, "some\nwords\n"), without: ends(0, ""), want: "1 new problem: it ends with status 3: words", baseRuns: true},
		"fails in silence, as before": {with: ends(3, "words\n"), without: ends(3, "words\n"),
			want: "unknown: it fails without the proposal, too", baseRuns: true},
		"fails in silence, and the files move below": {with: ends(3, "words\n"), without: moved(ends(0, "")),
			want: "unknown: it fails without the proposal, too", baseRuns: true},
		"without it nothing is known": {with: ends(1, wrong), without: silent(ends(0, "")),
			want: "unknown: what it says without the proposal is not known: it was stopped", baseRuns: true},
		"a tool whose status says nothing":        {read: readVet, with: ends(0, vet), without: ends(0, "{}\n"), want: "1 new problem: wrong", baseRuns: true},
		"the same before, whose status says none": {read: readVet, with: ends(0, vet), without: ends(0, vet), want: "unknown: it fails without the proposal, too", baseRuns: true},
		"silent now, and found something before":  {read: readVet, with: ends(1, ""), without: ends(0, vet), want: "unknown: it fails without the proposal, too", baseRuns: true},
		"no tests":                                {step: Step{Tests: true}, with: ends(0, ""), without: never, want: "unknown: no tests ran"},
		"no tests, by the status of pytest":       {step: Step{Tests: true}, with: ends(exitNoTests, "5 deselected in 0.01s\n"), without: never, want: "unknown: no tests ran"},
		"no tests, in words":                      {step: Step{Tests: true}, with: ends(1, "No tests found, exiting with code 1\n"), without: never, want: "unknown: no tests ran"},
		"tests that can't run":                    {step: Step{Tests: true}, with: ends(2, "crashed\n"), without: ends(0, "1 passed in 0.1s\n"), want: "1 new problem: it ends with status 2: crashed", baseRuns: true},
		"a status of a check that runs no tests":  {with: ends(exitNoTests, "five\n"), without: ends(0, ""), want: "1 new problem: it ends with status 5: five", baseRuns: true},
		"tests pass":                              {step: Step{Tests: true}, with: ends(0, "2 passed in 0.1s\n"), without: never, want: "2 tests passed"},
		"no files, of a tool whose JSON says so":  {read: readESLint, with: ends(0, ignored), without: never, want: "unknown: it found no files to look at"},
		"no files, of a tool that says so":        {with: ends(1, "No files matching the pattern \"a.js\" were found.\n"), without: never, want: "unknown: it found no files to look at"},
		"no files of another kind, and a problem": {with: ends(1, "No files matching the pattern\n"+wrong), without: ends(0, ""), want: "1 new problem: wrong", baseRuns: true},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := newFolder(t.TempDir(), files, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer f.close()
			if tt.step.read = tt.read; tt.read == nil {
				tt.step.read = lines(anyFormats)
			}
			ranBase := false
			e, err := f.judge(&tt.step, tt.with, func() (ran, error) {
				ranBase = true
				return tt.without, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got := e.Line()
			for _, p := range e.Problems {
				got += ": " + p.Message
			}
			if got != tt.want || ranBase != tt.baseRuns {
				t.Errorf("%q, want %q; without the proposal it ran: %t", got, tt.want, ranBase)
			}
		})
	}
}

// TestVeryManyProblems are counted, and the first ones are kept.
func TestVeryManyProblems(t *testing.T) {
	f, err := newFolder(t.TempDir(), []trial.Text{{Path: "a.go"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	with := ran{}
	with.Status = 1
	for i := range evidence.MaxProblems + 7 {
		with.output += fmt.Sprintf("a.go:%d: wrong %d\n", i+1, i)
	}
	e, err := f.judge(&Step{read: lines(anyFormats)}, with, func() (ran, error) { return ran{}, nil })
	if err != nil || len(e.Problems) != evidence.MaxProblems || e.Omitted != 7 || e.Problems[0].Message != "wrong 0" {
		t.Errorf("%d problems, %d omitted, %v", len(e.Problems), e.Omitted, err)
	}
}
