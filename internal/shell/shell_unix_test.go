//go:build unix

package shell

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestShCommands runs the commands in sh with names that a shell could read in another way.
func TestShCommands(t *testing.T) {
	for _, name := range []string{"plain-1.txt", "two words", "it's", `"$HOME"`, "$(id)", "`id`", "~", "a;b", "*", `\`, "", "é\n"} {
		if got := sh(t, "printf %s "+Quote(name)); got != name {
			t.Errorf("%q becomes %q", name, got)
		}
		if got := sh(t, AddToPath("/bin/"+name)+`; printf %s "$PATH"`); got != os.Getenv("PATH")+":/bin/"+name {
			t.Errorf("the PATH with %q is %q", name, got)
		}
		if name == "" {
			continue
		}
		if got := sh(t, "echo text >"+Quote(name)+" && "+Move("./"+name, "./"+name+".damaged")+" && cat "+
			Quote("./"+name+".damaged")); got != "text\n" {
			t.Errorf("moved, %q has %q", name, got)
		}
	}
	if got := sh(t, Set("FOLDER", InHome("state"))+`; printf %s "$FOLDER"`); got != os.Getenv("HOME")+"/state" {
		t.Errorf("a folder at home is %q", got)
	}
}

// sh runs a command in a new folder.
func sh(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v", strings.TrimSpace(command), err)
	}
	return string(out)
}
