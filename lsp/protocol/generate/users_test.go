package generate

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/lsp/protocol"
)

// sources reads the files with one of the endings below a folder, but for what is installed or built.
func sources(t *testing.T, folder string, endings ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "out"):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains(endings, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		texts[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) == 0 {
		t.Fatalf("%s has no files", folder)
	}
	return texts
}

var (
	methodText  = regexp.MustCompile(`["'](ploke/[a-z][A-Za-z/]*)["']`)
	luaMethod   = regexp.MustCompile(`\bmethods\.(\w+)`)
	luaMember   = regexp.MustCompile(`(?m)^  (\w+) = '`)
	vscodeRuns  = regexp.MustCompile(`"command": "(ploke\.[A-Za-z.]+)"`)
	contributed = "ploke.view."
)

// TestMethodsAreNamedOnce looks for methods that the server or a client names by a text instead of by a
// name of the protocol.
func TestMethodsAreNamedOnce(t *testing.T) {
	for folder, ending := range map[string]string{
		"lsp": ".go", "cmd": ".go", "bench": ".go", "project": ".go",
		"editors/vscode/src": ".ts", "editors/vscode/media": ".ts", "editors/nvim/lua": ".lua", "editors/nvim/plugin": ".lua",
	} {
		for path, text := range sources(t, folder, ending) {
			if strings.HasPrefix(path, "lsp/protocol/") || strings.HasSuffix(path, "_test.go") || outputs[path] != nil {
				continue
			}
			for _, found := range methodText.FindAllStringSubmatch(text, -1) {
				t.Errorf("%s names the method %s by a text", path, found[1])
			}
		}
	}
}

// TestTestsNameMethodsOfTheProtocol looks into the tests of the clients, which name methods by texts.
func TestTestsNameMethodsOfTheProtocol(t *testing.T) {
	known := map[string]bool{}
	for _, m := range protocol.AllMethods() {
		known[m.Name] = true
	}
	for path, text := range sources(t, "editors", ".lua", ".mjs", ".ts") {
		for _, found := range methodText.FindAllStringSubmatch(text, -1) {
			if !known[found[1]] {
				t.Errorf("%s names the method %s, which the protocol does not have", path, found[1])
			}
		}
	}
}

// TestLuaNamesExist looks for methods.x in the plugin, where the protocol has no x. In TypeScript the
// compiler finds that.
func TestLuaNamesExist(t *testing.T) {
	all := sources(t, "editors/nvim/lua", ".lua")
	known := map[string]bool{}
	for _, found := range luaMember.FindAllStringSubmatch(all["editors/nvim/lua/ploke/protocol.lua"], -1) {
		known[found[1]] = true
	}
	used := 0
	for path, text := range all {
		for _, found := range luaMethod.FindAllStringSubmatch(text, -1) {
			used++
			if !known[found[1]] {
				t.Errorf("%s uses methods.%s, which protocol.lua does not have", path, found[1])
			}
		}
	}
	if used < 20 {
		t.Errorf("only %d uses were found", used)
	}
}

// TestCommandsOfTheExtensionExist compares the commands in package.json, those of the extension itself
// aside, with the protocol's.
func TestCommandsOfTheExtensionExist(t *testing.T) {
	text := sources(t, "editors/vscode", ".json")["editors/vscode/package.json"]
	of := 0
	for _, found := range vscodeRuns.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(found[1], contributed) {
			continue
		}
		of++
		if !slices.Contains(protocol.Commands(), found[1]) {
			t.Errorf("package.json has the command %s, which the server does not have", found[1])
		}
	}
	if of == 0 {
		t.Error("package.json has no command of the server")
	}
}
