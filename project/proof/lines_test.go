package proof

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/edits/evidence"
)

// TestProblemsInLines reads what tools print that are not on each machine.
func TestProblemsInLines(t *testing.T) {
	for name, tt := range map[string]struct {
		formats formats
		output  string
		want    []string
	}{
		"javac":  {javaFormats, "M.java:1: error: cannot find symbol\nclass M { int two = one; }\n                    ^\n  symbol:   variable one\n  location: class M\n1 error\n", []string{"M.java:1:21: cannot find symbol: variable one"}},
		"dotnet": {dotnetFormats, "/w/A.cs(3,13): error CS0103: The name 'x' does not exist in the current context [/w/a.csproj]\n", []string{"/w/A.cs:3:13: CS0103: The name 'x' does not exist in the current context"}},
		"mypy":   {mypyFormats, "m.py:1:12: error: Incompatible types in assignment  [assignment]\nFound 1 error in 1 file (checked 1 source file)\n", []string{"m.py:1:12: Incompatible types in assignment  [assignment]"}},
		"python": {pythonFormats, "  File \"./m.py\", line 2\n    def f(:\n          ^\nSyntaxError: invalid syntax\n", []string{"./m.py:2:0: invalid syntax"}},
		"ruby":   {rubyFormats, "m.rb:2: syntax error, unexpected ')' (SyntaxError)\n", []string{"m.rb:2:0: syntax error, unexpected ')' (SyntaxError)"}},
		"php":    {phpFormats, "PHP Parse error:  syntax error, unexpected token \")\" in m.php on line 2\nErrors parsing m.php\n", []string{"m.php:2:0: syntax error, unexpected token \")\""}},
		"colors": {goFormats, "\x1b[31ma.go:1:2: red\x1b[0m\r\n", []string{"a.go:1:2: red"}},
	} {
		problems, err := problemsIn(tt.output, tt.formats)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, p := range problems {
			line := fmt.Sprintf("%s:%d:%d: %s", p.file, p.line, p.column, p.message)
			if p.code != "" {
				line += " [" + p.code + "]"
			}
			if p.warning {
				line += " (warning)"
			}
			got = append(got, line)
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestTestsAreCounted from the summaries of tools.
func TestTestsAreCounted(t *testing.T) {
	for output, want := range map[string]evidence.Tests{
		"test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n": {Passed: 4, Failed: 2},
		"Tests:       1 failed, 4 passed, 5 total\n":                                                             {Passed: 4, Failed: 1},
		"      Tests  1 failed | 4 passed (5)\n":                                                                 {Passed: 4, Failed: 1},
		"1 failed, 2 passed, 1 skipped in 0.03s\n":                                                               {Passed: 2, Failed: 1},
		"214 passed in 3.21s\n":                                                                                  {Passed: 214},
		"2 failed in 0.03s\n":                                                                                    {Failed: 2},
		"[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0\n":                                             {Passed: 3, Failed: 2},
		"OK (3 tests, 9 assertions)\n":                                                                           {Passed: 3},
		"Tests: 4, Assertions: 4, Failures: 1.\n":                                                                {Passed: 3, Failed: 1},
		"3 examples, 1 failure\n":                                                                                {Passed: 2, Failed: 1},
		"5 runs, 7 assertions, 1 failures, 1 errors, 0 skips\n":                                                  {Passed: 3, Failed: 2},
		"100% tests passed, 0 tests failed out of 3\n":                                                           {Passed: 3},
		"# tests 3\n# pass 2\n# fail 1\n":                                                                        {Passed: 2, Failed: 1},
		"Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n":                                {Passed: 4, Failed: 1},
		"Tests:       2 failed, 2 total\n":                                                                       {Failed: 2},
		"Tests:       1 failed, 1 skipped, 1 passed, 3 total\n":                                                  {Passed: 1, Failed: 1},
		"      Tests  2 failed (2)\n":                                                                            {Failed: 2},
		"1 error in 0.47s\n":                                                                                     {Failed: 1},
		"=== 2 failed, 2 passed, 1 xfailed, 1 error in 0.11s ===\n":                                              {Passed: 2, Failed: 3},
		"3 skipped in 0.11s\n":                                                                                   {},
		"Tests run: 5, Failures: 1, Errors: 0, Skipped: 2\n":                                                     {Passed: 2, Failed: 1},
		"Tests: 4, Assertions: 2, Errors: 1, Failures: 1, Skipped: 1.\n":                                         {Passed: 1, Failed: 2},
		"Tests: 4, Assertions: 1, Skipped: 1, Incomplete: 1, Risky: 1.\n":                                        {Passed: 1},
		"Tests: 3, Assertions: 1, Warnings: 1, Incomplete: 2.\n":                                                 {Passed: 1},
		"Tests: 2, Assertions: 0, Incomplete: 2.\n":                                                              {},
		"4 tests, 1 assertions, 1 failures, 1 errors, 0 pendings, 1 omissions, 0 notifications\n":                {Passed: 1, Failed: 2},
		"4 examples, 2 failures, 1 pending\n":                                                                    {Passed: 1, Failed: 2},
		"1 test, 0 failures\n":                                                                                   {Passed: 1},
		"1 doctest, 3 tests, 1 failure, 1 excluded\n":                                                            {Passed: 1, Failed: 1},
		"  2 passing (22ms)\n  1 pending\n  3 failing\n":                                                         {Passed: 2, Failed: 3},
		"no tests ran in 0.00s\n":                                                                                {},
	} {
		if got := countTests(output); got != want {
			t.Errorf("%q: %+v, not %+v", output, got, want)
		}
	}
}

// TestWhatIsKeptBeginsWithALine of an output that is cut: a part of a line would be another problem.
func TestWhatIsKeptBeginsWithALine(t *testing.T) {
	const line = "a.go:1: wrong, and more\n"
	var o output
	total := 0
	for total < 2*maxOutput {
		n, err := o.Write([]byte(line))
		if total += n; err != nil {
			t.Fatal(err)
		}
	}
	text, cut := o.kept()
	if cut == 0 || cut+int64(len(text)) != int64(total) || !strings.HasPrefix(text, line) {
		t.Errorf("%d bytes of %d are cut, and then comes %q", cut, total, text[:2*len(line)])
	}
}

// TestAMissingProgramIsNamed as shells, runners of scripts, Bundler and Python say that they have not found it.
func TestAMissingProgramIsNamed(t *testing.T) {
	for _, tt := range []struct {
		status       int
		output, want string
	}{
		{127, "sh: 1: exec: cargo: not found\n", "cargo"},
		{127, "sh: 1: ruby: not found\n", "ruby"},
		{127, "bash: line 1: jest: command not found\n", "jest"},
		{127, "bundler: command not found: rspec\nInstall missing gem executables with `bundle install`\n", "rspec"},
		{127, "env: 'node': No such file or directory\n", "program"},
		{1, "/w/.venv/bin/python: No module named pytest\n", "pytest"},
		{1, "bundler: failed to load command: rspec (/usr/bin/rspec)\n/g/bundler-2.3.15/lib/bundler/definition.rb:486:in `materialize': " +
			"Could not find a-gem-1.0 in any of the sources (Bundler::GemNotFound)\n\tfrom x.rb:1\n", "the gem a-gem-1.0"},
		{7, "Could not find gem 'a-gem' in locally installed gems.\n", "the gem a-gem"},
		{1, "F\nCould not find gem 'a-gem' in locally installed gems.\n", ""},
		{0, "Could not find gem 'a-gem' in locally installed gems.\n", ""},
		{1, "tests/test_a.py: No module named pytest\n", ""},
		{1, "E: sh: 1: jest: not found\n", ""},
		{0, "", ""},
	} {
		program := "program"
		if strings.Contains(tt.output, "a-gem") {
			program = "bundle"
		}
		if got := missing(tt.status, tt.output, program); got != tt.want {
			t.Errorf("%d %q: %q, want %q", tt.status, tt.output, got, tt.want)
		}
	}
}
