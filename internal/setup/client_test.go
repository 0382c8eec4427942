package setup

import (
	"strings"
	"testing"
)

// TestClientsHaveOtherNames finds clients by what people call them.
func TestClientsHaveOtherNames(t *testing.T) {
	for asked, want := range map[string]string{
		"neovim": "neovim", "nvim": "neovim", "NeoVim": "neovim", "hx": "helix", "emacs": "eglot", "vim": "ale", "code": "vscode", "claude": "claude-code",
	} {
		if c, err := Find(asked); err != nil || c.Name != want {
			t.Errorf("%s is %+v, %v", asked, c, err)
		}
	}
	for other, name := range otherNames {
		if c, err := Find(name); err != nil || c.Name == other {
			t.Errorf("%s stands for %s: %+v, %v", other, name, c, err)
		}
	}
	if _, err := Find("notepad"); err == nil || !strings.Contains(err.Error(), "neovim") {
		t.Errorf("an unknown one: %v", err)
	}
}
