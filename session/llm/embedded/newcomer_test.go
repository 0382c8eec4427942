package embedded

import (
	"regexp"
	"strings"
	"testing"
)

// TestNewcomersQuestionsAreUnderstood lists what people ask about a project that they do not know.
func TestNewcomersQuestionsAreUnderstood(t *testing.T) {
	todo := marks{"TODOS?", "TODO"}
	tests := []struct {
		messages []string
		want     func(instruction) bool
	}{
		{[]string{"how do I run the tests?", "how to test this", "How can I run all unit tests in this project?", "how do we run tests",
			"what is the command to run the tests"}, is(howTo{"test"})},
		{[]string{"how do I build the project?", "how do I compile this", "build instructions",
			"how do I build it from source?"}, is(howTo{"build"})},
		{[]string{"in which languages", "what languages is it written in?", "how many lines of code are there",
			"how many lines of Rust are there", "how many lines of TypeScript does it have"}, is(counts{"lines", ""})},
		{[]string{"what imports src/utils/color.ts"}, func(i instruction) bool {
			g, ok := i.(grep)
			return ok && g.said == "imports of color.ts" && strings.Contains(g.pattern, "color(?:")
		}},
		{[]string{"which files import httpie.encoding?"}, func(i instruction) bool {
			g, ok := i.(grep)
			return ok && regexp.MustCompile(g.pattern).MatchString("from ...encoding import UTF8") &&
				regexp.MustCompile(g.pattern).MatchString("from . import encoding") && !regexp.MustCompile(g.pattern).MatchString("from .other import x")
		}},
		{[]string{"find everything that is marked @deprecated", "list all functions marked as @deprecated"}, func(i instruction) bool {
			g, ok := i.(grep)
			return ok && g.pattern == "@deprecated"
		}},
		{[]string{"how to install it", "install instructions", "how do I install this"}, is(howTo{"install"})},
		{[]string{"how do I set this up for development?", "how can I get started hacking on this", "dev setup", "how to set up the repo locally",
			"what do I need to run after cloning it", "how do I set up my development environment", "how do I set it up to contribute", "how can I get the repo ready for local development"},
			is(howTo{"setup"})},
		{[]string{"how do I run one of the examples", "how to try an example", "how do I start the example apps"}, is(howTo{"example"})},
		{[]string{"how do I run just one test?", "how to run a single test file", "how can I run only one specific test"},
			is(howTo{"single"})},
		{[]string{"what extras are there", "which optional extras can I install with pip?", "list the extras",
			"which dependency groups exist"}, is(fact{"extras"})},
		{[]string{"can i still use this with python 3.8", "does it run on node 18?", "will this work with go1.20", "which version of rust does it need",
			"how new a python do I need"}, is(fact{"language version"})},
		{[]string{"which version of serde does it need?", "what version of eslint is used"}, func(i instruction) bool {
			g, ok := i.(grep)
			return ok && strings.HasPrefix(g.said, "versions of ")
		}},
		{[]string{"any unused functions in here?", "is there dead code around here", "unused types in this repo"}, is(counts{"unused", ""})},
		{[]string{"how do I run it", "how to start the server?", "how do I run this program"}, is(howTo{"run"})},
		{[]string{"how do i check the code style", "how to verify the formatting", "how do I fix the code style"}, is(howTo{"lint"})},
		{[]string{"how do i run the static analisys", "how do I run static analysis here", "how can I run phpstan", "is there a static analysis tool?"},
			is(howTo{"analyse"})},
		{[]string{"how do I make a release", "how do I publish a new version", "how are releases made?", "how do I publish it to npm"},
			is(howTo{"release"})},
		{[]string{"how do I update the snapshots", "how to update the jest snapshot files"}, is(howTo{"snapshot"})},
		{[]string{"how do I run only the deno tests", "how do I run the deno tests only"}, is(howTo{"test:deno"})},
		{[]string{"how do i run only the unit tests", "how to run just our unit tests", "how do I run the unit tests alone"},
			is(howTo{"test:unit"})},
		{[]string{"how do I run only one unit test", "how do I run just a unit test"}, is(howTo{"single"})},
		{[]string{"Wie viele Zeilen Code hat das Projekt, aufgeteilt nach Sprache?", "combien de lignes de code ?", "这个项目有多少行代码？"},
			is(counts{"lines", ""})},
		{[]string{"how do I run the unit tests"}, is(howTo{"test"})},
		{[]string{"how do i run the regression tests"}, is(howTo{"test:regression"})},
		{[]string{"how do I lint the code", "how to run the linter", "how do I format the code?"}, is(howTo{"lint"})},
		{[]string{"what license is it under", "license?", "which licence does this have?", "is this open source?"}, is(fact{"license"})},
		{[]string{"which version is this", "what version is it?", "version", "what is the current version of this project"}, is(fact{"version"})},
		{[]string{"what scripts are there", "list the npm scripts", "which make targets exist?"}, is(fact{"scripts"})},
		{[]string{"what cargo features does the tokio crate have", "list cargo features"}, is(fact{"features"})},
		{[]string{"what are the entry points?", "where does the program start?"}, is(fact{"entry points"})},
		{[]string{"list all TODOs", "search for TODO", "show me the TODO comments", "where are the todos?"}, is2(todo, grep{pattern: "TODO",
			said: "TODO"})},
		{[]string{`grep "a.b"`, "search for 'a.b'", "grep a.b", `where is "a.b"?`}, is(grep{pattern: `a\.b`, said: "a.b"})},
		{[]string{"who imports net/http?", "which files import ./utils", "what imports 'react'?"},
			func(i instruction) bool { _, ok := i.(grep); return ok }},
		{[]string{"What's the oldest rust I can compile this with?", "what is the minimum php version", "which is the lowest node.js it runs on?"},
			func(i instruction) bool { return i == instruction(fact{"language version"}) }},
		{[]string{"outline of a/b.go", "list the functions in b.go", "what functions are in b.go?", "symbols in src/b.rs"},
			func(i instruction) bool { _, ok := i.(outline); return ok }},
		{[]string{"what is in the cmd folder?", "list the folder cmd", "what is in the directory cmd"}, is2(folder{"cmd"}, folder{"cmd"})},
		{[]string{"what is in src/node", "list src/node/"}, is(folder{"src/node"})},
		{[]string{"what are the largest files?", "which is the biggest file", "largest files"}, func(i instruction) bool {
			_,
				ok := i.(largest)
			return ok
		}},
		{[]string{"list all exported functions of @vue/reactivity", "exported symbols of @vue/reactivity",
			"what is exported from @vue/reactivity"}, func(i instruction) bool { e, ok := i.(exported); return ok && e.pkg == "@vue/reactivity" }},
		{[]string{"show me .env", "summarize .env", "what is in .env?", "what does `.env` contain", "cat .env"},
			is(heldBack{".env"})},
		{[]string{"explain config/.env.local"}, is(heldBack{"config/.env.local"})},
		{[]string{"explain", "explain this function", "explain this", "what does this code do?", "summarize this file?"}, is2(talk{"which one"},
			question{})},
		{[]string{"undo that", "undo", "revert the last change", "take that back"}, is(talk{"undo"})},
		{[]string{"how do I set up a model", "how do I add an API key?", "set up a model"}, is(talk{"setup"})},

		{[]string{"how is Run tested?", "who uses Run"}, func(i instruction) bool { _, ok := i.(relation); return ok }},
		{[]string{"what imports fmt", "who imports Run", "which test classes import Run", "importers of Run", "where is Run imported",
			"files that import Run"}, func(i instruction) bool { x, ok := i.(relation); return ok && x.about == "importers" }},
		{[]string{"how do I run a query against the index", "how to build a segment", "where is the version checked in the handshake",
			"how does the license scanner work",
			"how do tests start the server", "what happens on undo", "how many lines does the BufferHandler keep"}, is(question{})},
	}
	for _, tt := range tests {
		for _, message := range tt.messages {
			if got := parseInstruction(message); !tt.want(got) {
				t.Errorf("%q is understood as %T %+v", message, got, got)
			}
		}
	}
}

func is(want instruction) func(instruction) bool { return is2(want, want) }

func is2(a, b instruction) func(instruction) bool {
	return func(got instruction) bool { return same(got, a) || same(got, b) }
}

// same compares instructions, of which greps have files.
func same(a, b instruction) bool {
	x, isGrep := a.(grep)
	y, both := b.(grep)
	if isGrep || both {
		return isGrep && both && x.pattern == y.pattern && x.said == y.said
	}
	return a == b
}
