package conventions

import (
	"slices"
	"testing"
)

func TestProgramsOfRust(t *testing.T) {
	for file, want := range map[string]string{"src/bin/bat/main.rs": "bat", "src/bin/tool.rs": "tool"} {
		if got := EntryFile(file).Command; got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
	if slices.Contains(EntryFiles, "/src/bin/**") || !slices.Contains(EntryFiles, "/src/bin/*/main.rs") {
		t.Error("modules beside a main.rs are taken for programs")
	}
}
