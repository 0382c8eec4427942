package lexicon

import "testing"

// TestLinesThatReportACase says which lines report a case, and which only speak of it.
func TestLinesThatReportACase(t *testing.T) {
	tests := []struct {
		message, line, near    string
		reports, speaks, lacks bool
	}{
		{"what happens if I use middleware after a request", `'due to include_request on RaiseError middleware'`, "", false, true, false},
		{"what happens if I use middleware after a request", `raise Locked, 'no middleware after a request'`, "", true, true, false},
		{"what happens if I use middleware after a request", `raise Locked, 'no middleware'`, "def use", false, false, true},
		{"what happens if a required option is missing", `raise TypeError("iterable or length is required")`, "option", false, false, false},
		{"what happens if a required option is missing", `raise Missing("missing option")`, "required", true, true, false},
		{"what happens if an unknown command is given", `fail("Missing command.")`, "", false, false, true},
		{"what happens if an unknown command is given", `fail("No such command.")`, "", true, true, true},
		{"what happens if a command exits with a non-zero exit code", `NonZero => write!(f, "Ignoring exit code of command")`, "", false, true, false},
		{"what happens if the jar of a file address is invalid", `throw Invalid("invalid jar of a file")`, "", true, true, true},
		{"what happens if the add of a jar is invalid", `throw Invalid("invalid address")`, "", false, false, true},
		{"what happens if no jar is ready in time", `throw new Error("jar: timed out")`, "ready", true, true, false},
		{"what happens if no jar is ready in time", `throw new Error("no jar found")`, "ready", false, false, false},
		{"what happens when the jar times out", `if (!(err instanceof JarTimeoutError)) {`, "", false, true, false},
		{"what happens when the jar times out", `const { JarTimeoutError } = require('./timeout');`, "", false, true, false},
	}
	for _, tt := range tests {
		c, ok := CaseOf(tt.message)
		if !ok {
			t.Errorf("%s is no case", tt.message)
			continue
		}
		_, reports := c.Rank(tt.line, tt.near)
		speaks, lacks := c.Speaks(tt.line, tt.near), c.Lacks(tt.line, tt.near)
		if reports != tt.reports || speaks != tt.speaks || lacks != tt.lacks {
			t.Errorf("%s: %s: it reports it: %v, speaks of it: %v, lacks something: %v; of %q", tt.message, tt.line, reports, speaks, lacks,
				c.Things)
		}
	}
	for message, want := range map[string]bool{"which exit code does it use": true, "which status codes get retried": false,
		"what status code does a 404 response have": false} {
		if got := AsksExitCode(message); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
	for line, want := range map[string]bool{"throw convertedError;": true, "  sys.exit(1)": true, "\treturn nil, err": true,
		"return jar":  false,
		"// throw it": false, "class JarError(Exception):": false, "logger.warn(x)": true} {
		if got := Decides(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	c, _ := CaseOf("what happens if typer gets an invalid app")
	if got := c.Without("Typer"); len(got.Things) != 1 || got.Things[0] != "app" {
		t.Errorf("without the project: %q", got.Things)
	}
	for message, want := range map[string]bool{"what happens if the command exits with a non-zero exit code": true,
		"which exit code does it use when an option is missing": false,
		"what happens when the task fails":                      true, "what is the exit status": false} {
		if got := OfAnotherProgram(message); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
}
