package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLocations looks for files in home folders that have some files already.
func TestLocations(t *testing.T) {
	for _, test := range []struct {
		client, present, variables, want string
	}{
		{"helix", "", "", ".config/helix/languages.toml"},
		{"helix", "", "XDG_CONFIG_HOME=cfg", "cfg/helix/languages.toml"},
		{"neovim", "", "NVIM_APPNAME=other", ".config/other/init.lua"},
		{"neovim", ".config/nvim/init.lua .config/nvim/init.vim", "", ".config/nvim/init.lua"},
		{"eglot", "", "", ".emacs.d/init.el"},
		{"eglot", ".config/emacs/early-init.el", "", ".config/emacs/init.el"},
		{"eglot", ".config/emacs/init.el .emacs.d/x", "", ".emacs.d/init.el"},
		{"lsp-mode", ".emacs .emacs.d/init.el", "", ".emacs"},
		{"lsp-mode", ".emacs .emacs.el", "", ".emacs.el"},
		{"kakoune", "", "KAKOUNE_CONFIG_DIR=kk", "kk/kakrc"},
		{"ale", "", "", ".vim/plugin/ploke.vim"},
		{"ale", ".config/vim/vimrc", "", ".config/vim/plugin/ploke.vim"},
		{"ale", ".config/vim/vimrc .vimrc", "", ".vim/plugin/ploke.vim"},
		{"coc", "", "", ".vim/coc-settings.json"},
		{"coc", ".config/nvim/init.lua", "", ".config/nvim/coc-settings.json"},
		{"coc", ".config/nvim/coc-settings.json .vim/vimrc", "", ".config/nvim/coc-settings.json"},
		{"coc", ".config/nvim/coc-settings.json .vim/coc-settings.json", "", ".vim/coc-settings.json"},
		{"coc", "", "VIMCONFIG=vc", "vc/coc-settings.json"},
		{"sublime", "", "", ".config/sublime-text/Packages/User/LanguageServers.sublime-settings"},
		{"vscode", "", "", ""},
		{"codex", "", "", ".codex/config.toml"},
		{"codex", "", "CODEX_HOME=ch", "ch/config.toml"},
		{"gemini", "", "XDG_CONFIG_HOME=cfg", ".gemini/settings.json"},
		{"opencode", "", "", ".config/opencode/opencode.json"},
		{"opencode", ".config/opencode/opencode.jsonc", "", ".config/opencode/opencode.jsonc"},
		{"opencode", "", "XDG_CONFIG_HOME=cfg", "cfg/opencode/opencode.json"},
		{"vscode-mcp", "", "", ".config/Code/User/mcp.json"},
		{"zed", "", "XDG_CONFIG_HOME=cfg", "cfg/zed/settings.json"},
		{"zed-mcp", "", "", ".config/zed/settings.json"},
		{"claude-code", "", "", ""},
	} {
		home := t.TempDir()
		for name := range strings.FieldsSeq(test.present) {
			put(t, filepath.Join(home, name), "")
		}
		variables := map[string]string{}
		if name, value, ok := strings.Cut(test.variables, "="); ok {
			variables[name] = value
			if name != "NVIM_APPNAME" {
				variables[name] = filepath.Join(home, value)
			}
		}
		c := Find(test.client)
		want := test.want
		if want != "" {
			want = filepath.Join(home, want)
		}
		if got, err := c.Path(environment(home, variables)); err != nil || got != want {
			t.Errorf("%s with %q and %q: %s, %v; want %s", test.client, test.present, test.variables, got, err, want)
		}
	}
}

// TestLocationsOfSystems looks for files on other systems.
func TestLocationsOfSystems(t *testing.T) {
	c := Find("sublime")
	home := t.TempDir()
	mac := environment(home, nil)
	mac.GOOS = "darwin"
	if got, err := c.Path(mac); err != nil ||
		got != filepath.Join(home, "Library/Application Support/Sublime Text/Packages/User/LanguageServers.sublime-settings") {
		t.Errorf("on macOS: %s, %v", got, err)
	}
	c = Find("vscode-mcp")
	if got, err := c.Path(mac); err != nil || got != filepath.Join(home, "Library/Application Support/Code/User/mcp.json") {
		t.Errorf("on macOS: %s, %v", got, err)
	}
	for _, c := range slices.Concat(Clients(), Agents()) {
		if _, err := c.Path(Environment{GOOS: "linux", Getenv: func(string) string { return "" }}); err == nil && c.file != nil {
			t.Errorf("%s has a file without a home folder", c.Name)
		}
	}
}

// TestHomeInARepository refuses to write if the home folder is a work tree.
func TestHomeInARepository(t *testing.T) {
	f := fileOf(t, "helix")
	if err := os.Mkdir(filepath.Join(f.Home, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(nil, noon); err == nil || exists(f.Path) {
		t.Errorf("the file was written: %v", err)
	}
}

// TestLinkAboveHome writes although the home folder itself is behind a link.
func TestLinkAboveHome(t *testing.T) {
	f := fileOf(t, "helix")
	link := filepath.Join(t.TempDir(), "home")
	if err := os.Symlink(f.Home, link); err != nil {
		t.Fatal(err)
	}
	f.Path = strings.Replace(f.Path, f.Home, link, 1)
	f.Home = link
	write(t, f)
}

// TestLinkBelowHome refuses a file of which a folder further up is a link.
func TestLinkBelowHome(t *testing.T) {
	f := fileOf(t, "sublime")
	if err := os.Symlink(t.TempDir(), filepath.Join(f.Home, ".config")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(nil, noon); err == nil || !strings.Contains(err.Error(), ".config is a link") {
		t.Errorf("the file was written: %v", err)
	}
}
