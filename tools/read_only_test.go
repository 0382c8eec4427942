package tools_test

import (
	"slices"
	"testing"

	"ploke-lsp/tools"
)

// TestWhatIsNotReadOnly names the tools that may change something. Calls of all others run side by
// side.
func TestWhatIsNotReadOnly(t *testing.T) {
	var got []string
	for _, tool := range tools.New(tools.Deps{}).All() {
		if !tool.ReadOnly {
			got = append(got, tool.Name)
		}
	}
	if want := []string{"apply_code_edit", "create_file", "rename_file", "delete_file", "run_command", "run_check"}; !slices.Equal(got, want) {
		t.Errorf("%v are not read-only; want %v", got, want)
	}
}
