package setup

import (
	"bytes"
	"testing"
)

// configurations are texts that people may have in the file of each client.
var configurations = map[string][]string{
	"neovim":   {"-- mine\nrequire('x')\nreturn { 1 }", "\ufeff-- mine\r\nvim.o.x = 1\r\n", "\n", "--[[\nlong\n]]\n"},
	"helix":    {"# mine\n[editor] # x\na = 1", "[[language]]\r\nname = \"go\"\r\n", "[language-server.gopls]\nconfig = { a = 1 }\n\n\n", "# only\n# two"},
	"eglot":    {";;; init.el -*- lexical-binding: t -*-\n(setq x 1)\n", ";; only a comment", "(x)"},
	"lsp-mode": {";;; init.el\r\n;; two\r\n(setq x \"a\r\nb\")\r\n", "\ufeff;; x\n"},
	"kakoune":  {"eval %sh{kak-lsp}\nlsp-enable\n", "x %{"},
	"ale":      {"\" mine\nset nu\n"},
	"coc":      {"{}", "{\"a\": 1}", "{\r\n\t// mine\r\n\t\"a\": 1, /* b */\r\n}\r\n", "// top\n{\"languageserver\": {}, }", "{\n    \"languageserver\": {\n        \"x\": {}\n    }\n}", "\ufeff{\"a\": 1}\n"},
	"sublime":  {"{\n\t\"gopls\": {\"enabled\": true},\n}\n", " { } ", "[", ""},

	"codex":      {"model = \"x\"\n\n[mcp_servers.other]\ncommand = \"npx\"\nargs = [\"-y\"]\n", "[projects.\"/home/x\"]\r\ntrust_level = \"trusted\"\r\n", "# mine", "", "\ufeff# mine\r\nmodel = \"x\"\r\n"},
	"gemini":     {"{\n  \"theme\": \"x\",\n  \"mcpServers\": {\n    \"other\": {\"command\": \"npx\"}\n  }\n}\n", "{}"},
	"opencode":   {"{\n  \"$schema\": \"x\",\n  // mine\n  \"mcp\": {}\n}\n", "{\"mcp\": {\"other\": {\"type\": \"local\"},},}"},
	"vscode-mcp": {"{\n\t\"servers\": {},\n\t\"inputs\": []\n}", ""},
	"zed":        {"// Zed settings\n{\n  \"agent_servers\": {\n    \"other\": {},\n  },\n}\n"},
	"zed-mcp":    {"// Zed settings\n{\n  \"theme\": \"One Dark\",\n  \"context_servers\": {\n    \"other\": {},\n  },\n}\n"},
}

// FuzzRoundTrip writes into any text and undoes it.
func FuzzRoundTrip(f *testing.F) {
	for client, texts := range configurations {
		for _, text := range texts {
			f.Add(client, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		c := Find(name)
		if c == nil || c.format == nil || string(text) == emptyObject {
			return
		}
		config, err := c.Config(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.format.remove(text, name); err != errNoBlock {
			return
		}
		with, err := c.format.write(bytes.Clone(text), name, config)
		if err != nil {
			return
		}
		again, err := c.format.write(with, name, config)
		if err != nil || !bytes.Equal(again, with) {
			t.Fatalf("writing again: %v\n%q\n%q", err, with, again)
		}
		rest, err := c.format.remove(with, name)
		if err != nil || !bytes.Equal(rest, text) {
			t.Fatalf("%v\n%q\n%q\n%q", err, text, with, rest)
		}
	})
}
