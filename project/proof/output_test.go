package proof

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/edits/evidence"
)

// TestProblemsInOutput reads what tools print.
func TestProblemsInOutput(t *testing.T) {
	for name, tt := range map[string]struct {
		formats []string
		output  string
		want    []string
	}{
		"go vet": {goFormats, "# m/b\n# [m/b]\nvet: ./b.go:6:22: not enough arguments in call to a.Sum\n\thave (int, int)\n", []string{"./b.go:6:22: not enough arguments in call to a.Sum"}},
		"cargo":  {rustFormats, "    Checking m v0.1.0 (/w)\nsrc/lib.rs:1:22: error[E0308]: mismatched types: expected `i32`, found `&str`\nerror: could not compile `m` (lib) due to 1 previous error\n", []string{"src/lib.rs:1:22: mismatched types: expected `i32`, found `&str`"}},
		"tsc":    {tscFormats, "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n", []string{"src/a.ts:3:7: Type 'string' is not assignable to type 'number'. [2322]"}},
		"gcc":    {cFormats, "In file included from a.c:1:\na.h:2:5: error: unknown type name 'x'\na.c: In function 'main':\na.c:4:9: warning: unused variable 'y' [-Wunused-variable]\nmake: *** [Makefile:2: m] Error 1\n", []string{"a.h:2:5: unknown type name 'x'", "a.c:4:9: unused variable 'y' [-Wunused-variable] (warning)"}},
		"javac":  {javaFormats, "M.java:1: error: cannot find symbol\nclass M { int two = one; }\n                    ^\n1 error\n", []string{"M.java:1:0: cannot find symbol"}},
		"mvn":    {javaFormats, "[ERROR] COMPILATION ERROR : \n[ERROR] /w/src/main/java/M.java:[3,17] cannot find symbol\n[INFO] 1 error\n", []string{"/w/src/main/java/M.java:3:17: cannot find symbol"}},
		"dotnet": {dotnetFormats, "/w/A.cs(3,13): error CS0103: The name 'x' does not exist in the current context [/w/a.csproj]\n", []string{"/w/A.cs:3:13: CS0103: The name 'x' does not exist in the current context [/w/a.csproj]"}},
		"mypy":   {mypyFormats, "m.py:1:12: error: Incompatible types in assignment  [assignment]\nFound 1 error in 1 file (checked 1 source file)\n", []string{"m.py:1:12: Incompatible types in assignment  [assignment]"}},
		"python": {pythonFormats, "  File \"./m.py\", line 2\n    def f(:\n          ^\nSyntaxError: invalid syntax\n", []string{"./m.py:2:0: invalid syntax"}},
		"ruby":   {rubyFormats, "m.rb:2: syntax error, unexpected ')' (SyntaxError)\n", []string{"m.rb:2:0: syntax error, unexpected ')' (SyntaxError)"}},
		"php":    {phpFormats, "PHP Parse error:  syntax error, unexpected token \")\" in m.php on line 2\nErrors parsing m.php\n", []string{"m.php:2:0: syntax error, unexpected token \")\""}},
		"pytest": {pytestFormats, "FAILED tests/test_a.py::test_two - assert 3 == 2\n1 failed, 2 passed in 0.03s\n", []string{"tests/test_a.py:0:0: test_two - assert 3 == 2"}},
		"colors": {goFormats, "\x1b[31ma.go:1:2: red\x1b[0m\r\n", []string{"a.go:1:2: red"}},
	} {
		s := Step{formats: tt.formats}
		problems, err := s.problemsIn(tt.output)
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
		"no tests ran in 0.00s\n":                                                                                {},
	} {
		if got := countTests(output); got != want {
			t.Errorf("%q: %+v, not %+v", output, got, want)
		}
	}
}
