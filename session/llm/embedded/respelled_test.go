package embedded

import (
	"slices"
	"testing"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/results"
)

// TestRespelledWordsAreNamed takes the nearest of what was searched for into the message, and says so; of words that
// questions are made of it says nothing.
func TestRespelledWordsAreNamed(t *testing.T) {
	found := results.Decode[results.SearchResult](&results.ToolResult{Content: []byte(`{"respelled":[` +
		`{"word":"pagnate","as":["paginate","page"]},{"word":"please","as":["pleat"]},{"word":"which","as":["witch"]}]}`)})
	message, note := found.Spelled("please say which pagnate")
	if message != "please say which paginate" || note != "No file has `pagnate`; I searched for `paginate`, `page`.\n\n" &&
		note != "No file has `pagnate`; I searched for `paginate` and `page`.\n\n" {
		t.Errorf("%q, %q", message, note)
	}
}

// TestExportedFunctionsOfAType asks for the functions alone, also where they are members of a type.
func TestExportedFunctionsOfAType(t *testing.T) {
	for functions, kinds := range map[bool][]string{true: memberKinds["function"], false: nil} {
		lines := exported{pkg: "FooBar", functions: functions}.lines()
		of, isMembers := lines.otherwise.(members)
		if !isMembers || !slices.Equal(of.kinds, kinds) || functions != (lines.pattern == conventions.ExportedFunctions) {
			t.Errorf("functions %v: %+v", functions, lines)
		}
	}
}

// TestAScopedPackageIsNoFolder does not look for a folder with the name of a package of npm.
func TestAScopedPackageIsNoFolder(t *testing.T) {
	inside := concept{about: ofThing["folder"]}
	if got := inside.of("@vue/reactivity/"); got != nil {
		t.Errorf("it is %+v", got)
	}
	if got := inside.of("src/core/"); got != (folder{"src/core"}) {
		t.Errorf("it is %+v", got)
	}
}
