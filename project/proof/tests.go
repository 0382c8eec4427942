package proof

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/lazyregexp"
)

// summary is how a tool says how many tests have run. The groups of its expression count what is named.
type summary struct {
	text   *lazyregexp.Regexp
	groups []string // "passed", "failed", "skipped" or "run", which is all of them
}

func says(text string, groups ...string) summary {
	return summary{lazyregexp.New("(?m)" + text), groups}
}

// summaries are those of the tools in the table; the first one that is in an output counts.
var summaries = []summary{
	// cargo
	says(`^test result: \w+\. (\d+) passed; (\d+) failed`,
		"passed", "failed"),
	// jest
	says(`^Tests:\s+(?:(\d+) failed, )?(?:\d+ (?:skipped|todo|pending), )*(?:(\d+) passed, )?(?:\d+ todo, )?\d+ total`,
		"failed", "passed"),
	// vitest
	says(`^\s*Tests\s+(?:(\d+) failed)?(?: \| )?(?:(\d+) passed)?`,
		"failed", "passed"),
	// pytest
	says(`^(?:=+ )?(?:(\d+) failed(?:, )?)?(?:(\d+) passed(?:, )?)?`+
		`(?:\d+ (?:skipped|deselected|xfailed|xpassed|warnings?|rerun)(?:, )?)*(?:(\d+) errors?)? in \d`,
		"failed", "passed", "failed"),
	// mvn, gradle
	says(`^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$`,
		"run", "failed", "failed", "skipped"),
	// phpunit
	says(`^OK \((\d+) tests?,`,
		"passed"),
	// phpunit
	says(`^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?(?:, Warnings: \d+)?`+
		`(?:, [A-Z][\w ]*: \d+)*?(?:, Skipped: (\d+))?(?:, Incomplete: (\d+))?(?:, Risky: (\d+))?\.`,
		"run", "failed", "failed", "skipped", "skipped", "skipped"),
	// rspec
	says(`^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?`,
		"run", "failed", "skipped"),
	// test-unit
	says(`^(\d+) tests, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) pendings, (\d+) omissions`,
		"run", "failed", "failed", "skipped", "skipped"),
	// minitest, mix
	says(`^(?:\d+ (?:doctests?|properties|property), )*(\d+) (?:runs|tests?), (?:\d+ assertions, )?(\d+) failures?`+
		`(?:, (\d+) errors)?(?:, (\d+) (?:skips|skipped|excluded))?`,
		"run", "failed", "failed", "skipped"),
	// ctest
	says(`tests passed, (\d+) tests failed out of (\d+)`,
		"failed", "run"),
	// node
	says(`^(?:# |ℹ )pass (\d+)\n(?:# |ℹ )fail (\d+)`,
		"passed", "failed"),
	// mocha
	says(`^ +(\d+) passing .*\n(?: +\d+ pending\n)?(?: +(\d+) failing)?`,
		"passed", "failed"),
	// dotnet
	says(`Failed:\s+(\d+), Passed:\s+(\d+)`,
		"failed", "passed"),
}

// countTests adds up the summaries in the output of tests.
func countTests(output string) (t evidence.Tests) {
	output = shortLines(output)
	for _, s := range summaries {
		for _, groups := range s.text.FindAllStringSubmatch(output, -1) {
			n := map[string]int{}
			for i, name := range s.groups {
				count, _ := strconv.Atoi(groups[i+1])
				n[name] += count
			}
			t.Failed += n["failed"]
			if t.Passed += n["passed"]; n["run"] > 0 {
				t.Passed += n["run"] - n["failed"] - n["skipped"]
			}
		}
		if t.Passed+t.Failed > 0 {
			return t
		}
	}
	return t
}

// goEvent is a line of go test -json.
type goEvent struct {
	Action, Package, Test, Output, FailedBuild string
}

func goEvents(output string, each func(goEvent)) {
	for line := range strings.Lines(output) {
		var e goEvent
		if json.Unmarshal([]byte(line), &e) != nil {
			e = goEvent{Action: "build-output", Output: line}
		}
		each(e)
	}
}

var (
	goTestLine  = lazyregexp.New(`^\s+([\w.-]+\.go):(\d+): (.*)`)
	goStackLine = lazyregexp.New(`^\t(.+/[\w.-]+\.go):(\d+) \+0x`)
)

// goTests is what go test -json says of the tests of a module.
type goTests struct {
	module string
	said   map[string]found // by package and test: what it has said last, or of what it panics
	fails  []found
	bad    map[string]bool // packages with a test that fails, or that do not build
}

// name names a test, or with "" its package.
func (e *goEvent) name(test string) string { return e.Package + "\x00" + test }

// output notes a line that a test has printed.
func (g *goTests) output(e goEvent) {
	dir := strings.TrimPrefix(strings.TrimPrefix(e.Package, g.module), "/")
	before := g.said[e.name(e.Test)]
	panics := strings.HasPrefix(before.message, "panic: ")
	if groups := goTestLine.FindStringSubmatch(e.Output); groups != nil && !panics {
		line, _ := strconv.Atoi(groups[2])
		g.said[e.name(e.Test)] = found{file: path.Join(dir, groups[1]), line: line, message: groups[3]}
	}
	if strings.HasPrefix(e.Output, "panic: ") && !panics {
		g.said[e.name(e.Test)] = found{message: strings.TrimSpace(e.Output)}
	}
	if groups := goStackLine.FindStringSubmatch(e.Output); groups != nil && panics && before.file == "" &&
		strings.HasSuffix("/"+path.Dir(groups[1]), "/"+dir) {
		before.file = path.Join(dir, path.Base(groups[1]))
		before.line, _ = strconv.Atoi(groups[2])
		g.said[e.name(e.Test)] = before
	}
}

// fail notes that a test fails. What a test below another one has said is of both.
func (g *goTests) fail(e goEvent) {
	g.bad[e.Package] = true
	if above := path.Dir(e.Test); above != "." {
		if one, ok := g.said[e.name(e.Test)]; ok {
			g.said[e.name(above)] = one
		}
		return
	}
	one := g.said[e.name(e.Test)]
	one.message = strings.TrimSuffix(e.Test+" fails: "+one.message, ": ")
	g.fails = append(g.fails, one)
}

// readGoTest returns what reads go test -json: a problem for each test that fails, and those of the compiler. It counts
// the tests that have no test above them.
func (p *part) readGoTest() reader {
	module := goModule(p.text("go.mod"))
	return func(output string) (r report, err error) {
		g := goTests{module: module, said: map[string]found{}, bad: map[string]bool{}}
		var text, compiler strings.Builder
		last := map[string]string{} // by package
		goEvents(output, func(e goEvent) {
			text.WriteString(e.Output)
			switch {
			case e.Action == "build-output":
				compiler.WriteString(e.Output)
			case e.Action == "output" && e.Test != "":
				g.output(e)
			case e.Action == "output" && !strings.HasPrefix(e.Output, "FAIL"):
				last[e.Package] = strings.TrimSpace(e.Output)
			case e.Action == "fail" && e.Test != "":
				if g.fail(e); path.Dir(e.Test) == "." {
					r.tests.Failed++
				}
			case e.Action == "fail" && !g.bad[e.Package] && e.FailedBuild == "":
				g.fails = append(g.fails, found{message: strings.TrimSuffix(e.Package+" fails: "+last[e.Package], ": ")})
			case e.Action == "pass" && e.Test != "" && path.Dir(e.Test) == ".":
				r.tests.Passed++
			}
		})
		broken, err := problemsIn(compiler.String(), goFormats)
		r.problems, r.text = append(broken, g.fails...), text.String()
		return r, err
	}
}

// goModule returns the path of the module of a go.mod.
func goModule(text string) string {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.Trim(strings.TrimSpace(name), `"`)
		}
	}
	return ""
}
