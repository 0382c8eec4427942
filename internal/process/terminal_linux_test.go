package process

import (
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestAProgramHasNoTerminal asks which session a program is in. If it leads one of its own, it has no terminal, so that
// opening /dev/tty fails at once.
func TestAProgramHasNoTerminal(t *testing.T) {
	cmd := exec.Command("sh", "-c", `echo $$ $(cut -d " " -f 6 /proc/$$/stat); echo line </dev/tty && echo opened`)
	var said []byte
	err := Bounds{Time: 10 * time.Second, Output: 1 << 10, Memory: 1 << 30}.Stream(t.Context(), cmd, func(r io.Reader) (err error) {
		said, err = io.ReadAll(r)
		return err
	})
	if words := strings.Fields(string(said)); len(words) != 2 || words[0] != words[1] {
		t.Errorf("the process and its session: %q", said)
	}
	if err == nil || !strings.Contains(err.Error(), "/dev/tty") {
		t.Errorf("opening the terminal: %v", err)
	}
}
