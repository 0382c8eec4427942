package embedded

import (
	"fmt"
	"slices"
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/messages"
	"ploke-lsp/session/llm/embedded/results"
)

// TestQuestionsAboutTheProjectInAnyWording asks in words that no pattern has, and what only looks like it.
func TestQuestionsAboutTheProjectInAnyWording(t *testing.T) {
	tests := []struct {
		messages []string
		want     instruction
	}{
		{[]string{"which command runs the unit tests?", "testing this thing: how?", "how is the gin test suite executed",
			"how is the Gin test suite run"}, howTo{"test"}},
		{[]string{"tell me the steps for compiling this"}, howTo{"build"}},
		{[]string{"what do I need to do to install gin?"}, howTo{"install"}},
		{[]string{"minimum python version?", "what is the oldest go version that works with it"}, fact{"language version"}},
		{[]string{"which release is this?", "current version number please"}, fact{"version"}},
		{[]string{"what's the most recent release?", "when was the latest version of this tool released"}, past{about: "releases"}},
		{[]string{"are there any functions that nobody calls?", "methods never called anywhere"}, counts{"unused", ""}},
		{[]string{"top contributors of this repo", "how many people have written this"}, past{about: "authors"}},
		{[]string{"hi, what's the purpose of this repository?", "in one sentence, what is this tool?", "what am I looking at here?",
			"what is gin about"}, overview{}},
		{[]string{"how do I run the benchmarks", "benchmark command?"}, howTo{"benchmark"}},
		{[]string{"how do I build the docs", "how is the documentation generated"}, howTo{"document"}},
		{[]string{"what features can I enable"}, fact{"features"}},
		{[]string{"what should I read first", "where should a beginner look first?", "what problem does this library solve",
			"explain this crate to me like I'm new"}, overview{}},
		{[]string{"could you sum up in a line or two what gin is", "explain gin in two sentences"}, overview{}},
		{[]string{"any leftover TODOs?"}, allMarks},
		{[]string{"who usually works on the ring folder"}, authorsAbout{"ring folder"}},
		{[]string{"which commits touched the ring lately"}, past{about: "commits", words: []string{"ring"}}},
		{[]string{"what go release do I need at least"}, fact{"language version"}},
		{[]string{"names of the tests in a_test.go"}, outline{"a_test.go"}},
		{[]string{"what's pulling in net/http"}, importing("net/http")},
		{[]string{"which types is Invoke implemented for"}, relation{target{name: "Invoke"}, "implementers", false}},
		{[]string{"Json vs Form extractor, what's the difference?"}, compare{target{name: "Json"}, target{name: "Form"}}},
		{[]string{"what is the longest function", "biggest methods?"}, longest{results.Callables, ""}},
		{[]string{"longest classes in a/b/"}, longest{results.Classes, "a/b/"}},
		{[]string{"which external libs are used"}, dependencies{}},
		{[]string{"news in this project this week?"}, past{about: "commits", in: lexicon.Period{Since: "week"}}},
		{[]string{"what third party libraries do we use"}, dependencies{}},
		{[]string{"test cmd?", "any idea how i'd run the tests"}, howTo{"test"}},
		{[]string{"any idea how i'd install it for development"}, howTo{"install"}},
		{[]string{"show uncommited chnages", "anything uncommitted?"}, past{about: "uncommitted"}},
		{[]string{"what happened in the last few commits", "latest commits pls"}, past{about: "commits"}},
		{[]string{"which deps does it pull in", "dependancies?!", "what are the dependencys"}, dependencies{}},
		{[]string{"hi there, what can u do"}, talk{"help"}},
		{[]string{"whats new in the latest version", "what was added in the last release?"}, newestSection},
		{[]string{"list whats exported from a/b.ts please", "list everything exported from a/b.ts"}, outline{"a/b.ts"}},
		{[]string{"how big is this codebase", "line count?", "how many lines of code is this, by language",
			"how many lines of code are there per language?"}, counts{"lines", ""}},
		{[]string{"explain what the printer crate does", "what's the printer package for"}, pkg{"printer"}},
		{[]string{"wher is Invoke called", "any clue who is calling Invoke these days?"}, relation{target{name: "Invoke"}, "callers", true}},
		{[]string{"where's the Context class definded"}, explain{target: target{name: "Context"}, brief: true}},
		{[]string{"welche Klassen erben von ParamType?"}, inOtherLanguage{}},
		{[]string{"how do I compile it with all features"}, howTo{"build"}},
		{[]string{"which functions does @vue/reactivity export"}, exported{pkg: "@vue/reactivity"}},
		{[]string{"list whats in a/b/ please"}, folder{"a/b"}},
		{[]string{"msrv?"}, fact{"language version"}},
		{[]string{"list the TODOs, but only in a/b"}, inPlace{lexicon.Place{Path: "a/b", Sure: true},
			marks{"TODOS?", "TODO"}.comments(""), nil}},
		{[]string{"any TODOs that are not in a/b/?"}, outside(lexicon.Place{Path: "a/b"}, marks{"TODOS?", "TODO"}, "")},
		{[]string{"are there functions in a/b.py that nobody uses?", "is anything unused in a/b.py"}, counts{"unused", "a/b.py"}},
		{[]string{"what changed in the last couple of weeks", "what hapened in the last two weeks"},
			past{about: "commits", in: lexicon.Period{Since: "14d"}}},
		{[]string{"what changed in a/b since v1.2"}, past{about: "commits", of: target{file: "a/b"}, in: lexicon.Period{Since: "v1.2"}}},
		{[]string{"which classes import ParamType"}, relation{target{name: "ParamType"}, "importers", false}},
		{[]string{"what can I import from foo", "which names does the foo package export"}, exported{pkg: "foo"}},
		{[]string{"who changed src/a.rs last and why", "who last changed src/a.rs?", "when was src/a.rs last changed?"},
			past{about: "commits", of: target{file: "src/a.rs"}}},
		{[]string{"who wrote the parser"}, authorsAbout{"parser"}},
		{[]string{"how is foo_bar documented, do you mean", "what is the default of foo_bar in production"}, explain{target: target{name: "foo_bar"}, weak: true}},
		{[]string{"min node"}, fact{"language version"}},
		{[]string{"docker?"}, wellKnown("docker")},
		{[]string{"what errors can gin return?"}, listed(conventions.ErrorLine, "declarations of errors")},
		{[]string{"struct fields of Runtime"}, members{target{name: "Runtime"}, memberKinds["field"]}},
		{[]string{"there is a typo in the readme, correct it"}, refusal{"correct"}},
		{[]string{"would you be so kind as to delete the file a/b.go"}, refusal{"delete"}},
		{[]string{"do they use threads"}, grep{pattern: `\bthreads?\b`, said: "thread"}},
		{[]string{"change how Invoke is definded", "change how Invoke is defined"}, refusal{"change"}},
		{[]string{"write me a unit test for parseAccept"}, refusal{"write"}},

		{[]string{"where does the test server start", "which tests run the scheduler", "how do I build a segment",
			"how does the version check work in the handshake",
			"who created the session", "which file is the largest segment stored in", "how is the history of a file read",
			"what is the purpose of the ring buffer",
			"where is the entry of the cache", "how are changes of `x` released"}, question{}},
		{[]string{"what happens when a build of the ring stops"}, outcome{lexicon.Case{Things: []string{"build", "ring", "stop"}}}},
		{[]string{"how do I build and test it"}, howTo{"build test"}},
		{[]string{"how to install, test & lint this thing"}, howTo{"install test lint"}},
		{[]string{"how do i run the tests, and how just one test file?"}, howTo{"test single"}},
		{[]string{"is there a linter? how do I run it", "how do I check the coding style before I send a pull request?",
			"spotless complains, how do i fix formating errors?", "how to fix lint violations for my PR"}, howTo{"lint"}},
		{[]string{"what are the 5 biggest python files", "the longest C files"}, largest{}},
		{[]string{"which version of spoke is this checkout?"}, fact{"version"}},
		{[]string{"how does it find the file when I write import \"foo\"?"}, question{}},
		{[]string{"hey, what is this project and what is it good for?"}, overview{}},
		{[]string{"is there a class that extends FooBar?"}, relation{target{name: "FooBar"}, "implementers", false}},
		{[]string{"how do I run the tests before I push?", "nothing works: how do I run the tests"}, howTo{"test"}},
		{[]string{"how do i install the dev dependencies and run the test suite"}, howTo{"install test"}},
		{[]string{"how do I build it and run one of the exampels"}, howTo{"build example"}},
		{[]string{"who wrote it and when", "who wrote it, and when was that?"}, past{about: "authors"}},
		{[]string{"which version is this and under what licence?"}, several{[]partOfMessage{
			{"which version is this", fact{"version"}}, {"under what licence", fact{"license"}}}}},
		{[]string{"version, license & dependencies"}, several{[]partOfMessage{{"version", fact{"version"}}, {"license", fact{"license"}},
			{"dependencies", dependencies{}}}}},
		{[]string{"who wrote it and when, and what is the license?"}, several{[]partOfMessage{{"who wrote it", past{about: "authors"}},
			{"what is the license", fact{"license"}}}}},
		{[]string{"where is `Run` defined and who calls it?"}, several{[]partOfMessage{
			{"where is `Run` defined", explain{target: target{name: "Run"}, brief: true}},
			{"who calls Run", relation{target{name: "Run"}, "callers", false}}}}},
		{[]string{"who wrote src/a.go and when was it last changed"}, several{[]partOfMessage{
			{"who wrote src/a.go", past{about: "authors", of: target{file: "src/a.go"}}},
			{"when was src/a.go last changed", past{about: "commits", of: target{file: "src/a.go"}}}}}},
		{[]string{"what is the difference between the version and the license"}, compare{target{name: "version"}, target{name: "license"}}},
	}
	for _, tt := range tests {
		for _, message := range tt.messages {
			p := progressOf([]llm.Message{{Role: llm.System, Text: messages.FoldersText([]string{"/w/gin"})}, {Role: llm.User, Text: message}})
			if got := fmt.Sprintf("%T %+v", p.instruction(), p.instruction()); got != fmt.Sprintf("%T %+v", tt.want, tt.want) {
				t.Errorf("%q is understood as %s, want %T", message, got, tt.want)
			}
		}
	}
}

// TestMarksOutsideOfAPlace leaves the place out of what is searched.
func TestMarksOutsideOfAPlace(t *testing.T) {
	p := progress{message: "any TODOs that are not in a/b?"}
	g, ok := p.instruction().(grep)
	if !ok || !slices.Contains(g.include, "!**/a/b/**") || slices.Contains(g.include, "**/a/b") {
		t.Errorf("%T %q", p.instruction(), g.include)
	}
}
