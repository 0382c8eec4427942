package proof

import (
	"bufio"
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
	groups []string // "passed", "failed" or "run", which is both
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
	says(`^Tests:\s+(?:(\d+) failed, )?(?:\d+ \w+, )*(\d+) passed`,
		"failed", "passed"),
	// vitest
	says(`^\s*Tests\s+(?:(\d+) failed \| )?(\d+) passed`,
		"failed", "passed"),
	// pytest
	says(`^(?:=+ )?(?:(\d+) failed, )?(\d+) passed(?:, \d+ \w+)* in `,
		"failed", "passed"),
	// pytest
	says(`^(?:=+ )?(\d+) failed(?:, \d+ \w+)* in `,
		"failed"),
	// mvn
	says(`^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: \d+$`,
		"run", "failed", "failed"),
	// phpunit
	says(`^OK \((\d+) tests?,`,
		"passed"),
	// phpunit
	says(`^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?`,
		"run", "failed", "failed"),
	// rspec
	says(`^(\d+) examples?, (\d+) failures?`,
		"run", "failed"),
	// minitest, mix
	says(`^(\d+) (?:runs|tests), (?:\d+ assertions, )?(\d+) failures?(?:, (\d+) errors)?`,
		"run", "failed", "failed"),
	// ctest
	says(`tests passed, (\d+) tests failed out of (\d+)`,
		"failed", "run"),
	// node
	says(`^(?:# |ℹ )pass (\d+)\n(?:# |ℹ )fail (\d+)`,
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
				t.Passed += n["run"] - n["failed"]
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
	Action, Package, Test, Output, ImportPath string
}

func goEvents(output string, each func(goEvent)) {
	lines := bufio.NewScanner(strings.NewReader(output))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e goEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			e = goEvent{Action: "build-output", Output: lines.Text() + "\n"}
		}
		each(e)
	}
}

// goCounts counts the tests that have no test above them.
func goCounts(output string) (t evidence.Tests) {
	goEvents(output, func(e goEvent) {
		switch {
		case e.Test == "" || strings.Contains(e.Test, "/"):
		case e.Action == "pass":
			t.Passed++
		case e.Action == "fail":
			t.Failed++
		}
	})
	return t
}

var goTestLine = lazyregexp.New(`^\s+([\w.-]+\.go):(\d+): (.*)`)

// goTests returns what reads the problems in the output of go test -json: one for each test that fails, with what it
// has said first, and those of the compiler.
func goTests(p *part) func(string) ([]found, error) {
	module := goModule(p.text("go.mod"))
	return func(output string) (all []found, err error) {
		build := Step{formats: goFormats}
		var compiler strings.Builder
		said := map[string]found{}
		goEvents(output, func(e goEvent) {
			name := e.Package + "\x00" + e.Test
			switch {
			case e.Action == "build-output":
				compiler.WriteString(e.Output)
			case e.Action == "output" && e.Test != "":
				groups := goTestLine.FindStringSubmatch(e.Output)
				if _, ok := said[name]; ok || groups == nil {
					return
				}
				dir := strings.TrimPrefix(strings.TrimPrefix(e.Package, module), "/")
				line, _ := strconv.Atoi(groups[2])
				said[name] = found{file: path.Join(dir, groups[1]), line: line, message: groups[3]}
			case e.Action == "fail" && e.Test != "" && !strings.Contains(e.Test, "/"):
				one := said[name]
				one.message = strings.TrimSuffix(e.Test+" fails: "+one.message, ": ")
				all = append(all, one)
			}
		})
		broken, err := build.problemsIn(compiler.String())
		return append(broken, all...), err
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
