package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// maxLine is the longest line of output that is read, in bytes.
const maxLine = 64 << 20

// event is a line of "go test -json", as "go doc test2json" describes it.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64 // seconds
}

// goOutput reads the events of "go test -json" and writes what a person wants to see: a line for
// each package, and all that failed tests and builds have printed. It returns the times of the
// packages, and of the tests that are not part of another.
func goOutput(in io.Reader, out io.Writer) (packages, tests []timed, err error) {
	unread, apart := printed{}, partsApart{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(out, lines.Text())
			continue
		}
		top, _, _ := strings.Cut(e.Test, "/")
		switch e.Action {
		case "build-output":
			fmt.Fprint(out, e.Output)
		case "output":
			if e.Test == "" && isVerdict(e.Output) {
				fmt.Fprint(out, e.Output)
			} else {
				unread.add(e.Package, top, e.Output)
			}
		case "pause":
			apart.paused(e)
		case "pass", "skip":
			unread.drop(e.Package, e.Test)
		case "fail":
			unread.show(out, e.Package, e.Test)
		}
		took := timed{Name: e.Package, Seconds: e.Elapsed}
		switch ended := e.Action == "pass" || e.Action == "fail"; {
		case ended && e.Test == "":
			packages = append(packages, took)
		case ended && e.Test == top:
			took.Name += "." + e.Test
			took.Seconds += apart[e.Package+" "+top]
			tests = append(tests, took)
		case ended:
			apart.ended(e, top)
		}
	}
	return packages, tests, lines.Err()
}

// partsApart are the seconds of the parts of tests that run in parallel, which are not among those
// of the test itself, by package and test. A part that has been paused has a key of its own.
type partsApart map[string]float64

func (p partsApart) paused(e event) { p[e.Package+" "+e.Test] = 0 }

// ended adds a part to its test.
func (p partsApart) ended(e event, test string) {
	if _, parallel := p[e.Package+" "+e.Test]; parallel {
		p[e.Package+" "+test] += e.Elapsed
	}
}

// printed is what tests have printed that may still fail, by package and by test. "" is what the
// package itself printed.
type printed map[string]map[string]string

func (p printed) add(pkg, test, text string) {
	if p[pkg] == nil {
		p[pkg] = map[string]string{}
	}
	p[pkg][test] += text
}

// drop forgets a test, or a package with the tests that have not ended. A part of a test stays with it.
func (p printed) drop(pkg, test string) {
	if test == "" {
		delete(p, pkg)
	} else {
		delete(p[pkg], test)
	}
}

// show writes and forgets what a test has printed. If a package fails, tests that have not ended
// are shown, too: they were stopped.
func (p printed) show(out io.Writer, pkg, test string) {
	if test != "" {
		fmt.Fprint(out, p[pkg][test])
	} else {
		for _, name := range slices.Sorted(maps.Keys(p[pkg])) {
			fmt.Fprint(out, p[pkg][name])
		}
	}
	p.drop(pkg, test)
}

// isVerdict reports whether "go test" prints the line for a package also when nothing fails.
func isVerdict(line string) bool {
	return strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "?   \t")
}

// plainOutput copies a text, and returns how long each part of it took that begins with a line "== NAME".
func plainOutput(in io.Reader, out io.Writer) (packages, tests []timed, err error) {
	var begun time.Time
	end := func() {
		if len(tests) > 0 {
			tests[len(tests)-1].Seconds = time.Since(begun).Seconds()
		}
		begun = time.Now()
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		fmt.Fprintln(out, lines.Text())
		if name, ok := strings.CutPrefix(lines.Text(), "== "); ok {
			end()
			tests = append(tests, timed{Name: name})
		}
	}
	end()
	return nil, tests, lines.Err()
}
