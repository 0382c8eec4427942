package embedded

import (
	"fmt"
	"strings"
	"testing"
)

// TestListsAreUnderstood asks for what lines of code or the names of files tell, and for what only sounds like it.
func TestListsAreUnderstood(t *testing.T) {
	server := target{name: "Server"}
	tests := []struct {
		messages []string
		want     string // the type of the instruction, with what it is about
	}{
		{[]string{"which functions are deprecated", "is anything deprecated here?", "list all deprecated methods", "deprecations"},
			"grep deprecated"},
		{[]string{"which exceptions can be raised", "what errors are there?", "list the error types it can return"},
			"grep declarations of errors"},
		{[]string{"what environment variables does it read", "which env vars are there?", "list all environment variables"},
			"grep reads of the environment"},
		{[]string{"is any unsafe code in here", "where is unsafe used in this crate", "how many unsafe blocks are there?"}, "grep unsafe"},
		{[]string{"is this thread safe?", "is the library thread-safe"}, "grep thread safe grep thread-safe"},
		{[]string{"list all structs", "which structs are there?", "how many structs does it have"}, "grep structs"},
		{[]string{"which interfaces are there", "what interfaces exist"}, "grep interfaces"},
		{[]string{"how many tests are there", "count all tests"}, "grep tests"},
		{[]string{"what methods are there on Server", "list the methods of Server", "what methods does the Server struct have?",
			"Server's methods"}, fmt.Sprintf("members %v", members{server, memberKinds["method"]})},
		{[]string{"what fields does Server have", "show me the fields of Server", "list all fields of the Server struct"},
			fmt.Sprintf("members %v", members{server, memberKinds["field"]})},
		{[]string{"what handler types exist", "what kinds of handlers are there", "which handler implementations are available"},
			fmt.Sprintf("relation %v", relation{target{name: "Handler"}, "implementers", true})},
		{[]string{"which CI is used?", "is there any CI", "where are the workflows"}, "files CI configuration"},
		{[]string{"where are the tests", "list all test files", "where do I find the tests?"}, "files tests"},
		{[]string{"is there a dockerfile", "do we have docker support?"}, "files Docker files"},
		{[]string{"is there any documentation", "where are the docs"}, "files documentation"},
		{[]string{"are there any examples", "where can I find example code?"}, "files examples"},
		{[]string{"how do I use this library", "show me an example", "quick start guide", "give me a usage example"}, "section usage"},
		{[]string{"what changed in the last release", "show the changelog", "latest release notes"}, "section release"},
		{[]string{"can I use this commercially", "may we use it in a closed source product?"}, "fact license"},
		{[]string{"what is the MSRV", "minimum supported rust version"}, "fact language version"},
		{[]string{"is this project still maintained?"}, "commits"},
		{[]string{"how do I use it"}, "section usage"},
		{[]string{"explain the State extractor", "what is the State type for"}, "explain State"},
		{[]string{"how do I add it to my project"}, "section install"},
		{[]string{"what subclasses of Handler are there", "which implementations of Handler exist?"},
			fmt.Sprintf("relation %v", relation{target{name: "Handler"}, "implementers", false})},
		{[]string{"find all prints", "where are print statements"}, "grep print"},
		{[]string{"what does the Makefile do"}, "fact scripts"},
		{[]string{"how many functions does db.go have", "what does a/db.go define"}, "outline db.go outline a/db.go"},

		{[]string{"which errors can the client return", "is this value thread local", "where are the tests of the parser kept",
			"how do I use this iterator", "what changed in the parser of the last commit", "which values does the cache keep",
			"is this the right place to add a route", "what types of requests go through the proxy"}, "question commits"},
	}
	for _, tt := range tests {
		for _, message := range tt.messages {
			if got := kindOf(parseInstruction(message)); !strings.Contains(tt.want, got) {
				t.Errorf("%q is understood as %q, want %q", message, got, tt.want)
			}
		}
	}
}

// kindOf says what an instruction is and what it is about.
func kindOf(i instruction) string {
	switch x := i.(type) {
	case grep:
		return "grep " + x.said
	case members:
		return fmt.Sprintf("members %v", x)
	case relation:
		return fmt.Sprintf("relation %v", x)
	case namedFiles:
		return "files " + x.said
	case section:
		return "section " + map[string]string{usageSection.pattern: "usage", installSection.pattern: "install",
			newestSection.pattern: "release"}[x.pattern]
	case fact:
		return "fact " + x.what
	case outline:
		return "outline " + x.file
	case explain:
		return "explain " + x.name
	case past:
		return x.about
	case question:
		return "question"
	}
	return fmt.Sprintf("%T", i)
}
