package lexicon

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadingTellsNamesFromWords reads what a message names, in any spelling.
func TestReadingTellsNamesFromWords(t *testing.T) {
	vocabulary := SetOf("license test tests option python")
	for message, want := range map[string]Reading{
		"who calls flushJobs?":                         {[]string{"who", "calls"}, []string{"flushJobs"}},
		"where's the Context class":                    {[]string{"where", "the", "class"}, []string{"Context"}},
		"what does `run` in a/b.go do":                 {[]string{"what", "does", "in", "do"}, []string{"`run`", "a/b.go"}},
		"License?":                                     {[]string{"license"}, nil},
		"tests of max_size, and the CLI's --dry-run":   {[]string{"tests", "of", "and", "the", "cli"}, []string{"max_size", "--dry-run"}},
		"minimum Python version, and/or the Option?":   {[]string{"minimum", "python", "version", "and", "or", "the"}, []string{"Option"}},
		"Is serve() a method? I'm new":                 {[]string{"is", "a", "method", "i", "new"}, []string{"serve()"}},
		"what is in src/ and Server.Run, and std::fmt": {[]string{"what", "is", "in", "and", "and"}, []string{"src/", "Server.Run", "std::fmt"}},
	} {
		if d := cmp.Diff(want, Read(message, vocabulary)); d != "" {
			t.Errorf("%q: %s", message, d)
		}
	}
}

// TestSlipsOfTheFingers mends words that are nearly of the vocabulary, and no others.
func TestSlipsOfTheFingers(t *testing.T) {
	vocabulary := SetOf("license version uncommitted changes defined differences difference where called tests starts")
	for message, want := range map[string]string{
		"wher is invoke caled?":                    "where is invoke called?",
		"show uncommited chnages":                  "show uncommitted changes",
		"the diffrence, definded in `diffrence`":   "the difference, defined in `diffrence`",
		"lisence?":                                 "license?",
		"verzion":                                  "version",
		"texts about states":                       "texts about states",
		"caledFor diffrence_x \"diffrence\" tests": "caledFor diffrence_x \"diffrence\" tests",
	} {
		if got := Respell(message, vocabulary); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

// TestWrappedInstructions keeps what is quoted as it is.
func TestWrappedInstructions(t *testing.T) {
	for message, want := range map[string]string{
		"ok, let's rename a to b":                              "rename a to b",
		"I want you to delete x please":                        "delete x",
		"Could you maybe create a.txt with \"so  what?\"":      "create a.txt with \"so  what?\"",
		"we should move f over to g.go, thanks in advance":     "move f over to g.go",
		"hi there, would it be possible to replace 'a' by 'b'": "replace 'a' by 'b'",
	} {
		if got := Unwrapped(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
