package embedded

import (
	"slices"
	"testing"

	"ploke-lsp/session/llm/embedded/conventions"
)

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
