package lexicon_test

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// TestLinesIn reads ranges of lines.
func TestLinesIn(t *testing.T) {
	for message, want := range map[string]lexicon.LinesAsked{
		"what is in lines 10 to 30 of src/a.rs?":        {File: "src/a.rs", First: 10, Last: 30},
		"show lines 20-40 of main.go":                   {File: "main.go", First: 20, Last: 40},
		"please print the first 5 lines of `README.md`": {File: "README.md", First: 1, Last: 5},
		"what do lines 3 through 4 in the file a.py do": {File: "a.py", First: 3, Last: 4},
		"a.go:10-12":                           {File: "a.go", First: 10, Last: 12},
		"show me ./x/a.go lines 1 to 2":        {File: "x/a.go", First: 1, Last: 2},
		"which files have lines 10 to 30?":     {},
		"lines 30 to 10 of a.go":               {},
		"delete lines 10 to 30 of a.go":        {},
		"how many lines of a.go are tested":    {},
		"who calls f in a.go lines of history": {},
	} {
		if got, ok := lexicon.LinesIn(message); ok != (want.File != "") || ok && got != want {
			t.Errorf("%s: %+v, %v", message, got, ok)
		}
	}
}

// TestDefaultNamed reads the setting whose default is asked for.
func TestDefaultNamed(t *testing.T) {
	for message, want := range map[string]string{
		"what is the default of _ZO_MAXAGE?":            "_ZO_MAXAGE",
		"what is the default value of --cmd":            "--cmd",
		"was ist der Standardwert von MAX_AGE?":         "MAX_AGE",
		"quelle est la valeur par défaut de --width ?":  "--width",
		"what is `log.level` by default":                "log.level",
		"change the default of MAX_AGE to 3":            "",
		"what are the defaults of --cmd and --width":    "",
		"what is MAX_AGE":                               "",
		"what is the default width":                     "",
		"LineFormatter のデフォルトのフォーマットは何ですか":              "",
		"what is the default of --timeout of --timeout": "--timeout",
	} {
		if got := lexicon.DefaultNamed(message); got != want {
			t.Errorf("%s: %q", message, got)
		}
	}
}

// TestKindOf reads the kind of which all things are asked for.
func TestKindOf(t *testing.T) {
	for message, want := range map[string]string{
		"which handlers are there?":         "Handler",
		"what exit codes are there?":        "ExitCode ExitStatus",
		"list all subcommands":              "Subcommand SubCommand Command Cmd Commands",
		"how many policies are there?":      "Policy",
		"what are the log levels":           "LogLevel Log",
		"which shells does zoxide support?": "Shell",
		"which files are there?":            "",
		"which handlers call f?":            "",
		"list all classes that implement F": "",
	} {
		if got, ok := lexicon.KindOf(message); ok != (want != "") || ok && strings.Join(got.Ends, " ") != want {
			t.Errorf("%s: %q, %v", message, got.Ends, ok)
		}
	}
}

// TestKeptThing reads what is kept in a place.
func TestKeptThing(t *testing.T) {
	for message, want := range map[string][]string{
		"where does Closer live":               nil,
		"where is the database stored?":        {"database"},
		"where is the config file?":            {"config"},
		"where are logs written by default?":   {"logs"},
		"where is the parser?":                 nil,
		"where is parseConfig defined":         nil,
		"where is the entry of the cache":      nil,
		"where does Options.cache come from":   nil,
		"where is the score of things decided": nil,
	} {
		if got := lexicon.KeptThing(message); !slices.Equal(got, want) {
			t.Errorf("%s: %q", message, got)
		}
	}
}

// TestFilesCompared reads two files or modules.
func TestFilesCompared(t *testing.T) {
	for message, want := range map[string][2]string{
		"what is the difference between a/z.rs and a/f.rs?":        {"a/z.rs", "a/f.rs"},
		"what's the difference between the modules auth and token": {"auth", "token"},
		"compare a.go with b.go":                                   {"a.go", "b.go"},
		"difference between Query and Remove":                      {},
		"what is the difference between a.go and the world":        {},
	} {
		if a, b := lexicon.FilesCompared(message); [2]string{a, b} != want {
			t.Errorf("%s: %q %q", message, a, b)
		}
	}
}

// TestTitled makes files with a title.
func TestTitled(t *testing.T) {
	for file, want := range map[string]string{"a.md": "# T é\n\nL\n", "a.rst": "T é\n===\n\nL\n", "a.txt": "T é\n\nL\n", "a.go": ""} {
		if got, ok := lexicon.Titled(file, "T é", "L"); got != want || ok != (want != "") {
			t.Errorf("%s: %q", file, got)
		}
	}
}
