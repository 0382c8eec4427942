package setup

import "testing"

// TestClientsHaveOtherNames finds clients by what people call them.
func TestClientsHaveOtherNames(t *testing.T) {
	for asked, want := range map[string]string{
		"neovim": "neovim", "nvim": "neovim", "NeoVim": "neovim", "hx": "helix", "emacs": "eglot", "vim": "ale", "code": "vscode", "claude": "claude-code",
	} {
		if c := Find(asked); c == nil || c.Name != want {
			t.Errorf("%s is %+v", asked, c)
		}
	}
	for other, name := range otherNames {
		if c := Find(name); c == nil || c.Name == other {
			t.Errorf("%s stands for %s: %+v", other, name, c)
		}
	}
	if c := Find("notepad"); c != nil {
		t.Errorf("an unknown one is %+v", c)
	}
}
