package running_test

import (
	"runtime"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/tools/running"
)

// TestACommandSpeaksEnglish to whom does not, and writes UTF-8.
func TestACommandSpeaksEnglish(t *testing.T) {
	testbed.Program(t, "cat")
	for variable, value := range map[string]string{"LC_ALL": "de_DE.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LANGUAGE": "de"} {
		t.Setenv(variable, value)
	}
	dir := t.TempDir()
	c := running.Command{Args: running.Shell("cat none; echo $LC_ALL $LANGUAGE"), Dir: dir}
	end, err := c.Run(t.Context(), running.InFolder(dir), nil, 1000)
	locale := "C.UTF-8"
	if runtime.GOOS == "darwin" {
		locale = "en_US.UTF-8"
	}
	want := "cat: none: No such file or directory\n" + locale + " en"
	if err != nil || strings.TrimSpace(end.Output) != want {
		t.Errorf("%q, %v", end.Output, err)
	}
}
